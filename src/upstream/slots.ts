import type { Caller } from './caller.ts'
import { type Line, newLine } from './line.ts'

/** Lets so many through at a time; others wait their turn, each client in a line of its own. */
export interface Slots {
  /** Takes a slot that is free now; undefined: all are taken, and the call must `wait`. */
  take(asker: Asker): Slot | undefined
  /**
   * Waits for a slot. One that becomes free goes to the client with the fewest calls under way, and within its line as `line.ts`
   * says. Rejects with `refusal` when the wait is too long; when too many wait, the client who has the most of them loses its
   * oldest. A caller who goes while it waits is rejected with why it went.
   */
  wait(asker: Asker): Promise<Slot>
  /** Hands a slot to the next who waits. */
  leave(slot: Slot): void
  /** The same for a call that failed: a service that goes down fails no more calls in one turn than there are slots. */
  leaveFailed(slot: Slot): void
  readonly running: number
  readonly waiting: number
}

/** Whose call it is. */
export interface Asker {
  /** Who shares the slots with others; calls without it are one client's, the gateway's own. */
  readonly share?: string | undefined
  /** Who waits; undefined: nobody who could go. */
  readonly caller?: Caller | undefined
  /** It waits no longer than this, either; ms. */
  readonly timeoutMs?: number | undefined
}

export interface SlotOptions {
  readonly limit: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
  /** One for all: a new one with its stack would cost more than the rest of a refusal. */
  readonly refusal: Error
}

/** There is one for each call that may be under way. Whoever takes it leaves it, once. */
export interface Slot {
  /** The client that has it; written by the slots alone. */
  share: string
}

export function openSlots({ limit, maxWaiting, maxWaitMs, refusal }: SlotOptions): Slots {
  const slots = Array.from({ length: limit }, (): Slot => ({ share: '' }))
  /** All of them while nobody calls. While anybody waits there is none. */
  const idle = [...slots]
  /** Of the clients who wait, and of no other: while nobody does, nothing is counted. Who was served last comes last. */
  const lines = new Map<string, Line<Slot>>()
  let waiting = 0

  function leave(slot: Slot): void {
    const before = lines.get(slot.share)
    if (before !== undefined) before.running--
    const line = nextLine()
    if (line === undefined) return void idle.push(slot)
    const { share } = line
    line.running++
    const waiter = line.next(performance.now())
    gone(line)
    // Of those with as many under way it comes last now.
    if (line.length > 0 && lines.size > 1) {
      lines.delete(share)
      lines.set(share, line)
    }
    waiter.begin(slot)
  }

  /** As many clients as there are slots can have one: the search ends soon, however many wait. */
  function nextLine(): Line<Slot> | undefined {
    let next: Line<Slot> | undefined
    for (const line of lines.values()) {
      if (next === undefined || line.running < next.running) next = line
      if (next.running === 0) break
    }
    return next
  }

  /** One who waited in a line does no more. */
  function gone(line: Line<Slot>): void {
    waiting--
    if (line.length === 0) lines.delete(line.share)
  }

  function longestLine(): Line<Slot> | undefined {
    let longest: Line<Slot> | undefined
    for (const line of lines.values()) if (longest === undefined || line.length > longest.length) longest = line
    return longest
  }

  function lineOf(share: string): Line<Slot> {
    const known = lines.get(share)
    if (known !== undefined) return known
    const line = newLine<Slot>(share, slots.filter((slot) => slot.share === share).length)
    lines.set(share, line)
    return line
  }

  function wait({ share = '', caller, timeoutMs = maxWaitMs }: Asker): Promise<Slot> {
    if (caller?.gone !== undefined) return Promise.reject(caller.gone)
    return new Promise((resolve, reject) => {
      const line = lineOf(share)
      const turnAway = (reason: Error): void => {
        line.remove(waiter)
        gone(line)
        over()
        reject(reason)
      }
      const impatience = setTimeout(turnAway, Math.min(timeoutMs, maxWaitMs), refusal)
      const forget = caller?.onGone(turnAway)
      const over = (): void => {
        clearTimeout(impatience)
        forget?.()
      }
      const now = performance.now()
      const waiter = line.add(now, {
        begin(slot) {
          over()
          slot.share = share
          resolve(slot)
        },
        turnAway: () => turnAway(refusal),
      })
      if (++waiting > maxWaiting) longestLine()?.cut(now)
    })
  }

  return {
    take({ share = '' }) {
      const slot = idle.pop()
      if (slot !== undefined) slot.share = share
      return slot
    },
    wait,
    leave,
    leaveFailed(slot) {
      if (waiting === 0) leave(slot)
      else setImmediate(leave, slot)
    },
    get running() {
      return limit - idle.length
    },
    get waiting() {
      return waiting
    },
  }
}
