import type { BadEntry } from '../../recording/read-request.ts'
import type { ReplayedReport } from '../replay/replay-results.ts'
import type { Totals } from '../tally/operation-report.ts'

/** The results of a replay: `report.json`, from which `report.html` and `junit.xml` are made. It holds no value of a body. */
export interface Report {
  readonly version: 1
  /** ISO 8601. */
  readonly startedAt: string
  readonly finishedAt: string
  /** The sum over all operations. */
  readonly totals: Totals
  readonly operations: readonly ReplayedReport[]
  /** False: the replay was stopped before the end of the recording. */
  readonly complete: boolean
  /** Lines of the recording that could not be read: how many, and the first of them. */
  readonly unreadable: { readonly count: number; readonly first: readonly BadEntry[] }
}

export function reportOf(replayed: Omit<Report, 'version' | 'totals'>): Report {
  const { startedAt, finishedAt, operations, complete, unreadable } = replayed
  return { version: 1, startedAt, finishedAt, totals: sumOf(operations), operations, complete, unreadable }
}

export const reportJson = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`

/** Whether nothing mismatched and nothing failed. */
export const isParity = ({ totals }: Report): boolean => totals.mismatched === 0 && totals.failed === 0

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
