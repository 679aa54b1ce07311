import type { Logger } from 'pino'
import type { Cutover } from '../cutover.ts'
import { messageOf } from './own-entries.ts'
import type { Standings } from './standings.ts'
import { type Judged, newDifferences } from './verdict-watch.ts'

export interface JudgingOptions {
  readonly known: Pick<Standings, 'plans' | 'verdicts'>
  /**
   * Judges operations in slices, so that calls go on.
   * @param maxAgeMs how old what other processes found may be; 0: it is read now.
   */
  readonly judge: (operations: ReadonlySet<string>, maxAgeMs: number) => Promise<Judgement>
  /** The least time between two judgements of all operations. */
  readonly everyMs: number
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

export interface Judging {
  /** Judges all operations with a plan, at most every `everyMs`, and notes new differences in those that were ready. */
  all(): Promise<void>
  /** Judges an operation by what all processes have found until now. Returns false if that cannot be read. */
  now(operation: string): Promise<boolean>
}

export function judging({ known, judge, everyMs, note, monotonic, log }: JudgingOptions): Judging {
  const { verdicts } = known
  let judgedAt = Number.NEGATIVE_INFINITY
  let current: Promise<boolean> | undefined
  const judgeWithin = async (operations: ReadonlySet<string>, maxAgeMs: number): Promise<boolean> => {
    try {
      const { all, isWhole } = await judge(operations, maxAgeMs)
      const entries = all.flatMap((one) => newDifferences(verdicts.of(one.operation), one))
      verdicts.take(operations, all, isWhole)
      for (const entry of entries) note(entry, messageOf(entry))
      return isWhole
    } catch (error) {
      log.error({ err: error }, 'plans could not be judged')
      return false
    } finally {
      current = undefined
    }
  }
  return {
    async all() {
      if (known.plans().size === 0 || current !== undefined || monotonic() - judgedAt < everyMs) return
      current = judgeWithin(new Set(known.plans().keys()), verdicts.maxAgeMs())
      await current
      judgedAt = monotonic()
    },
    async now(operation) {
      // One after the other, so that no older verdict replaces a newer one.
      while (current !== undefined) await current
      current = judgeWithin(new Set([operation]), 0)
      return current
    },
  }
}
