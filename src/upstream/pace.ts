import type { Slot } from './slots.ts'

/** Spreads the starts of waiting calls over time after a burst. */
export interface Pace {
  /** Passes a free slot on, now or soon. */
  add(slot: Slot): void
}

export interface PaceOptions {
  /** How many calls run at a time. */
  readonly limit: number
  /** Whether calls wait. While none does, slots are passed on at once. */
  readonly anyWaiting: () => boolean
  readonly pass: (slot: Slot) => void
}

/** All slots together are passed on over this part of the time that a call takes, at most over `MOST_MS`, and at once below `LEAST_MS`. */
const PART = 1 / 2
const MOST_MS = 50
/** With 128 slots, calls that take less than twice this time come so fast that the event loop is busy all the time anyway. */
const LEAST_MS = 20
/** Timers are no finer; ms. */
const TICK_MS = 1

/**
 * Opens a pace for the slots that are freed while calls wait. Calls that begin together at a service that always takes the same time
 * end together, so without a pace all slots are freed at once, again and again. Each such burst delays everyone else by the time that
 * it takes to handle all of its answers (docs/decisions/0094).
 *
 * It costs no capacity: calls may begin twice as fast as they end.
 */
export function openPace({ limit, anyWaiting, pass }: PaceOptions): Pace {
  /** In order. */
  const free: Slot[] = []
  /** When the first of them is due; `performance.now()`. */
  let dueAt = 0
  let isTimed = false

  function passDue(): void {
    const now = performance.now()
    while (free.length > 0 && (dueAt <= now || !anyWaiting())) {
      pass(free.shift() as Slot)
      dueAt += gapBefore(free[0])
    }
    if (free.length === 0 || isTimed) return
    isTimed = true
    setTimeout(onTimer, TICK_MS)
  }

  function onTimer(): void {
    isTimed = false
    passDue()
  }

  /** Returns the time between the slot and the one before it. */
  function gapBefore(slot: Slot | undefined): number {
    const spread = slot === undefined ? 0 : slot.tookMs * PART
    return spread < LEAST_MS ? 0 : Math.min(spread, MOST_MS) / limit
  }

  return {
    add(slot) {
      // The time in which no slot was free is not made up for.
      if (free.push(slot) === 1) dueAt = Math.max(dueAt + gapBefore(slot), performance.now())
      passDue()
    },
  }
}
