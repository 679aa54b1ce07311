import type { Logger } from 'pino'
import type { Changes } from '../../store/ledger.ts'
import type { ComparedDay } from './compared-days.ts'
import type { OperationCounts } from './operation-counts.ts'
import type { Reset } from './resets.ts'

/** Counts of one process that are not stored yet. */
export interface Portion {
  /** Counts up from 1 within a process, so that a portion sent twice is added once. */
  readonly number: number
  readonly operations: readonly OperationCounts[]
  /** What the same exchanges add to the days on which they were made. */
  readonly days: readonly ComparedDay[]
}

/**
 * Stores the results of comparisons: counts, paths and kinds by operation and lineage, never values. A store that is locked,
 * full or unavailable rejects with a StateError, and the caller tries again. One call at a time.
 */
export interface StateStore {
  /** The store's name in logs and messages. */
  readonly name: string
  /** Whether other processes add to it all the time, so that it must be read again to see all results. */
  readonly isShared: boolean
  /** How long results may wait before they are stored, so that many replicas do not load the database; ms. Unset: not at all. */
  readonly intervalMs?: (() => number) | undefined
  /** Opens the store. Returns when its results begin; ISO 8601, by its own clock. */
  open(): Promise<string>
  /** Adds a portion. One that is sent again is added only once. */
  add(portion: Portion): Promise<void>
  /** Adds resets; one that is stored already stays as it is. Called once a second, even if there are none. */
  keep(resets: readonly Reset[]): Promise<void>
  /** Returns the counts that have changed, other than by what this process has added, by `evidenceKey`. */
  changes(): Promise<Changes<OperationCounts>>
  /** Returns how the calls of each stored day compared, the oldest first. */
  days(): Promise<readonly ComparedDay[]>
  /** Returns the latest resets of each operation. */
  resets(): Promise<readonly Reset[]>
  /** Calls `listener` when another process may have made a decision. A store that is not shared never does. */
  onDecided?(listener: () => void): void
  /** Closes the store, within `withinMs` at the latest. */
  close(withinMs: number): Promise<void>
}

/** Whether results are stored. */
export interface StoreHealth {
  /** Why results cannot be stored, and since when (ISO 8601); null: they are stored. */
  readonly failure: { readonly since: string; readonly reason: string } | null
  /** Since when results are stored, or cannot be; ISO 8601. */
  readonly since: string
}

/** Follows the attempts to store results. Logs once when they begin to fail, and once when they succeed again. */
interface HealthWatch {
  succeeded(): void
  failed(error: unknown): void
  /** Must be called regularly: an attempt without an outcome for `SLOW_MS` counts as a failure. */
  check(): void
  now(): StoreHealth
}

interface HealthWatchOptions {
  readonly now: () => Date
  readonly monotonic: () => number
  readonly log: Pick<Logger, 'info' | 'error'>
  /** The store's name. */
  readonly store: string
}

const SLOW_MS = 5_000

export function storeHealth({ now, monotonic, log, store }: HealthWatchOptions): HealthWatch {
  let failure: StoreHealth['failure'] = null
  let storedSince = now().toISOString()
  /** When the current attempt was first seen; undefined: there is none. */
  let tryingSince: number | undefined

  const fail = (reason: string): void => {
    if (failure !== null) return
    failure = { since: now().toISOString(), reason }
    log.error({ file: store, reason }, 'results cannot be stored; they stay in memory and storing is retried')
  }
  return {
    succeeded() {
      tryingSince = undefined
      if (failure === null) return
      log.info({ file: store, since: failure.since }, 'results are stored again')
      failure = null
      storedSince = now().toISOString()
    },
    failed(error) {
      tryingSince = undefined
      fail(error instanceof Error ? error.message : String(error))
    },
    check() {
      tryingSince ??= monotonic()
      if (monotonic() - tryingSince > SLOW_MS) fail(`${store} has not answered for ${SLOW_MS / 1_000} s`)
    },
    now: () => ({ failure, since: failure?.since ?? storedSince }),
  }
}
