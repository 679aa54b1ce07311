import { UpstreamError } from './upstream-error.ts'

/** Whatever holds memory of the budget, and how much of it, in bytes. */
export interface Holder {
  held: number
}

/** What did not fit: a request that was refused, an answer that was, or something beside the calls that was left out. */
export type Refused = 'request' | 'answer' | 'comparison' | 'recording'

interface Waiter {
  readonly holder: Holder
  readonly bytes: number
  readonly done: (refusal: UpstreamError | undefined) => void
}

/** What is less than this goes ahead of those who wait: it is an ordinary call's. */
export const SMALL_BYTES = 64 * 1024

/** Of the budget, what comparing and recording leave to the calls, and what large things leave to small ones. */
const FOR_CALLS = 1 / 2
const FOR_SMALL = 1 / 8

/**
 * What bodies, answers, comparisons and recordings hold together. Calls that do not fit wait in line; what is beside the calls
 * does not wait, and takes no more than half. Whoever holds something lets go of all of it in the end.
 */
export class MemoryBudget {
  /** In bytes. */
  readonly limit: number
  readonly refused: Record<Refused, number> = { request: 0, answer: 0, comparison: 0, recording: 0 }
  #used = 0
  /** Of it, what those hold who wait for more; and how many things each of them waits for. */
  #heldByWaiting = 0
  readonly #wishes = new Map<Holder, number>()
  readonly #waiting: Waiter[] = []

  /** What large things hold at most. */
  readonly forLarge: number

  constructor(limit: number) {
    this.limit = limit
    this.forLarge = Math.floor(limit * (1 - FOR_SMALL))
  }

  get used(): number {
    return this.#used
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Takes room at once. False: there is none, and nothing was taken. */
  hold(holder: Holder, bytes: number): boolean {
    if (this.#used + bytes > this.forLarge && !this.#fitsAsSmall(bytes)) return false
    if (bytes > SMALL_BYTES && this.#waiting.length > 0) return false
    this.#add(holder, bytes)
    return true
  }

  /** Takes room also where there is none, for what is there already and cannot be refused any more. */
  holdAnyway(holder: Holder, bytes: number): void {
    this.#add(holder, bytes)
  }

  /** Takes room for what gives way to calls; false: it is to be left out, which is counted. */
  holdBeside(holder: Holder, bytes: number, what: 'comparison' | 'recording'): boolean {
    const fits = this.#waiting.length === 0 && this.#used + bytes <= this.limit * FOR_CALLS
    if (fits) this.holdAnyway(holder, bytes)
    else this.refused[what]++
    return fits
  }

  /** Lets go of so many bytes, or of all. */
  letGo(holder: Holder, bytes = holder.held): void {
    this.#add(holder, -bytes)
    if (this.#waiting.length > 0) this.#settle()
  }

  /** From now on the holder has so much, whatever it had. */
  settle(holder: Holder, bytes: number): void {
    this.letGo(holder, holder.held - bytes)
  }

  /**
   * Waits in line for room. `done` is told once, later, that it is there and has been taken; or why it will not be.
   * @returns takes the wish back, after which nothing is told.
   */
  holdLater(holder: Holder, bytes: number, done: Waiter['done']): () => void {
    const waiter: Waiter = { holder, bytes, done }
    this.#waiting.push(waiter)
    const wishes = this.#wishes.get(holder) ?? 0
    if (wishes === 0) this.#heldByWaiting += holder.held
    this.#wishes.set(holder, wishes + 1)
    queueMicrotask(() => this.#settle())
    return () => {
      if (this.#leaves(waiter)) this.#settle()
    }
  }

  /** `hold`, or `holdLater` for `withinMs` at most. Rejects with an UpstreamError, `overloaded`, which is counted. */
  async holdWithin(holder: Holder, bytes: number, what: 'request' | 'answer', withinMs: number): Promise<void> {
    if (this.hold(holder, bytes)) return
    const refusal = await new Promise<UpstreamError | undefined>((resolve) => {
      const giveUp = this.holdLater(holder, bytes, (told) => {
        clearTimeout(impatience)
        resolve(told)
      })
      const impatience = setTimeout(() => {
        giveUp()
        resolve(noRoom(bytes))
      }, withinMs)
    })
    if (refusal === undefined) return
    this.refused[what]++
    throw refusal
  }

  #add(holder: Holder, bytes: number): void {
    this.#used += bytes
    holder.held += bytes
    if (this.#wishes.size > 0 && this.#wishes.has(holder)) this.#heldByWaiting += bytes
  }

  #fitsAsSmall(bytes: number): boolean {
    return bytes <= SMALL_BYTES && this.#used + bytes <= this.limit
  }

  #leaves(waiter: Waiter): boolean {
    const at = this.#waiting.indexOf(waiter)
    if (at === -1) return false
    this.#waiting.splice(at, 1)
    const wishes = (this.#wishes.get(waiter.holder) ?? 0) - 1
    if (wishes > 0) this.#wishes.set(waiter.holder, wishes)
    else {
      this.#wishes.delete(waiter.holder)
      this.#heldByWaiting -= waiter.holder.held
    }
    return true
  }

  /** Lets in whoever fits, first come first served. */
  #settle(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const { holder, bytes, done } = first
      const canEver = holder.held + bytes <= this.forLarge
      if (canEver && this.#used + bytes > this.forLarge && !this.#fitsAsSmall(bytes)) break
      this.#leaves(first)
      if (canEver) this.holdAnyway(holder, bytes)
      done(canEver ? undefined : noRoom(bytes))
    }
    // All that is held is held by those who wait: they would wait for one another for ever. The last one gives way.
    if (this.#waiting.length === 0 || this.#used > this.#heldByWaiting) return
    const last = this.#waiting.findLast(({ holder }) => holder.held > 0)
    if (last !== undefined && this.#leaves(last)) last.done(noRoom(last.bytes))
  }
}

export const noRoom = (bytes: number): UpstreamError =>
  new UpstreamError('overloaded', `no room for ${bytes} bytes more: MEMORY_MB is in use`)
