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
  /** Set after a StateLost: stores the portion whatever was stored before. `since`: when the results begin, if the store is empty. */
  readonly force?: { readonly since: string }
}

/** What is stored in one step. */
export interface ToKeep {
  readonly portion?: Portion | undefined
  readonly clock?: Clock | undefined
  readonly resets?: readonly Reset[] | undefined
}

/** The stored counts of one lineage of an operation. */
export interface KeptCounts {
  /** When they were last added to; `YYYY-MM-DD`, UTC. */
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
  /** Whether other processes add to it all the time, so that it must be read again to know of all results. */
  readonly isShared: boolean
  /** Opens the store; if it is empty, its results begin at `now`, or by its own clock if it is shared. */
  open(now: Date): Promise<{ readonly since: string; readonly clock: Clock }>
  /** Returns the next counts by operation and lineage, or the first ones; undefined: there are no more. */
  read(after: KeptCounts | undefined): Promise<KeptCounts | undefined>
  /**
   * Adds a portion and resets, once however often they are sent, and stores the clock. Without any of them it only checks that
   * the store is still there. A removed file is recreated with all that it held, if that can still be read.
   * @throws StateLost if what this process stored before is gone; the caller must then send a portion with `force`.
   */
  keep(what: ToKeep): Promise<StoreChange>
  /** Returns the latest resets of each operation. */
  resets(): Promise<readonly Reset[]>
  /** Calls back when another process may have made a decision. A store that is not shared never does. */
  onDecided?(listener: () => void): void
  /**
   * Deletes what was last added to before this day, except of each operation's newest lineage. A shared store deletes by its own
   * clock.
   */
  forgetBefore(day: string): Promise<void>
  /** Closes the store, within `withinMs` at the latest. */
  close(withinMs: number): Promise<void>
}

/** Whether the store is still the one that was opened. `replaced`: another file took its place and is used from now on. */
export type StoreChange = 'same' | 'recreated' | 'replaced'

/** Thrown when the store works but lacks what this process stored before. */
export class StateLost extends Error {
  override readonly name = 'StateLost'
  readonly isEmpty: boolean

  constructor(isEmpty: boolean) {
    super('what was stored before is gone')
    this.isEmpty = isEmpty
  }
}
