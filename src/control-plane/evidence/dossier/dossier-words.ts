import {
  chosenPercent,
  count,
  counted,
  distinctInWords,
  percentAtMost,
  provenInWords,
  timeInWords,
} from '../../../common/figures.ts'
import { HOUR_MS } from '../../../common/time.ts'
import type { Operation } from '../../../mapping/operation.ts'
import { notSentInWords } from '../coverage/not-sent.ts'
import { comparedOf, judgeable } from '../report/report-words.ts'
import { sumOf } from '../tally/call-account.ts'
import type { OperationReport } from '../tally/operation-report.ts'
import type { DifferenceReport } from '../tally/report-differences.ts'
import type { OverallJudgement } from '../tally/verdict.ts'
import { writesInWords } from '../writes/dropped-members.ts'

/** An operation as in `GET /experiments`, which leaves line numbers out. */
export type DossierReport = Omit<OperationReport, 'differences'> & {
  readonly differences: readonly Omit<DifferenceReport, 'lines'>[]
}
type Described = Pick<Operation, 'v1' | 'effect'>

/** The most lines that are named as never seen; the others are counted. */
const NAMED = 8

/**
 * Says what was found about an operation: `412 units of 23 clients in 7 days: with 95 % confidence at most 0.9 % of traffic like this
 * differs; v1 failed 0.2 %; …`.
 * @param waived how many lines of its mapping need not be seen.
 */
export function operationInWords({ v1, effect }: Described, report: DossierReport | null, waived = 0): string {
  if (v1 === undefined) return 'v1 has no equivalent: only the legacy service can answer it.'
  if (report === null) return `${effect === 'write' ? `${NEVER_TWICE} ` : ''}None of its calls was seen.`
  return effect === 'write' ? ofWrites(report, waived).join(' ') : comparedInWords(report, waived)
}

const NEVER_TWICE = 'A write. It is never sent twice to a real service, so its answers were not compared.'

const ONLY_CHECKED =
  'A write. It is never sent twice to a real service, so it was only checked, which proves nothing about v1.'

function ofWrites(report: DossierReport, waived: number): readonly string[] {
  const { roundTrip, units, coverage, differences, against } = report
  const writes = writesInWords(report)
  // Results of older versions have no such differences.
  const notSent = differences.some(({ kind }) => kind === 'dropped') ? [] : notSentInWords(coverage.notSent)
  const others =
    units.distinct === 0
      ? notSent.map(sentence)
      : [`${against === null ? 'Between copies of both services: ' : ''}${comparedInWords(report, waived)}`]
  return [
    howCompared(report),
    ...(writes === '' ? [] : [sentence(writes)]),
    ...(roundTrip === null ? [] : [roundTripInWords(roundTrip)]),
    ...others,
  ]
}

function howCompared({ against, checked }: DossierReport): string {
  if (against !== null) return `A write, compared against ${against} of v1.`
  return checked === null ? NEVER_TWICE : ONLY_CHECKED
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

function roundTripInWords({ checked, differed }: NonNullable<DossierReport['roundTrip']>): string {
  const differing = differed === 0 ? 'none came back different' : `${count(differed)} came back different`
  return `Answers translated to v1's shape and back: ${count(checked)}; ${differing}.`
}

function comparedInWords(report: DossierReport, waived: number): string {
  const { units, clients, differences, confidence, lowerBound, missing, verdict } = report
  const seen = [
    distinctInWords(units, 'unit'),
    clients.distinct === 0 ? '' : ` of ${distinctInWords(clients, 'client')}`,
    spanOf(report),
  ].join('')
  const counting = differences.filter(({ ignored }) => ignored === null)
  const found =
    verdict === 'not ready'
      ? `${counted(report.totals.mismatched, 'exchange')} differed, in ${counted(counting.length, 'class', 'classes')} of difference`
      : `with ${chosenPercent(confidence)} confidence at most ${percentAtMost(1 - lowerBound)} of traffic like this differs`
  const all = [
    `${seen}: ${units.distinct === 0 && verdict !== 'not ready' ? 'nothing is proven' : found}`,
    `${report.against === null ? 'v1' : 'the copy'} failed ${share(failuresOf(differences), comparedOf(report))}`,
    `${share(sumOf(report.unjudged), judgeable(report))} could not be judged`,
    ...unseenInWords(report, waived),
    ...notSentInWords(report.coverage.notSent ?? []),
    ...(verdict === 'insufficient data' && missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
  ]
  return `${all.join('; ')}.`
}

/** Says what all operations together prove. */
export const overallInWords = (overall: Omit<OverallJudgement, 'missing' | 'says'>): string =>
  `${overall.verdict === 'not ready' ? 'Something differs. ' : ''}${provenInWords(overall)}`

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
  const who = replicas === null ? where : `of ${counted(replicas, 'replica')}, ${where}`
  if (degradedSince === null) return who
  const lacking = engine === 'sqlite' ? 'nothing could be stored' : 'results of other replicas are missing'
  return `${who}; since ${timeInWords(degradedSince)} UTC ${lacking}`
}

function unseenInWords({ coverage }: DossierReport, waived: number): readonly string[] {
  const { unseen, lines } = coverage
  const waivers = waived === 0 ? [] : [`${counted(waived, 'other line')} ${waived === 1 ? 'was' : 'were'} waived`]
  if (lines === 0) return waivers
  if (unseen.length === 0) return [`each of the ${counted(lines, 'line')} of the mapping was seen`, ...waivers]
  const names = unseen.slice(0, NAMED).map(({ part, legacy }) => `${part} ${legacy ?? ''}`.trim())
  const more = unseen.length > NAMED ? ` and ${unseen.length - NAMED} more` : ''
  return [
    `never seen: ${unseen.length} of ${counted(lines, 'line')} of the mapping (${names.join(', ')}${more})`,
    ...waivers,
  ]
}

/** Returns ` in 7 days`, rounded down; empty if unknown. */
function spanOf({ since, until }: Pick<OperationReport, 'since' | 'until'>): string {
  if (since === null || until === null) return ''
  const hours = (Date.parse(until) - Date.parse(since)) / HOUR_MS
  if (hours >= 48) return ` in ${counted(Math.floor(hours / 24), 'day')}`
  return hours >= 1 ? ` in ${counted(Math.floor(hours), 'hour')}` : ' within an hour'
}

const failuresOf = (differences: DossierReport['differences']): number =>
  differences.filter(({ kind }) => kind === 'failure').reduce((sum, { requests }) => sum + requests, 0)

const share = (part: number, whole: number): string => percentAtMost(whole === 0 ? 0 : part / whole)
