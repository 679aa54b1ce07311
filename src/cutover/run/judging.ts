import type { Logger } from 'pino'
import type { Cutover } from '../cutover.ts'
import { messageOf } from './own-entries.ts'
import type { Standings } from './standings.ts'
import { type Judged, newDifferences } from './verdict-watch.ts'

export interface JudgingOptions {
  readonly known: Standings
  /** Judges operations in slices, so that calls go on. */
  readonly judge: (operations: ReadonlySet<string>) => Promise<Judgement>
  readonly note: Cutover['note']
  readonly monotonic: () => number
  readonly log: Pick<Logger, 'error'>
}

/** The results of the comparison at one moment. */
export interface Judgement {
  readonly all: readonly Judged[]
  /** Whether it knows what other processes found lately. If not, no step may rest on it. */
  readonly isWhole: boolean
}

/** How often to judge: the reports of large results take some milliseconds each. */
const JUDGE_MS = 3_000

/** Returns a function that judges all operations with a plan, at most every three seconds, and notes new differences in those that were ready. */
export function judging({ known, judge, note, monotonic, log }: JudgingOptions): () => Promise<void> {
  let judgedAt = Number.NEGATIVE_INFINITY
  let isJudging = false
  return async () => {
    if (known.plans().size === 0 || isJudging || monotonic() - judgedAt < JUDGE_MS) return
    isJudging = true
    try {
      const operations = new Set(known.plans().keys())
      const { all, isWhole } = await judge(operations)
      const entries = all.flatMap((one) => newDifferences(known.judged(one.operation), one))
      known.judge(operations, all, isWhole)
      for (const entry of entries) note(entry, messageOf(entry))
    } catch (error) {
      log.error({ err: error }, 'plans could not be judged')
    }
    judgedAt = monotonic()
    isJudging = false
  }
}
