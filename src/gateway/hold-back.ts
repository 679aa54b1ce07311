import { Bag } from '../http/bag.ts'
import type { Caller } from '../upstream/caller.ts'

/** Delays refusals. */
export interface HeldBack {
  /**
   * Resolves when the refusal of a call may be sent, or its caller hangs up. Undefined: the refusal is not delayed,
   * because the call has waited long enough, its caller is gone, too many refusals are delayed, or they have been
   * released.
   * @param since when the call arrived, in ms of `performance.now()`.
   */
  holdBack(since: number, caller: Caller | undefined): Promise<void> | undefined
  /** Ends all delays at once, and delays no more refusals. */
  release(): void
}

/** From the call's arrival to its refusal. */
const MIN_DELAY_MS = 500
const MAX_DELAY_MS = 1_500
/** Timers of equal duration cost almost nothing, however many there are. */
const STEP_MS = 20
/** How many refusals are delayed, at a few KB each. Others are sent at once. */
const MAX_HELD = 16_384
/** How many refusals are released in one turn of the event loop, which takes some ms. */
const BATCH = 128

/**
 * Delays refusals by a random time. A client that is told to come back later often comes back at once, so immediate
 * refusals would keep the gateway busy with nothing else. A delayed refusal comes when the client would have waited
 * about as long anyway, and not together with all others.
 */
export function heldBack(random: () => number): HeldBack {
  const held = new Bag<() => void>()
  let isReleased = false
  return {
    holdBack(since, caller) {
      const steps = Math.floor((random() * (MAX_DELAY_MS - MIN_DELAY_MS)) / STEP_MS)
      const left = since + MIN_DELAY_MS + steps * STEP_MS - performance.now()
      if (left <= 0 || isReleased || held.size >= MAX_HELD || caller?.gone !== undefined) return undefined
      return new Promise((resolve) => {
        const answer = (): void => {
          clearTimeout(timer)
          stopListening?.()
          remove()
          resolve()
        }
        const remove = held.add(answer)
        const timer = setTimeout(answer, Math.ceil(left / STEP_MS) * STEP_MS)
        const stopListening = caller?.onGone(answer)
      })
    },
    release,
  }

  function release(): void {
    isReleased = true
    for (const answer of [...held].slice(0, BATCH)) answer()
    if (held.size > 0) setImmediate(release)
  }
}
