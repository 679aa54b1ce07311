import type { Clock } from './clock-agreement.ts'
import type { OperationCounts } from './operation-counts.ts'

/** What one process counted and has not stored yet. */
export interface Portion {
  /** From 1, and one more for each portion that the process stores: by it a portion that is sent again counts once. */
  readonly number: number
  /** The day that it is stored under; `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly operations: readonly CountedOperation[]
  /** Set after a StateLost: it is stored whatever was stored before. `since`: when the results begin, if the store is empty. */
  readonly anew?: { readonly since: string }
}

export interface CountedOperation {
  readonly counts: OperationCounts
  /** Which of its classes do not count by the rules and the mapping, as places in `counts.classes`. */
  readonly excused: readonly number[]
}

/** Counts of one operation on one day. */
export interface KeptCounts {
  readonly day: string
  readonly counts: OperationCounts
}

/**
 * Where results of comparing are kept: counts, paths and kinds by operation and day, never a value. It may be slow, locked,
 * full or away: then it rejects with a StateError, and whoever calls tries again. One call at a time.
 */
export interface StateStore {
  /** What logs and messages call it. */
  readonly name: string
  /** Opens what is kept, and begins it at `now` where there is nothing. */
  open(now: Date): Promise<{ readonly since: string; readonly clock: Clock }>
  /** What follows in the order of operation and day, or comes first; undefined: there is no more. */
  read(after: KeptCounts | undefined): Promise<KeptCounts | undefined>
  /**
   * Adds a portion to what is kept, once however often it is sent, and remembers the clock; without either it only looks
   * whether what is kept is still there. What was removed is begun anew with all that it held, where that can still be read.
   * @throws StateLost when what this process stored before is gone; then a portion with `anew` is to follow.
   */
  keep(what: { readonly portion?: Portion | undefined; readonly clock?: Clock | undefined }): Promise<Whereabouts>
  /** Lets go of the days before this one. */
  forgetBefore(day: string): Promise<void>
  /** Lets go of the store after `withinMs` at the latest. */
  close(withinMs: number): Promise<void>
}

/** Whether it is what was opened; `another`: somebody put another in its place, which is used from now on. */
export type Whereabouts = 'there' | 'begun anew' | 'another'

/** The store cannot be used. */
export class StateError extends Error {
  override readonly name: string = 'StateError'
  /** Another has it locked, which passes. */
  readonly isBusy: boolean

  constructor(message: string, isBusy: boolean, options?: ErrorOptions) {
    super(message, options)
    this.isBusy = isBusy
  }
}

/** The store works, and does not have what this process stored before. */
export class StateLost extends Error {
  override readonly name = 'StateLost'
  readonly isEmpty: boolean

  constructor(isEmpty: boolean) {
    super('what was stored before is gone')
    this.isEmpty = isEmpty
  }
}
