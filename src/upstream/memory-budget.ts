import { Growing } from './growing.ts'
import { UpstreamError } from './upstream-error.ts'

/** A holder of memory from the budget. `held` is in bytes. */
export interface Holder {
  held: number
  /** The client whose share of the budget it uses. Undefined: the gateway itself, which no client has to wait behind. */
  share?: string | undefined
  /** Holds memory for the kept bodies of the same call, and releases it when the call ends. */
  beside?: Holder
  /** Its work is over, so it takes no more. Only the budget writes it. */
  isOver?: boolean
}

/** What did not fit: a request or an answer, which was refused, or a comparison or recording, which was skipped. */
export type Refused = 'request' | 'answer' | 'comparison' | 'recording'

interface Waiter {
  readonly holder: Holder
  readonly bytes: number
  readonly done: (refusal: UpstreamError | undefined) => void
}

/** Requests for up to this much skip the queue, because ordinary calls need no more. */
export const SMALL_BYTES = 64 * 1024

/**
 * The fractions of the budget that comparing and recording leave to calls, large bodies to small ones, and answers of unknown length to
 * the eldest of them and to all others.
 */
const FOR_CALLS = 1 / 2
const FOR_SMALL = 1 / 8
const FOR_ELDEST = 1 / 2

/**
 * A memory budget that request bodies, answers, comparisons and recordings share. Calls that do not fit wait, each client's in
 * a queue of its own. Free room goes to the client that holds least. Comparing and recording do not wait, and use no more than
 * half of the budget. Every holder must release all it holds in the end; that of a call or a comparison by `end`.
 */
export class MemoryBudget {
  /** In bytes. */
  readonly limit: number
  readonly refused: Record<Refused, number> = { request: 0, answer: 0, comparison: 0, recording: 0 }
  #used = 0
  /** The part of `#used` that waiting holders have. */
  #heldByWaiting = 0
  /** How many times each waiting holder is in the queue. */
  readonly #waitsByHolder = new Map<Holder, number>()
  /** All waiters, in order. */
  readonly #waiting = new Set<Waiter>()
  /** The waiters of each client, in order. */
  readonly #lines = new Map<string | undefined, Set<Waiter>>()
  /** What each client holds, in bytes; clients that hold nothing have no entry. */
  readonly #heldBy = new Map<string, { bytes: number }>()

  readonly #growing: Growing

  /** The most that large bodies may hold, in bytes. */
  readonly forLarge: number

  constructor(limit: number) {
    this.limit = limit
    this.forLarge = Math.floor(limit * (1 - FOR_SMALL))
    this.#growing = new Growing(this.forLarge * (1 - FOR_ELDEST))
  }

  get used(): number {
    return this.#used
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Takes room at once. Returns false, and takes nothing, if there is no room. */
  hold(holder: Holder, bytes: number): boolean {
    if (!this.#fits(holder, bytes)) return false
    if (bytes > SMALL_BYTES && this.#waiting.size > 0) return false
    this.#add(holder, bytes)
    return true
  }

  /** Takes room even if there is none, for data that exists already and can no longer be refused. */
  holdAnyway(holder: Holder, bytes: number): void {
    this.#add(holder, bytes)
  }

  /**
   * Takes room for work that gives way to calls. Returns false, and counts it, if the work must be skipped.
   * @param what undefined: a skip does not matter, and is not counted.
   */
  holdBeside(holder: Holder, bytes: number, what: 'comparison' | 'recording' | undefined): boolean {
    const fits = this.#waiting.size === 0 && this.#used + bytes <= this.limit * FOR_CALLS
    if (fits) this.holdAnyway(holder, bytes)
    else if (what !== undefined) this.refused[what]++
    return fits
  }

  /** Releases `bytes`, but no more than the holder has; left out: all of that. */
  letGo(holder: Holder, bytes = holder.held): void {
    this.#add(holder, -Math.min(bytes, holder.held))
    if (this.#waiting.size > 0) this.#admitWaiting()
  }

  /**
   * Releases all that the holder has, for good: what still arrives for it, such as a page that nobody wants any more, takes no
   * room, because nobody would release it.
   */
  end(holder: Holder): void {
    holder.isOver = true
    this.#growing.remove(holder)
    if (this.#waitsByHolder.has(holder)) this.#dismiss(holder)
    this.letGo(holder)
  }

  /** An answer of unknown length begins to arrive, which takes room step by step. Must be followed by `endGrowing`. */
  beginGrowing(holder: Holder): void {
    if (holder.isOver !== true) this.#growing.begin(holder)
  }

  /** The answer is complete, or given up. */
  endGrowing(holder: Holder): void {
    this.#growing.end(holder)
    if (this.#waiting.size > 0) this.#admitSoon()
  }

  /** Changes what the holder holds to `bytes`. */
  settle(holder: Holder, bytes: number): void {
    this.letGo(holder, holder.held - bytes)
  }

  /**
   * Waits in the client's queue for room. Calls `done` once, later: with undefined if the room has been taken, or with the
   * reason if it never will be.
   * @returns a function that cancels the wait, after which `done` is not called.
   */
  holdLater(holder: Holder, bytes: number, done: Waiter['done']): () => void {
    const waiter: Waiter = { holder, bytes, done }
    this.#waiting.add(waiter)
    const line = this.#lines.get(holder.share)
    if (line === undefined) this.#lines.set(holder.share, new Set([waiter]))
    else line.add(waiter)
    const waits = this.#waitsByHolder.get(holder) ?? 0
    if (waits === 0) this.#heldByWaiting += holder.held
    this.#waitsByHolder.set(holder, waits + 1)
    this.#admitSoon()
    return () => {
      if (this.#removeWaiter(waiter)) this.#admitSoon()
    }
  }

  /** Takes room at once or within `withinMs`. Otherwise rejects with an UpstreamError `overloaded`, and counts it. */
  async holdWithin(holder: Holder, bytes: number, what: 'request' | 'answer', withinMs: number): Promise<void> {
    if (this.hold(holder, bytes)) return
    const refusal = await new Promise<UpstreamError | undefined>((resolve) => {
      const cancel = this.holdLater(holder, bytes, (result) => {
        clearTimeout(timeout)
        resolve(result)
      })
      const timeout = setTimeout(() => {
        cancel()
        resolve(noRoom(bytes))
      }, withinMs)
    })
    if (refusal === undefined) return
    this.refused[what]++
    throw refusal
  }

  #add(holder: Holder, bytes: number): void {
    if (bytes === 0 || (holder.isOver === true && bytes > 0)) return
    this.#used += bytes
    holder.held += bytes
    this.#growing.add(holder, bytes)
    if (holder.share !== undefined) {
      const held = this.#heldBy.get(holder.share)
      if (held === undefined) this.#heldBy.set(holder.share, { bytes })
      else if (held.bytes === -bytes) this.#heldBy.delete(holder.share)
      else held.bytes += bytes
    }
    if (this.#waitsByHolder.size > 0 && this.#waitsByHolder.has(holder)) this.#heldByWaiting += bytes
  }

  /** Returns the waiter that is next: the eldest of those with answers of unknown length, or the first one of the client that holds least. */
  #next(): Waiter | undefined {
    const { eldest } = this.#growing
    if (eldest !== undefined && this.#waitsByHolder.has(eldest)) {
      for (const waiter of this.#waiting) if (waiter.holder === eldest) return waiter
    }
    let next: Set<Waiter> | undefined
    let least = Number.POSITIVE_INFINITY
    for (const [share, line] of this.#lines) {
      const held = share === undefined ? 0 : (this.#heldBy.get(share)?.bytes ?? 0)
      if (held >= least) continue
      least = held
      next = line
    }
    return next?.values().next().value
  }

  #keptOfWaiting(): number {
    let kept = 0
    for (const { beside } of this.#waitsByHolder.keys()) kept += beside?.held ?? 0
    return kept
  }

  #fits(holder: Holder, bytes: number): boolean {
    if (this.#used + bytes > this.forLarge && !this.#fitsAsSmall(bytes)) return false
    return this.#growing.mayTake(holder, bytes)
  }

  #fitsAsSmall(bytes: number): boolean {
    return bytes <= SMALL_BYTES && this.#used + bytes <= this.limit
  }

  /** Removes a waiter from the queue. Returns false if it is no longer there. */
  #removeWaiter(waiter: Waiter): boolean {
    if (!this.#waiting.delete(waiter)) return false
    const { share } = waiter.holder
    const line = this.#lines.get(share)
    line?.delete(waiter)
    if (line?.size === 0) this.#lines.delete(share)
    const waits = (this.#waitsByHolder.get(waiter.holder) ?? 0) - 1
    if (waits > 0) this.#waitsByHolder.set(waiter.holder, waits)
    else {
      this.#waitsByHolder.delete(waiter.holder)
      this.#heldByWaiting -= waiter.holder.held
    }
    return true
  }

  /** Ends the waits of a holder, as if it had got its room. */
  #dismiss(holder: Holder): void {
    for (const waiter of this.#waiting) {
      if (waiter.holder === holder && this.#removeWaiter(waiter)) waiter.done(undefined)
    }
  }

  /** Not at once, because the parser of one answer must not be resumed while that of another is running. */
  #admitSoon(): void {
    queueMicrotask(() => this.#admitWaiting())
  }

  /** Gives room to one waiter after the other, until the next one does not fit. */
  #admitWaiting(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { holder, bytes, done } = next
      const canEver = holder.held + bytes <= this.forLarge
      if (canEver && !this.#fits(holder, bytes)) break
      this.#removeWaiter(next)
      if (canEver) this.holdAnyway(holder, bytes)
      done(canEver ? undefined : noRoom(bytes))
    }
    // If waiting holders hold all that is in use, they would wait for each other forever. The last one gives way.
    if (this.#waiting.size === 0 || this.#used > this.#heldByWaiting + this.#keptOfWaiting()) return
    const last = [...this.#waiting].findLast(({ holder }) => holder.held > 0)
    if (last !== undefined && this.#removeWaiter(last)) last.done(noRoom(last.bytes))
  }
}

export const noRoom = (bytes: number): UpstreamError =>
  new UpstreamError('overloaded', `no room for ${bytes} more bytes: MEMORY_MB is used up`)
