import type { Logger } from 'pino'
import { serial, within } from '../common/promises.ts'
import { StateError } from '../state/state-error.ts'
import type { UsageCounter } from './count-usage.ts'
import type { UsageRow } from './usage.ts'
import type { UsagePortion, UsageStore, UsedAgain } from './usage-store.ts'

/** Moves what is counted to a store, once a second. */
export interface UsageKeeper {
  /** Stores what is counted, in portions. Resolves when everything is stored or the store fails. Never rejects. */
  keep(): Promise<void>
  /**
   * Runs `read` while nothing is being stored, so that what it reads and `unstored` together count every call once: a call counted
   * meanwhile at most once.
   */
  between<T>(read: () => Promise<T>): Promise<T>
  /** Returns what is counted but not stored, to be read once: in slices, because a row is made when it is read. */
  unstored(): Iterable<UsageRow>
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

/** Keeps what a counter has counted. If a portion may not have been stored, it is sent again under the same number. */
export function keepUsage({ counter, store, onUsedAgain, log }: UsageKeeperOptions): UsageKeeper {
  /** The portion sent to the store but not confirmed: it is sent again. */
  let pending: UsagePortion | undefined
  let number = 0
  let hasFailed = false
  let keeping: Promise<void> | undefined
  const between = serial()

  const next = (): UsagePortion | undefined => {
    const rows = counter.take(MOST_ROWS)
    return rows.length === 0 ? undefined : { number: ++number, rows }
  }
  /** Returns whether more may be due at once. */
  const send = async (): Promise<boolean> => {
    pending ??= next()
    if (pending === undefined) return false
    const again = await store.add(pending)
    const isFull = pending.rows.length === MOST_ROWS
    pending = undefined
    for (const one of again) onUsedAgain(one)
    return isFull
  }
  const sendAll = async (): Promise<void> => {
    try {
      while (await send());
      hasFailed = false
    } catch (error) {
      // If the store is unavailable, the code that stores results logs it.
      if (!(hasFailed || error instanceof StateError)) log.error({ err: error }, 'usage could not be stored')
      hasFailed = true
    }
  }
  const keep = (): Promise<void> => {
    keeping ??= between(sendAll).finally(() => {
      keeping = undefined
    })
    return keeping
  }
  return {
    keep,
    between,
    unstored: () => chained(pending?.rows ?? [], counter.rows()),
    close: (graceMs) => storeRest(keep, () => pending === undefined && counter.isEmpty(), graceMs),
  }
}

function* chained<Item>(first: Iterable<Item>, second: Iterable<Item>): Iterable<Item> {
  yield* first
  yield* second
}

/** The pause between two attempts. */
const RETRY_MS = 50
/** The least time that the store gets, even if the grace is shorter. */
const LEAST_MS = 250

/** Stores what is left when a process stops, within `graceMs`. Tries again while the store fails. */
export async function storeRest(keep: () => Promise<void>, isStored: () => boolean, graceMs: number): Promise<void> {
  const endsAt = performance.now() + Math.max(graceMs, LEAST_MS)
  for (;;) {
    await within(Math.max(endsAt - performance.now(), 0), keep())
    if (isStored() || performance.now() >= endsAt) return
    await pause(RETRY_MS)
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
