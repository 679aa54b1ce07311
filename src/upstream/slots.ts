import { type Line, newLine } from '../queue/line.ts'
import type { Asking } from './asking.ts'
import type { Caller } from './caller.ts'
import { openPace } from './pace.ts'
import { WaitingCall } from './waiting-call.ts'

/** Limits how many calls run at a time. Other calls wait, each client's in a line of its own. */
export interface Slots {
  /** Takes a free slot. Undefined: all are taken, and the call must `wait`. */
  take(asker: Asker): Slot | undefined
  /**
   * Waits for a slot. A free slot goes to the client with the fewest calls under way, and within the client's line in
   * the order that `line.ts` describes. Rejects with `refusal` if the wait is too long. If too many calls wait, the
   * client with the most waiting calls loses its oldest. If the caller disconnects, rejects with the caller's reason.
   */
  wait(asker: Asker): Promise<Slot>
  /** Frees a slot, which goes to the next waiting call: now, or soon if many are freed at a time. */
  leave(slot: Slot): void
  /**
   * Frees the slot of a call that failed. The next call starts in a later turn, so that a service that goes down
   * fails no more calls in one turn than there are slots.
   */
  leaveFailed(slot: Slot): void
  readonly running: number
  readonly waiting: number
}

/** Who makes a call. */
export interface Asker {
  /**
   * The client whose share of the slots the call uses. Undefined: the gateway's own calls, which count as one client.
   */
  readonly share?: string | undefined
  /** Who waits for the answer. Undefined: no client, so none can disconnect. */
  readonly caller?: Caller | undefined
  /** A shorter limit for the wait; ms. */
  readonly timeoutMs?: number | undefined
  /** How long it may have waited elsewhere, which counts as part of the wait; ms. */
  readonly waitedMs?: number | undefined
  /** Notes when the service is really asked, and when it answers. Undefined: nobody needs to know. */
  readonly asking?: Asking | undefined
}

export interface SlotOptions {
  readonly limit: number
  /**
   * How many slots there are beyond the limit. Only clients with fewer calls under way than that use them, so that they
   * need not wait until one of many calls of another client ends.
   */
  readonly spare?: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
  /** One error for all refusals, because capturing a stack would cost more than the rest of a refusal. */
  readonly refusal: Error
}

/** Room for one call. Must be freed exactly once. */
export interface Slot {
  /** The client that has the slot; undefined while it is free. Only `openSlots` writes it. */
  share: string | undefined
  /** When the call that has it began; `performance.now()`. */
  since: number
  /** How long the last call took that left it to a waiting one; ms. */
  tookMs: number
}

export function openSlots({ limit, spare = 0, maxWaiting, maxWaitMs, refusal }: SlotOptions): Slots {
  const slots = Array.from({ length: limit + spare }, (): Slot => ({ share: undefined, since: 0, tookMs: 0 }))
  /** The free slots. While a call waits, only spare ones that its client may not use. */
  const idle = [...slots]
  /** The lines of clients with waiting calls, and only theirs. The client served last comes last. */
  const lines = new Map<string, Line<Slot>>()
  let waiting = 0
  const pace = openPace({ limit, anyWaiting: () => waiting > 0, pass })

  function leave(slot: Slot): void {
    const previous = slot.share === undefined ? undefined : lines.get(slot.share)
    if (previous !== undefined) previous.running--
    slot.share = undefined
    if (waiting === 0) idle.push(slot)
    else {
      slot.tookMs = performance.now() - slot.since
      pace.add(slot)
    }
  }

  function pass(slot: Slot): void {
    const line = nextLine()
    if (line === undefined || (idle.length < spare && line.running >= spare)) return void idle.push(slot)
    const { share } = line
    line.running++
    const waiter = line.next(performance.now())
    // Among clients with equally many calls under way, this one now comes last.
    if (line.length > 0 && lines.size > 1) {
      lines.delete(share)
      lines.set(share, line)
    }
    begin(slot, share)
    waiter.begin(slot)
  }

  function begin(slot: Slot, share: string): void {
    slot.share = share
    slot.since = performance.now()
  }

  /** Finds the line with the fewest calls under way. At most `limit` clients have any, so the search is short. */
  function nextLine(): Line<Slot> | undefined {
    let next: Line<Slot> | undefined
    for (const line of lines.values()) {
      if (next === undefined || line.running < next.running) next = line
      if (next.running === 0) break
    }
    return next
  }

  function onRemoved(line: Line<Slot>): void {
    waiting--
    if (line.length === 0) lines.delete(line.share)
  }

  function longestLine(): Line<Slot> | undefined {
    let longest: Line<Slot> | undefined
    for (const line of lines.values()) if (longest === undefined || line.length > longest.length) longest = line
    return longest
  }

  const runningOf = (share: string): number => slots.filter((slot) => slot.share === share).length

  function lineOf(share: string): Line<Slot> {
    const existing = lines.get(share)
    if (existing !== undefined) return existing
    const line = newLine<Slot>(share, runningOf(share), onRemoved)
    lines.set(share, line)
    return line
  }

  function wait({ share = '', caller, timeoutMs = maxWaitMs, waitedMs = 0 }: Asker): Promise<Slot> {
    if (caller?.gone !== undefined) return Promise.reject(caller.gone)
    const limitMs = Math.min(timeoutMs, maxWaitMs - waitedMs)
    if (limitMs <= 0) return Promise.reject(refusal)
    const line = lineOf(share)
    const call = new WaitingCall(line, { caller, limitMs, refusal })
    const now = performance.now()
    line.add(now, call)
    if (++waiting > maxWaiting) longestLine()?.cut(now)
    return call.slot
  }

  return {
    take({ share = '' }) {
      if (idle.length <= spare && runningOf(share) >= spare) return undefined
      const slot = idle.pop()
      if (slot !== undefined) begin(slot, share)
      return slot
    },
    wait,
    leave,
    leaveFailed(slot) {
      if (waiting === 0) leave(slot)
      else setImmediate(leave, slot)
    },
    get running() {
      return slots.length - idle.length
    },
    get waiting() {
      return waiting
    },
  }
}
