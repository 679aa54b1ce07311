import { verdictInWords } from '../coverage/coverage.ts'
import { flawlessRun } from './clopper-pearson.ts'
import type { OperationReport } from './operation-report.ts'
import { unitsOf, type Verdict } from './verdict.ts'

/** The verdict on all operations together: whether each reaches its target, all at once, with this confidence. */
export interface OverallJudgement {
  readonly verdict: Verdict
  readonly confidence: number
  /** How many operations can be compared, and how many of them are proven: each by itself is `ready`. */
  readonly of: number
  readonly ready: number
  /** How many of them have enough units for all operations to hold at once. */
  readonly together: number
  /** What is missing for that, by operation. */
  readonly missing: readonly string[]
  /** The verdict in words; `ready` adds what was never seen, and what v1 never gets, of all operations. */
  readonly says: string
}

export type Judged = Pick<
  OperationReport,
  'operation' | 'verdict' | 'target' | 'needed' | 'missing' | 'units' | 'coverage'
>

/**
 * Judges all operations that can be compared together, by their reports. Each must reach its target at a higher confidence, so that
 * all of them together reach the required one (C. E. Bonferroni, 1936): 561 units for 14 operations, 0.99 and 0.95.
 */
export function judgeOverall(
  reports: readonly Judged[],
  comparable: readonly string[],
  confidence: number,
): OverallJudgement {
  const ofEach = 1 - (1 - confidence) / Math.max(comparable.length, 1)
  const judged = comparable.map((id) => reports.find(({ operation }) => operation === id))
  const missing = judged.flatMap((report, at) => {
    const lacking = report === undefined ? 'not called' : lackingOf(report, ofEach)
    return lacking === '' ? [] : [`${comparable[at]}: ${lacking}`]
  })
  const ready = judged.filter((report) => report?.verdict === 'ready').length
  const together = comparable.length - missing.length
  const differs = judged.some((report) => report?.verdict === 'not ready')
  const isAll = comparable.length > 0 && missing.length === 0
  const verdict = differs ? 'not ready' : isAll ? 'ready' : 'insufficient data'
  const sumOf = (name: 'lines' | 'seen'): number =>
    judged.reduce((sum, report) => sum + (report?.coverage[name] ?? 0), 0)
  const notSent = judged.flatMap((report) =>
    (report?.coverage.notSent ?? []).map((member) => ({ ...member, operation: report?.operation ?? '' })),
  )
  const says = verdictInWords(verdict, { lines: sumOf('lines'), seen: sumOf('seen'), notSent })
  return { verdict, ...{ confidence, ready, of: comparable.length, together, missing, says } }
}

/** Returns what an operation still needs to reach its target at a confidence; empty: nothing. */
function lackingOf({ verdict, target, needed, missing, units }: Judged, confidence: number): string {
  if (verdict === 'not ready') return verdict
  const run = flawlessRun(target, confidence)
  const others = needed > 0 ? missing.slice(1) : missing
  return [...(units.distinct < run ? [unitsOf(units, run)] : []), ...others].join(', ')
}
