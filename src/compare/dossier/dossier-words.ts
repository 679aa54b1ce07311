import type { Operation } from '../../mapping/operation.ts'
import { notSentInWords } from '../coverage/not-sent-members.ts'
import { asChosen, plural } from '../report/report-words.ts'
import type { OperationReport } from '../tally/operation-report.ts'
import type { OverallJudgement } from '../tally/overall.ts'
import type { DifferenceReport } from '../tally/report-differences.ts'

/** An operation as in `GET /experiments`, which leaves line numbers out. */
export type DossierReport = Omit<OperationReport, 'differences'> & {
  readonly differences: readonly Omit<DifferenceReport, 'lines'>[]
}
type Described = Pick<Operation, 'v1' | 'login' | 'effect'>

/** The most lines that are named as never seen; the others are counted. */
const NAMED = 8

/**
 * Says what was found about an operation: `412 units of 23 clients in 7 days: with 95 % confidence at most 0.9 % of traffic like this
 * differs; v1 failed 0.2 %; …`.
 * @param waived how many lines of its mapping need not be seen.
 */
export function operationInWords({ v1, login, effect }: Described, report: DossierReport | null, waived = 0): string {
  if (v1 === undefined) return 'v1 has no equivalent: only the legacy service can answer it.'
  if (login !== undefined) return 'A login. Each service issues its own token, so there is nothing to compare.'
  if (report === null) return `${effect === 'write' ? `${NEVER_TWICE} ` : ''}None of its calls was seen.`
  if (effect === 'write') return [NEVER_TWICE, ...writesInWords(report, waived)].join(' ')
  return comparedInWords(report, waived)
}

const NEVER_TWICE = 'A write. It is never sent twice to a real service, so its answers were not compared.'

function writesInWords(report: DossierReport, waived: number): readonly string[] {
  const { roundTrip, units, coverage } = report
  const others =
    units.distinct === 0
      ? notSentInWords(coverage.notSent).map((text) => `${text[0]?.toUpperCase()}${text.slice(1)}.`)
      : [`Between copies of both services: ${comparedInWords(report, waived)}`]
  if (roundTrip === null) return others
  const differing = roundTrip.differed === 0 ? 'none came back different' : `${roundTrip.differed} came back different`
  return [`Answers translated to v1's shape and back: ${roundTrip.checked}; ${differing}.`, ...others]
}

function comparedInWords(report: DossierReport, waived: number): string {
  const { units, clients, differences, confidence, lowerBound, missing, verdict } = report
  const seen = [
    `${units.estimated ? 'about ' : ''}${plural(units.distinct, 'unit')}`,
    clients.distinct === 0 ? '' : ` of ${clients.atLeast ? 'at least ' : ''}${plural(clients.distinct, 'client')}`,
    spanOf(report),
  ].join('')
  const counting = differences.filter(({ ignored }) => ignored === null)
  const found =
    verdict === 'not ready'
      ? `${plural(report.totals.mismatched, 'exchange')} differed, in ${counting.length} ${counting.length === 1 ? 'class' : 'classes'} of difference`
      : `with ${asChosen(confidence)} confidence at most ${atMost(1 - lowerBound)} of traffic like this differs`
  const all = [
    `${seen}: ${units.distinct === 0 && verdict !== 'not ready' ? 'nothing is proven' : found}`,
    `v1 failed ${share(failuresOf(differences), comparedOf(report))}`,
    `${share(unjudgedOf(report), unjudgedOf(report) + comparedOf(report))} could not be judged`,
    ...unseenInWords(report, waived),
    ...notSentInWords(report.coverage.notSent ?? []),
    ...(verdict === 'insufficient data' && missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
  ]
  return `${all.join('; ')}.`
}

type Together = Pick<OverallJudgement, 'verdict' | 'confidence' | 'ready' | 'of'>

/** Says what all operations together prove. */
export function overallInWords({ verdict, confidence, ready, of }: Together): string {
  const sure = `with ${asChosen(confidence)} confidence`
  if (verdict === 'ready') return `All ${of} operations that can be compared reach their targets at once, ${sure}.`
  const proven = `${ready} of the ${plural(of, 'operation')} that can be compared are proven ${sure}`
  return verdict === 'not ready' ? `Something differs; ${proven}.` : `${proven}.`
}

/** Who found the results, and where they are kept. */
export interface DossierFleet {
  readonly engine: 'sqlite' | 'postgresql'
  /** How many gateways share the results; null: only a running gateway knows. */
  readonly replicas: number | null
  /** Since when results can be neither stored nor shared, ISO 8601; null: they can. */
  readonly degradedSince: string | null
}

const ENGINES = { sqlite: 'SQLite', postgresql: 'PostgreSQL' } as const

/** Says how many replicas found the results, and where they are kept: `of 3 replicas, kept in PostgreSQL`. */
export function fleetInWords({ engine, replicas, degradedSince }: DossierFleet, isKept: boolean): string {
  const where = isKept ? `kept in ${ENGINES[engine]}` : 'in memory only'
  const who = replicas === null ? where : `of ${plural(replicas, 'replica')}, ${where}`
  if (degradedSince === null) return who
  const lacking = engine === 'sqlite' ? 'nothing could be stored' : 'results of other replicas are missing'
  return `${who}; since ${degradedSince.slice(0, 19).replace('T', ' ')} UTC ${lacking}`
}

function unseenInWords({ coverage }: DossierReport, waived: number): readonly string[] {
  const { unseen, lines } = coverage
  const waivers = waived === 0 ? [] : [`${plural(waived, 'other line')} ${waived === 1 ? 'was' : 'were'} waived`]
  if (lines === 0) return waivers
  if (unseen.length === 0) return [`each of the ${plural(lines, 'line')} of the mapping was seen`, ...waivers]
  const names = unseen.slice(0, NAMED).map(({ part, legacy }) => `${part} ${legacy ?? ''}`.trim())
  const more = unseen.length > NAMED ? ` and ${unseen.length - NAMED} more` : ''
  return [
    `never seen: ${unseen.length} of ${plural(lines, 'line')} of the mapping (${names.join(', ')}${more})`,
    ...waivers,
  ]
}

const HOUR_MS = 3_600_000

/** Returns ` in 7 days`; empty if unknown. */
function spanOf({ since, until }: Pick<OperationReport, 'since' | 'until'>): string {
  if (since === null || until === null) return ''
  const hours = (Date.parse(until) - Date.parse(since)) / HOUR_MS
  if (hours >= 48) return ` in ${plural(Math.round(hours / 24), 'day')}`
  return hours >= 1 ? ` in ${plural(Math.round(hours), 'hour')}` : ' within an hour'
}

const failuresOf = (differences: DossierReport['differences']): number =>
  differences.filter(({ kind }) => kind === 'failure').reduce((sum, { requests }) => sum + requests, 0)
const comparedOf = ({ totals }: Pick<OperationReport, 'totals'>): number =>
  totals.matched + totals.ignored + totals.mismatched
const unjudgedOf = ({ unjudged }: Pick<OperationReport, 'unjudged'>): number =>
  Object.values(unjudged).reduce((sum, times) => sum + times, 0)

/** Returns a percentage of two digits, rounded up so that the share that may differ is never understated. */
function atMost(part: number): string {
  const percent = part * 100
  if (percent <= 0) return '0 %'
  const unit = 10 ** (Math.floor(Math.log10(percent)) - 1)
  return `${Number((Math.ceil(percent / unit - 1e-9) * unit).toPrecision(2))} %`
}

const share = (part: number, whole: number): string => (whole === 0 ? '0 %' : atMost(part / whole))
