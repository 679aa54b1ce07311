import type { Line, Waiter } from '../queue/line.ts'
import type { Caller } from './caller.ts'
import type { Slot } from './slots.ts'

export interface WaitingOptions {
  readonly caller: Caller | undefined
  /** The longest wait, in ms. */
  readonly limitMs: number
  /** The reason if the wait is longer than that, or too many wait. */
  readonly refusal: Error
}

/**
 * A call that waits for a slot. Thousands may wait at a time, and a garbage collection copies those that are new. So it is one object
 * with one function of its own.
 */
export class WaitingCall implements Waiter<Slot> {
  since = 0
  older: Waiter<Slot> | undefined = undefined
  newer: Waiter<Slot> | undefined = undefined
  /** Rejects with the refusal, or with the caller's reason if the caller disconnects. */
  readonly slot: Promise<Slot>
  readonly #line: Line<Slot>
  readonly #caller: Caller | undefined
  readonly #refusal: Error
  readonly #timeout: NodeJS.Timeout
  readonly #resolve: (slot: Slot) => void
  readonly #reject: (reason: Error) => void

  /** The caller must add it to the line. */
  constructor(line: Line<Slot>, { caller, limitMs, refusal }: WaitingOptions) {
    const { promise, resolve, reject } = Promise.withResolvers<Slot>()
    this.slot = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#line = line
    this.#caller = caller
    this.#refusal = refusal
    this.#timeout = setTimeout(this.#leave, limitMs, refusal)
    caller?.onGone(this.#leave)
    caller?.waits(true)
  }

  get isOverloaded(): boolean {
    return this.#caller?.isOverloaded ?? false
  }

  begin(slot: Slot): void {
    this.#stopWaiting()
    this.#resolve(slot)
  }

  turnAway(): void {
    this.#leave(this.#refusal)
  }

  readonly #leave = (reason: Error): void => {
    this.#line.remove(this)
    this.#stopWaiting()
    this.#reject(reason)
  }

  #stopWaiting(): void {
    clearTimeout(this.#timeout)
    this.#caller?.offGone(this.#leave)
    this.#caller?.waits(false)
  }
}
