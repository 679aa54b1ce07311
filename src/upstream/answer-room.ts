import type { Dispatcher } from 'undici'
import { type Holder, type MemoryBudget, noRoom, SMALL_BYTES } from './memory-budget.ts'
import type { UpstreamError } from './upstream-error.ts'

/** Who makes a call, as far as memory is concerned. */
export interface Account {
  readonly memory: MemoryBudget
  readonly holder: Holder
  /** What has been done and cannot be refused any more takes room also where there is none. */
  readonly mayExceed: boolean
}

/** What an answer takes, as a multiple of its length: itself, and its translation, which is a little longer. */
export const ANSWER_FACTOR = 2.25

/** The room that one answer takes while it is received. While there is none the service is not read from. */
export class AnswerRoom {
  readonly #account: Account
  readonly #refuse: (refusal: UpstreamError) => void
  /** The length for which there is room. */
  #enoughFor = SMALL_BYTES
  #giveUp: (() => void) | undefined

  constructor(account: Account, refuse: (refusal: UpstreamError) => void) {
    this.#account = account
    this.#refuse = refuse
  }

  get isWaiting(): boolean {
    return this.#giveUp !== undefined
  }

  /** Makes room for an answer of this length, which is announced or has come; of the latter there may be more. */
  need(controller: Dispatcher.DispatchController, length: number, isAll: boolean): void {
    // What was under way when reading was paused comes all the same.
    if (length <= this.#enoughFor || this.#giveUp !== undefined) return
    const { memory, holder, mayExceed } = this.#account
    const before = this.#enoughFor === SMALL_BYTES ? 0 : this.#enoughFor
    this.#enoughFor = isAll ? length : length * 2
    const bytes = (this.#enoughFor - before) * ANSWER_FACTOR
    if (mayExceed) memory.holdAnyway(holder, bytes)
    else if (!memory.hold(holder, bytes)) {
      controller.pause()
      this.#giveUp = memory.holdLater(holder, bytes, (refusal) => {
        this.#giveUp = undefined
        if (refusal === undefined) controller.resume()
        else this.#refused(refusal)
      })
    }
  }

  /** It has waited for too long. */
  expire(): UpstreamError {
    this.#account.memory.refused.answer++
    return noRoom(this.#enoughFor * ANSWER_FACTOR)
  }

  /** Nothing more comes; what is held stays held. */
  over(): void {
    this.#giveUp?.()
    this.#giveUp = undefined
  }

  #refused(refusal: UpstreamError): void {
    this.#account.memory.refused.answer++
    this.#refuse(refusal)
  }
}
