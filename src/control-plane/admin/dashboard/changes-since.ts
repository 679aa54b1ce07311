import { count, counted } from '../../../common/figures.ts'
import { DAY_MS, dayOf } from '../../../common/time.ts'
import type { AuditEntry, Event } from '../../cutover/audit.ts'
import { certainOf } from '../../evidence/proposals/proposal-words.ts'
import type { ProposalsReport } from '../../evidence/proposals/proposals.ts'
import type { Verdict } from '../../evidence/tally/verdict.ts'
import { type DailyUsage, SILENT_DAYS, silentSince } from '../../usage/daily-usage.ts'
import { eventInWords } from './audit-page.ts'
import { differenceInWords } from './difference-rows.ts'
import { isNamed } from './known-clients.ts'
import type { Experiment } from './sources.ts'
import { countingIn } from './verdict-sentence.ts'

export type ChangeKind = 'verdicts' | 'differences' | 'brakes' | 'proposals' | 'clients' | 'releases' | 'decisions'

/** Something that has changed. */
export interface Change {
  readonly kind: ChangeKind
  /** ISO 8601; of clients, whose calls are stored by day, the day. */
  readonly at: string
  /** What has changed: an operation or a client; undefined: no single one. */
  readonly operation?: string | undefined
  readonly client?: string
  /** What has happened, to follow the name. */
  readonly says: string
}

/** What changes are told from. */
interface Told {
  readonly experiments: readonly Experiment[]
  /** The latest entries, newest first. */
  readonly entries: readonly AuditEntry[]
  readonly proposals: ProposalsReport
  /** Undefined: usage cannot be read now. */
  readonly daily: DailyUsage | undefined
}

/** Returns what has changed since a time, the latest first; ms since the epoch. Only what is stored with its time is told. */
export function changesSince({ experiments, entries, proposals, daily }: Told, from: number, now: number) {
  const since = new Date(from).toISOString()
  const recent = entries.filter(({ at }) => at >= since)
  const changes: readonly Change[] = [
    ...experiments.flatMap((experiment) => newDifferences(experiment, since)),
    ...releases(experiments, since),
    ...recent.flatMap(decided),
    ...proposals.operations.flatMap((found): readonly Change[] => {
      if (found.trial === null || found.trial.since < since) return []
      const lines = counted(certainOf(found).length, 'certain line is', 'certain lines are')
      const says = `${lines} proposed and in trial`
      return [{ kind: 'proposals', at: found.trial.since, operation: found.operation, says }]
    }),
    ...(daily === undefined ? [] : clients(daily, from, now)),
  ]
  return changes.toSorted((a, b) => b.at.localeCompare(a.at))
}

const newDifferences = (experiment: Experiment, since: string): readonly Change[] =>
  countingIn(experiment).flatMap((difference): readonly Change[] => {
    const { since: at, requests, clients } = difference
    if (at === null || at < since) return []
    const seen = `${counted(requests, 'call')} of ${counted(clients.distinct, 'client')}`
    const says = differenceInWords(difference)
    return [{ kind: 'differences', at, operation: experiment.operation, says: `${says} in ${seen} so far` }]
  })

/** Returns each lineage that began since a time, with the one before. */
const lineagesSince = ({ lineage, since: begun, verdict, history }: Experiment, since: string) =>
  [{ lineage, since: begun, verdict }, ...history].flatMap((newer, at) => {
    const older = history[at]
    return older === undefined || newer.since === null || newer.since < since ? [] : [{ newer, older, at: newer.since }]
  })

/** Each release is told once, with the first call that was compared with it. */
function releases(experiments: readonly Experiment[], since: string): readonly Change[] {
  const seen = experiments.flatMap((experiment) =>
    lineagesSince(experiment, since).flatMap(({ newer, older, at }) =>
      (['v1', 'legacy'] as const).flatMap((side) => {
        const [to, from] = [newer.lineage[side], older.lineage[side]]
        return to === from
          ? []
          : [{ at, says: `${side} ${from ?? 'without a release'} → ${to ?? 'without a release'}` }]
      }),
    ),
  )
  return [...Map.groupBy(seen, ({ says }) => says)].map(([says, all]) => {
    const at = all.map((seenOn) => seenOn.at).toSorted()[0] as string
    return { kind: 'releases', at, says: `${says}: the evidence of ${counted(all.length, 'operation')} starts over` }
  })
}

const KINDS: Partial<Readonly<Record<Event, ChangeKind | 'told elsewhere'>>> = {
  braked: 'brakes',
  stopped: 'brakes',
  'legacy-used-again': 'clients',
  'verdict-changed': 'verdicts',
  'difference-new': 'told elsewhere',
  'new-difference': 'told elsewhere',
}

const CALLED: Readonly<Record<Verdict, string>> = {
  ready: 'proven',
  'not ready': 'differing',
  'insufficient data': 'not proven',
}

const called = (verdict: string): string => CALLED[verdict as Verdict] ?? verdict

function decided({ at, event, operation, by, from, to }: AuditEntry): readonly Change[] {
  const kind = KINDS[event] ?? 'decisions'
  if (kind === 'told elsewhere') return []
  if (event === 'verdict-changed') {
    return [{ kind: 'verdicts', at, operation, says: `was ${called(from)}, and is ${called(to)} now` }]
  }
  const isOrder = by !== 'auto'
  const moved = kind === 'clients' || operation === ALL || from === to ? '' : `, ${from} → ${to}`
  const says = `${eventInWords(event)}${moved}${isOrder ? `, by ${by}` : ''}`
  return [{ kind, at, operation: operation === ALL ? undefined : operation, says }]
}

/** What an entry names that concerns no single operation. */
const ALL = '*'

function clients({ clients: all }: DailyUsage, from: number, now: number): readonly Change[] {
  const [border, borderThen, firstDay] = [silentSince(now), silentSince(from), dayOf(from)]
  return [...all].flatMap(([client, { last, cameBack }]): readonly Change[] => {
    if (!isNamed(client)) return []
    if (last < border) {
      const at = dayOf(Date.parse(last) + SILENT_DAYS * DAY_MS)
      return last < borderThen
        ? []
        : [{ kind: 'clients', at, client, says: `has stopped: its last call came on ${last}` }]
    }
    if (cameBack === undefined || cameBack.day < firstDay) return []
    const days = count(Math.round((Date.parse(cameBack.day) - Date.parse(cameBack.before)) / DAY_MS))
    return [{ kind: 'clients', at: cameBack.day, client, says: `came back after ${days} days without a call` }]
  })
}
