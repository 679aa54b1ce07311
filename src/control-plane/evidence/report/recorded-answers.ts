import { count, counted } from '../../../common/figures.ts'
import type { OperationReport } from '../tally/operation-report.ts'
import type { OverallJudgement } from '../tally/verdict.ts'

/** The recorded answers that v1 was compared with, in place of a legacy service. JSON. */
export interface RecordedAnswers {
  /** When the first and the last compared call were recorded, ISO 8601; null: the files do not say. */
  readonly since: string | null
  readonly until: string | null
  /** What could be compared by presence and type alone: how many personal values of how many exchanges, and why. */
  readonly byType: ComparedByType
}

export interface ComparedByType {
  readonly exchanges: number
  readonly values: number
  /** The number of exchanges for each reason. */
  readonly why: Readonly<Record<string, number>>
}

interface Judged<Operation> {
  readonly operations: readonly Operation[]
  readonly overall: OverallJudgement
}

/**
 * Says in all verdicts that they are against recorded answers, and when those were recorded. Nobody was asked twice, so how much
 * of a difference is drift is unknown.
 */
export function saidAgainstRecorded<Operation extends OperationReport>(
  { operations, overall }: Judged<Operation>,
  byType: ComparedByType,
): Judged<Operation> & { readonly recorded: RecordedAnswers } {
  const since = operations.flatMap((operation) => operation.since ?? []).sort()[0] ?? null
  const until =
    operations
      .flatMap((operation) => operation.until ?? [])
      .sort()
      .at(-1) ?? null
  return {
    operations: operations.map((operation) => ({
      ...operation,
      differences: operation.differences.map((difference) => ({ ...difference, drift: null, noise: null })),
      says: `${operation.says}; ${recordedInWords(operation)}`,
    })),
    overall: { ...overall, says: `${overall.says}; ${recordedInWords({ since, until })}` },
    recorded: { since, until, byType },
  }
}

/** `against answers recorded 2026-11-02 to 2026-11-09`, by days of UTC. */
export function recordedInWords({ since, until }: Pick<RecordedAnswers, 'since' | 'until'>): string {
  if (since === null || until === null) return 'against recorded answers'
  const [first, last] = [since, until].map((time) => time.slice(0, '2026-11-02'.length))
  return `against answers recorded ${first === last ? `on ${first}` : `${first} to ${last}`}`
}

/** Says how much was compared by presence and type alone, in a sentence; undefined: nothing was. */
export function byTypeInWords({ byType: { exchanges, values, why } }: RecordedAnswers): string | undefined {
  if (exchanges === 0) return undefined
  const reasons = Object.entries(why).map(([reason, times]) => `${reason}: ${count(times)}`)
  return `${counted(values, 'personal value')} of ${counted(exchanges, 'exchange')} could be compared by presence and type only (${reasons.join(', ')}).`
}
