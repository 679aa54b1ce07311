import { UpstreamError } from './upstream-error.ts'

/** The parts of the budget. */
export type MemoryPart = 'request' | 'answer'

/** What a call, a page or a comparison holds of each part, in bytes. Only the budget changes it. */
export class Holder implements Record<MemoryPart, number> {
  request = 0
  answer = 0
  /** Its work is over, so it takes no more. */
  isOver = false
}

/** The memory account of the answers of one call. */
export interface Account {
  readonly memory: MemoryBudget
  readonly holder: Holder
  /** Whether to take room even if there is none, because the call has had its effect and can no longer be refused. */
  readonly mayExceed: boolean
}

/** What did not fit: a request or an answer, which was refused, or a comparison or recording, which was skipped. */
export type Refused = MemoryPart | 'comparison' | 'recording'

/** Room for an answer, as a multiple of its length: the answer and its translation, which is a little longer. */
export const ANSWER_FACTOR = 2.25

/** Requests for up to this much skip the queue, because ordinary calls need no more. Answers of up to this length are not counted. */
export const SMALL_BYTES = 64 * 1024

/** The longest wait for room; ms. */
const MAX_WAIT_MS = 5_000
const LOOK_MS = 50

/** The fraction of the budget for requests; the rest is for answers. A call that waits for its answer holds the room of its request. */
const FOR_REQUESTS = 1 / 3
/** The fraction of each part that large bodies leave to small ones. */
const FOR_SMALL = 1 / 8
/** The fraction of the budget that comparing and recording may use, from the part of the answers. */
const BESIDE_CALLS = 1 / 2

interface Waiter {
  readonly holder: Holder
  readonly bytes: number
  readonly timeout: NodeJS.Timeout
  readonly begin: () => void
}

/**
 * A memory budget with two parts: one for the bodies of requests, one for answers, comparisons and recordings. What does not fit
 * into its part waits for at most five seconds, first come, first served. Comparing and recording do not wait, and use no more than half of
 * the budget. Every holder must release what it holds by `end`.
 */
export class MemoryBudget {
  /** In bytes. */
  readonly limit: number
  readonly refused: Record<Refused, number> = { request: 0, answer: 0, comparison: 0, recording: 0 }
  readonly #parts: Readonly<Record<MemoryPart, Part>>
  /** What the answers hold, for those who work beside the calls. */
  readonly shared = new SharedUse()

  constructor(limit: number) {
    const forRequests = Math.floor(limit * FOR_REQUESTS)
    this.limit = limit
    this.#parts = {
      request: new Part('request', forRequests, new SharedUse()),
      answer: new Part('answer', limit - forRequests, this.shared),
    }
  }

  get used(): number {
    return this.#parts.request.used + this.#parts.answer.used + this.shared.beside
  }

  /** How many bodies and answers wait. */
  get waiting(): number {
    return this.#parts.request.waiting + this.#parts.answer.waiting
  }

  /** The most that one holder can get of a part; bytes. */
  most(part: MemoryPart): number {
    return this.#parts[part].forLarge
  }

  /** Takes room at once. Returns false, and takes nothing, if there is no room. */
  hold(holder: Holder, part: MemoryPart, bytes: number): boolean {
    return this.#parts[part].take(holder, bytes)
  }

  /** Takes room at once or within five seconds. Otherwise rejects with an UpstreamError `overloaded`, and counts it. */
  async holdSoon(holder: Holder, part: MemoryPart, bytes: number): Promise<void> {
    if (this.#parts[part].take(holder, bytes)) return
    if (await this.#parts[part].wait(holder, bytes)) return
    throw this.refuse(part, bytes)
  }

  /** Takes room for an answer even if there is none, for data that exists already and can no longer be refused. */
  holdAnyway(holder: Holder, bytes: number): void {
    this.#parts.answer.add(holder, bytes)
  }

  /**
   * Takes room for work that gives way to calls. Returns false, and counts it, if the work must be skipped.
   * @param what undefined: a skip does not matter, and is not counted.
   */
  holdBeside(holder: Holder, bytes: number, what: 'comparison' | 'recording' | undefined): boolean {
    const fits = this.shared.hasRoomBeside(this.limit, bytes)
    if (fits) this.#parts.answer.add(holder, bytes)
    else if (what !== undefined) this.refused[what]++
    return fits
  }

  /** Releases `bytes`, but no more than the holder has. */
  letGo(holder: Holder, part: MemoryPart, bytes: number): void {
    this.#parts[part].letGo(holder, bytes)
  }

  /** Releases all that the holder has, except `bytes` for an answer that is being written. */
  settle(holder: Holder, bytes: number): void {
    this.#parts.request.letGo(holder, holder.request)
    this.#parts.answer.letGo(holder, holder.answer - bytes)
  }

  /**
   * Releases all that the holder has, for good: what still arrives for it, such as a page that nobody wants any more, takes no
   * room, because nobody would release it.
   */
  end(holder: Holder): void {
    holder.isOver = true
    this.settle(holder, 0)
  }

  /** Counts a refusal, and returns its error. */
  refuse(part: MemoryPart, bytes: number): UpstreamError {
    this.refused[part]++
    return new UpstreamError('overloaded', `no room for ${bytes} more bytes: MEMORY_MB is used up`)
  }
}

/**
 * What is held of the part of the answers, in memory that two threads share: the data plane writes what calls hold, the control plane
 * what comparing and recording hold.
 */
export class SharedUse {
  readonly buffer: SharedArrayBuffer
  readonly #numbers: Float64Array

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(3 * Float64Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer
    this.#numbers = new Float64Array(buffer)
  }

  /** What calls hold; bytes. */
  get used(): number {
    return this.#numbers[0] as number
  }
  set used(bytes: number) {
    this.#numbers[0] = bytes
  }

  /** How many answers wait for room. */
  get waiting(): number {
    return this.#numbers[1] as number
  }
  set waiting(count: number) {
    this.#numbers[1] = count
  }

  /** What is held beside the calls, in the control plane; bytes. */
  get beside(): number {
    return this.#numbers[2] as number
  }
  set beside(bytes: number) {
    this.#numbers[2] = bytes
  }

  /** Whether work beside the calls may hold so much more. */
  hasRoomBeside(limit: number, bytes: number): boolean {
    return this.waiting === 0 && this.used + this.beside + bytes <= limit * BESIDE_CALLS
  }
}

/** The memory of what the control plane compares and records: room that calls do not need, no more than half of the budget. */
export class MemoryBeside {
  /** How often there was no room, by purpose. */
  readonly refused = { comparison: 0, recording: 0 }
  readonly #limit: number
  readonly #shared: SharedUse

  /** @param limit of the budget; bytes. */
  constructor(limit: number, shared: SharedUse) {
    this.#limit = limit
    this.#shared = shared
  }

  /** Takes room. Returns false, and counts it, if there is none. */
  hold(bytes: number, what: 'comparison' | 'recording'): boolean {
    const fits = this.#shared.hasRoomBeside(this.#limit, bytes)
    if (fits) this.#shared.beside += bytes
    else this.refused[what]++
    return fits
  }

  release(bytes: number): void {
    this.#shared.beside -= bytes
  }
}

class Part {
  /** The most that large bodies may hold; bytes. */
  readonly forLarge: number
  readonly #name: MemoryPart
  readonly #limit: number
  readonly #shared: SharedUse
  readonly #waiting: Waiter[] = []
  /** Runs while someone waits: the control plane says nothing when it releases memory. */
  #looking: NodeJS.Timeout | undefined

  constructor(name: MemoryPart, limit: number, shared: SharedUse) {
    this.#name = name
    this.#limit = limit
    this.#shared = shared
    this.forLarge = Math.floor(limit * (1 - FOR_SMALL))
  }

  get used(): number {
    return this.#shared.used
  }

  get waiting(): number {
    return this.#waiting.length
  }

  take(holder: Holder, bytes: number): boolean {
    if (!this.#fits(bytes) || (bytes > SMALL_BYTES && this.#waiting.length > 0)) return false
    this.add(holder, bytes)
    return true
  }

  add(holder: Holder, bytes: number): void {
    if (holder.isOver) return
    this.#shared.used += bytes
    holder[this.#name] += bytes
  }

  letGo(holder: Holder, bytes: number): void {
    const released = Math.min(bytes, holder[this.#name])
    this.#shared.used -= released
    holder[this.#name] -= released
    this.#admitWaiting()
  }

  /** Resolves with whether room has been taken in time. A holder whose work is over has all that it needs. */
  wait(holder: Holder, bytes: number): Promise<boolean> {
    if (holder[this.#name] + bytes > this.forLarge) return Promise.resolve(false)
    return new Promise((resolve) => {
      const timeout = setTimeout(() => {
        // All wait equally long, so it is the first.
        this.#waiting.shift()
        resolve(false)
        this.#admitWaiting()
      }, MAX_WAIT_MS)
      this.#waiting.push({ holder, bytes, timeout, begin: () => resolve(true) })
      this.#shared.waiting = this.#waiting.length
      this.#looking ??= setInterval(() => this.#admitWaiting(), LOOK_MS)
    })
  }

  #fits(bytes: number): boolean {
    const all = this.#shared.used + this.#shared.beside + bytes
    return all <= (bytes <= SMALL_BYTES ? this.#limit : this.forLarge)
  }

  /** Gives room to one waiter after the other, until the next one does not fit. */
  #admitWaiting(): void {
    if (this.#looking === undefined) return
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (!next.holder.isOver && !this.#fits(next.bytes)) break
      this.#waiting.shift()
      clearTimeout(next.timeout)
      this.add(next.holder, next.bytes)
      next.begin()
    }
    this.#shared.waiting = this.#waiting.length
    if (this.#waiting.length > 0) return
    clearInterval(this.#looking)
    this.#looking = undefined
  }
}
