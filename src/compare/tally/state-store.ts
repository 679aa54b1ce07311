import type { Logger } from 'pino'
import type { Clock } from './clock-agreement.ts'
import type { OperationCounts } from './operation-counts.ts'
import type { Reset } from './resets.ts'

/** Counts of one process that are not stored yet. */
export interface Portion {
  /** Counts up from 1 within a process, so that a portion sent twice is added once. */
  readonly number: number
  /** The day on which it is stored; `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly operations: readonly OperationCounts[]
  /** Set after a StateLost: stores the portion regardless of what was stored before. `since`: when the results begin, if the store is empty. */
  readonly force?: { readonly since: string }
}

/** Data that is stored in one step. */
export interface ToKeep {
  readonly portion?: Portion | undefined
  readonly clock?: Clock | undefined
  readonly resets?: readonly Reset[] | undefined
}

/** The stored counts of one lineage of an operation. */
export interface KeptCounts {
  /** The day on which counts were last added; `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly counts: OperationCounts
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
  /** Whether it stores counts. False: the tally of this process holds all there are, so `keep` gets none, and `read` is not called. */
  readonly holdsCounts: boolean
  /** Opens the store; if it is empty, its results begin at `now`, or by its own clock if it is shared. */
  open(now: Date): Promise<{ readonly since: string; readonly clock: Clock }>
  /** Returns the next counts by operation and lineage, or the first ones; undefined: there are no more. */
  read(after: KeptCounts | undefined): Promise<KeptCounts | undefined>
  /**
   * Adds a portion and resets, and stores the clock. A portion or reset that is sent again is added only once. Without any of them,
   * only checks that the store still exists. Recreates a removed file with its content, if that can still be read.
   * @throws StateLost if earlier results of this process are gone; the caller must then send a portion with `force`.
   */
  keep(what: ToKeep): Promise<StoreChange>
  /** Returns the latest resets of each operation. */
  resets(): Promise<readonly Reset[]>
  /** Calls `listener` when another process may have made a decision. A store that is not shared never does. */
  onDecided?(listener: () => void): void
  /**
   * Deletes results that were last added to before this day, except each operation's newest lineage. A shared store deletes by its
   * own clock.
   */
  forgetBefore(day: string): Promise<void>
  /** Closes the store, within `withinMs` at the latest. */
  close(withinMs: number): Promise<void>
}

/**
 * Whether the store is still the one that was opened. `added`: another process has added to a store that is not shared all the time.
 * `replaced`: another file is in its place and is used from now on.
 */
export type StoreChange = 'same' | 'added' | 'recreated' | 'replaced'

/** Thrown when the store works but lacks results that this process stored before. */
export class StateLost extends Error {
  override readonly name = 'StateLost'
  readonly isEmpty: boolean

  constructor(isEmpty: boolean) {
    super('what was stored before is gone')
    this.isEmpty = isEmpty
  }
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
