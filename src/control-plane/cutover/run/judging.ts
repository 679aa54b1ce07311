import type { Logger } from 'pino'
import type { NewEntry } from '../audit.ts'
import type { Cutover } from '../cutover.ts'
import type { CutoverStore, Decision } from '../cutover-store.ts'
import { type FileChange, fileChanges } from './file-changes.ts'
import type { Standings } from './standings.ts'
import { type Judged, newDifferences } from './verdicts.ts'

export interface JudgingOptions {
  readonly known: Pick<Standings, 'plans' | 'verdicts'>
  /**
   * Judges operations.
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

/** Audit entries that wait to be stored. */
export interface OwnEntries {
  add(entry: NewEntry, message?: Decision['message']): void
  /** Adds a change of the rollout file. By the time it is stored, another process may have added it. */
  addChange(change: FileChange): void
  isEmpty(): boolean
  /** Stores them in order. Rejects with a StateError; the rest waits for the next time. */
  store(store: Pick<CutoverStore, 'audit' | 'decide'>): Promise<void>
}

/** The most entries that wait while the store is unavailable. */
const MOST = 1_000

export function ownEntries(log: Pick<Logger, 'warn'>): OwnEntries {
  const waiting: (Decision | FileChange)[] = []
  const storeChange = fileChanges()
  const add = (one: Decision | FileChange): void => {
    if (waiting.length < MOST) return void waiting.push(one)
    const { event, operation } = 'entry' in one ? one.entry : one
    log.warn({ event, operation }, 'the audit lacks an entry: too many wait')
  }
  return {
    add: (entry, message) => add({ entry, message }),
    addChange: add,
    isEmpty: () => waiting.length === 0,
    async store(store) {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        await ('entry' in next ? store.decide(next) : storeChange(store, next))
        waiting.shift()
      }
    },
  }
}

/** Returns the webhook message for an entry. */
export const messageOf = ({ id, event, operation, from, to, why }: NewEntry): NonNullable<Decision['message']> => ({
  ...{ id, event, operation, from, to, why },
  text: `${operation}: ${event}, from ${from} to ${to}: ${why}`,
})
