import type { Dispatcher } from 'undici'
import { type Holder, type MemoryBudget, noRoom, SMALL_BYTES } from './memory-budget.ts'
import type { UpstreamError } from './upstream-error.ts'

/** The memory account of one call. */
export interface Account {
  readonly memory: MemoryBudget
  readonly holder: Holder
  /** Whether to take room even if the budget has none, because the call has had its effect and can no longer be refused. */
  readonly mayExceed: boolean
}

/** Room for an answer, as a multiple of its length: the answer and its translation, which is a little longer. */
export const ANSWER_FACTOR = 2.25

/** Takes room for one answer while it is received. Pauses reading from the service while the budget has no room. */
export class AnswerRoom {
  readonly #account: Account
  readonly #refuse: (refusal: UpstreamError) => void
  /** The length that the room taken so far is enough for. */
  #enoughFor = SMALL_BYTES
  #isGrowing = false
  /** Ends the wait for room. Undefined while nothing waits. */
  #cancelWait: (() => void) | undefined

  constructor(account: Account, refuse: (refusal: UpstreamError) => void) {
    this.#account = account
    this.#refuse = refuse
  }

  get isWaiting(): boolean {
    return this.#cancelWait !== undefined
  }

  /**
   * Takes room for an answer of `length` bytes: its announced length if `isAll`, otherwise the length received so far,
   * which may still grow.
   */
  need(controller: Dispatcher.DispatchController, length: number, isAll: boolean): void {
    // Bytes that were under way when reading was paused still arrive.
    if (length <= this.#enoughFor || this.#cancelWait !== undefined) return
    const { memory, holder, mayExceed } = this.#account
    const before = this.#enoughFor === SMALL_BYTES ? 0 : this.#enoughFor
    this.#enoughFor = isAll ? length : length * 2
    const bytes = (this.#enoughFor - before) * ANSWER_FACTOR
    if (!isAll && !mayExceed && !this.#isGrowing) {
      this.#isGrowing = true
      memory.beginGrowing(holder)
    }
    if (mayExceed) memory.holdAnyway(holder, bytes)
    else if (!memory.hold(holder, bytes)) {
      controller.pause()
      this.#cancelWait = memory.holdLater(holder, bytes, (refusal) => {
        this.#cancelWait = undefined
        if (refusal === undefined) controller.resume()
        else this.#refused(refusal)
      })
    }
  }

  /** Counts a wait that took too long. Returns the error for it. */
  expire(): UpstreamError {
    this.#account.memory.refused.answer++
    return noRoom(this.#enoughFor * ANSWER_FACTOR)
  }

  /** Ends the wait, if any, because the answer is complete or given up. Room that was taken stays taken. */
  stopWaiting(): void {
    this.#cancelWait?.()
    this.#cancelWait = undefined
    if (this.#isGrowing) this.#account.memory.endGrowing(this.#account.holder)
    this.#isGrowing = false
  }

  #refused(refusal: UpstreamError): void {
    this.#account.memory.refused.answer++
    this.#refuse(refusal)
  }
}
