import { Bag } from '../http/bag.ts'
import type { Caller } from '../upstream/caller.ts'

/** Refusals that are told later. */
export interface HeldBack {
  /**
   * Resolves when the refusal of a call that came at `since` (ms of `performance.now()`) may be answered: at once when it has
   * waited long enough, or its caller goes.
   */
  holdBack(since: number, caller: Caller | undefined): Promise<void> | undefined
  /** Lets go of all, and from now on holds none back. */
  release(): void
}

/** From the call to its refusal; ms. */
const AT_LEAST_MS = 500
const AT_MOST_MS = 1_500
/** Timers that take equally long cost almost nothing, however many they are. */
const STEP_MS = 20
/** A few KB each. Others are answered at once. */
const MOST = 16_384
/** So many are let go of in one turn of the event loop: some ms. */
const AT_ONCE = 128

/**
 * A client that is told to come back later often comes back at once: refusing it at once would keep the gateway busy with nothing
 * else. So it hears of it when it would have waited about as long anyway, and not together with all others.
 */
export function heldBack(random: () => number): HeldBack {
  const held = new Bag<() => void>()
  let isReleased = false
  return {
    holdBack(since, caller) {
      const steps = Math.floor((random() * (AT_MOST_MS - AT_LEAST_MS)) / STEP_MS)
      const left = since + AT_LEAST_MS + steps * STEP_MS - performance.now()
      if (left <= 0 || isReleased || held.size >= MOST || caller?.gone !== undefined) return undefined
      return new Promise((resolve) => {
        const answer = (): void => {
          clearTimeout(timer)
          forget?.()
          letGo()
          resolve()
        }
        const letGo = held.add(answer)
        const timer = setTimeout(answer, Math.ceil(left / STEP_MS) * STEP_MS)
        const forget = caller?.onGone(answer)
      })
    },
    release,
  }

  function release(): void {
    isReleased = true
    for (const answer of [...held].slice(0, AT_ONCE)) answer()
    if (held.size > 0) setImmediate(release)
  }
}
