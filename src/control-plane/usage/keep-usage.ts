import type { Logger } from 'pino'
import { attempts, Sender } from '../store/sender.ts'
import type { UsageCounter } from './count-usage.ts'
import type { UsageRow } from './usage.ts'
import type { UsageStore, UsedAgain } from './usage-store.ts'

/** Moves what is counted to a store, once a second. */
export interface UsageKeeper {
  /** Stores what is counted, in portions. Resolves when everything is stored or the store fails. Never rejects. */
  keep(): Promise<void>
  /**
   * Runs `read` while nothing is being stored, so that what it reads and `unstored` together count every call once: a call counted
   * meanwhile at most once.
   */
  between<T>(read: () => Promise<T>): Promise<T>
  /** Returns what is counted but not stored. */
  unstored(): readonly UsageRow[]
  /** Stores what is left, within `graceMs`. */
  close(graceMs: number): Promise<void>
}

export interface UsageKeeperOptions {
  readonly counter: UsageCounter
  readonly store: UsageStore
  readonly onUsedAgain: (again: UsedAgain) => void
  readonly log: Pick<Logger, 'error'>
}

/** The most rows in a portion. */
const MOST_ROWS = 500

/** Keeps what a counter has counted. */
export function keepUsage({ counter, store, onUsedAgain, log }: UsageKeeperOptions): UsageKeeper {
  const sender = new Sender(
    (rows: readonly UsageRow[], number) => store.add({ number, rows }),
    (_, again) => again.forEach(onUsedAgain),
  )
  const sendAll = (): Promise<void> => {
    let isLast = false
    return sender.send(() => {
      const rows = isLast ? [] : counter.take(MOST_ROWS)
      isLast = rows.length < MOST_ROWS
      return rows.length === 0 ? undefined : rows
    })
  }
  const storing = attempts(sendAll, log, 'usage could not be stored')
  return {
    keep: () => storing.now(),
    between: sender.between,
    unstored: () => [...(sender.pending ?? []), ...counter.rows()],
    close: (graceMs) => storing.close(() => sender.pending === undefined && counter.isEmpty(), graceMs),
  }
}
