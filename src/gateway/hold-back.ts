import type { Caller } from '../upstream/caller.ts'

/** Delays refusals. */
export interface HeldBack {
  /**
   * Resolves when the refusal of a call may be sent, or its caller hangs up. Undefined: the refusal is not delayed,
   * because its caller is gone, too many refusals are delayed, or they have been released.
   * @param since when the call arrived, in ms of `performance.now()`.
   */
  holdBack(since: number, caller: Caller | undefined): Promise<void> | undefined
  /** Ends all delays soon, and delays no more refusals. */
  release(): void
}

interface Held {
  readonly since: number
  /** Ends the delay. Undefined: the caller hung up, which has ended it. */
  tell: (() => void) | undefined
}

/** The least time from a call's arrival to its refusal. */
const MIN_DELAY_MS = 500
/** Refusals are sent at this interval, in ms, 16 at a time: at most 1,600 per second. More at a time would delay other calls longer. */
export const STEP_MS = 10
const PER_STEP = 16
/** If a refusal would wait for more steps than this (four seconds), more are sent at a time. */
const MAX_STEPS = 400
/** The most refusals that are delayed, at a few KB each. Further ones are sent at once. */
const MAX_HELD = 16_384
/** How many refusals are released in one turn of the event loop, which takes some ms. */
const BATCH = 128

/**
 * Delays refusals, and sends them one after another. A client that should come back later often comes back at once, so immediate
 * refusals would keep the gateway busy with nothing else. The more clients do so, the longer each waits for its refusal. Refusals
 * thus take only part of the gateway's time. If a turn of the event loop comes late, it sends no more refusals than any other: more
 * would make it last even longer, and the next turns too.
 */
export function heldBack(): HeldBack {
  /** In order of arrival. */
  const held: Held[] = []
  /** How many are sent at a time. It falls only when all have been sent, so that no delay becomes longer. */
  let perStep = PER_STEP
  let isReleased = false
  let timer: NodeJS.Timeout | undefined

  function send(max: number, before: number): void {
    let sent = 0
    let index = 0
    for (; index < held.length && sent < max; index++) {
      const { since, tell } = held[index] as Held
      if (tell === undefined) continue
      if (since > before) break
      tell()
      sent++
    }
    held.splice(0, index)
  }

  function step(): void {
    send(perStep, performance.now() - MIN_DELAY_MS)
    timer = undefined
    if (held.length > 0) timer = setTimeout(step, STEP_MS)
    else perStep = PER_STEP
  }

  function release(): void {
    isReleased = true
    clearTimeout(timer)
    send(BATCH, Number.POSITIVE_INFINITY)
    if (held.length > 0) setImmediate(release)
  }

  return {
    holdBack(since, caller) {
      if (isReleased || held.length >= MAX_HELD || caller?.gone !== undefined) return undefined
      timer ??= setTimeout(step, STEP_MS)
      return new Promise((resolve) => {
        const one: Held = {
          since,
          tell() {
            one.tell = undefined
            caller?.offGone(onGone)
            resolve()
          },
        }
        const onGone = (): void => one.tell?.()
        perStep = Math.max(perStep, Math.ceil(held.push(one) / MAX_STEPS))
        caller?.onGone(onGone)
      })
    },
    release,
  }
}
