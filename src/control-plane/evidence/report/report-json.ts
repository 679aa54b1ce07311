import type { BadEntry } from '../../../recordings/recorded-exchange.ts'
import type { MappingChange } from '../../../recordings/replay/mapping-change.ts'
import type { ReplayedReport } from '../../../recordings/replay/replay-results.ts'
import type { Totals } from '../tally/operation-report.ts'
import { isProven, type OverallJudgement } from '../tally/verdict.ts'
import type { RecordedAnswers } from './recorded-answers.ts'

/** What was replayed, against which services, and how. It holds no secret. */
export interface Replayed {
  /** The recording as it was given, several paths separated by spaces; null: a probe made up the requests. */
  readonly file: string | null
  /** The files that were read. Unset: at most one was read. */
  readonly files?: readonly string[]
  /** The addresses of both services, without credentials; null: the recorded answers stand in for the legacy service. */
  readonly legacy: string | null
  readonly v1: string
  /** The options that change what is sent or how it is judged, as on the command line. */
  readonly options: readonly string[]
  /** The version of the gateway. */
  readonly gateway: string
}

/** The results of a replay or a probe: `report.json`, from which `report.html` and `junit.xml` are made. It holds no values of bodies. */
export interface Report {
  readonly version: 2
  /** ISO 8601. */
  readonly startedAt: string
  readonly finishedAt: string
  /** The sum over all operations. */
  readonly totals: Totals
  readonly operations: readonly ReplayedReport[]
  /** Whether all operations that can be compared reach their targets, all at once. */
  readonly overall: OverallJudgement
  /** The share of exchanges that may stay unjudged, 0 to 1. */
  readonly unjudgedLimit: number
  /** False: the replay was stopped before the end of the recording. */
  readonly complete: boolean
  /** What was replayed; unset: unknown. */
  readonly replayed?: Replayed
  /** The answers that v1 was compared with; unset: the legacy service was asked. */
  readonly recorded?: RecordedAnswers
  /** How the differences change with the file that `--mapping` names; unset: none is tried. */
  readonly change?: MappingChange
  /** How many lines of the recording could not be read, and the first of them, with the file if there were several. */
  readonly unreadable: { readonly count: number; readonly first: readonly (BadEntry & { readonly file?: string })[] }
  /** Unset: the requests come from a recording. */
  readonly probe?: ProbeReport
}

/** How a probe made up its requests. They are no units, so none of them makes an operation ready. */
export interface ProbeReport {
  /** The number of calls to each side. */
  readonly control: number
  readonly candidate: number
  /** Whether the budget ended before all was asked. */
  readonly isCut: boolean
  /** What each request asked, by its line from 1: operation and inputs, without values from answers. */
  readonly asked: readonly string[]
}

export function reportOf(replayed: Omit<Report, 'version' | 'totals'>): Report {
  const { startedAt, finishedAt, operations, ...others } = replayed
  return { version: 2, startedAt, finishedAt, totals: sumOf(operations), operations, ...others }
}

export const reportJson = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`

/** What a replay has shown. `difference`: something counts as a difference, or failed. */
type Outcome = 'all ready' | 'difference' | 'not enough data'

/**
 * Returns what a replay has shown about the operations in its recording that can be compared.
 * @param comparable their ids.
 */
export function outcomeOf({ totals, operations }: Report, comparable: ReadonlySet<string>): Outcome {
  if (totals.mismatched > 0 || totals.failed > 0) return 'difference'
  const judged = operations.filter(({ operation }) => comparable.has(operation))
  const isReady = judged.length > 0 && judged.every(isProven)
  return isReady ? 'all ready' : 'not enough data'
}

function sumOf(operations: Report['operations']): Totals {
  const sum = (name: keyof Totals): number => operations.reduce((total, { totals }) => total + totals[name], 0)
  return {
    requests: sum('requests'),
    matched: sum('matched'),
    ignored: sum('ignored'),
    mismatched: sum('mismatched'),
    failed: sum('failed'),
    skipped: sum('skipped'),
  }
}
