/** What is remembered of the wall clock, over restarts, so that a wrong one deletes nothing. Milliseconds. */
export interface Clock {
  /** The wall clock when it was last looked at, since the epoch. */
  readonly seenAt: number
  /** For how long the gateway has run since the clock last leapt, a day at most. */
  readonly agreedMs: number
  /** How far it leapt then: ahead, or back when it is negative. */
  readonly leapMs: number
}

const DAY_MS = 86_400_000

/** A clock that has not leapt. */
export const agreed = (seenAt: number): Clock => ({ seenAt, agreedMs: DAY_MS, leapMs: 0 })

/** Whether results may be deleted by it: it has not leapt, or the gateway has run for a day since. */
export const isTrusted = ({ agreedMs }: Clock): boolean => agreedMs >= DAY_MS

/**
 * Looks at the wall clock again. It leaps when it goes more than a day further, or less far, than time did.
 * @param elapsedMs by the monotonic clock since it was last looked at; 0 after a start, which knows of no time.
 */
export function lookAgain(clock: Clock, nowMs: number, elapsedMs: number): Clock {
  const leapMs = nowMs - clock.seenAt - elapsedMs
  if (Math.abs(leapMs) > DAY_MS) return { seenAt: nowMs, agreedMs: 0, leapMs }
  const next = { seenAt: nowMs, agreedMs: Math.min(clock.agreedMs + elapsedMs, DAY_MS), leapMs: clock.leapMs }
  return isTrusted(next) ? agreed(nowMs) : next
}

/** For people: `100 days ahead of`, `2 days behind`. */
export function leapInWords(leapMs: number): string {
  const days = Math.round(Math.abs(leapMs) / DAY_MS)
  return `${days} ${days === 1 ? 'day' : 'days'} ${leapMs < 0 ? 'behind' : 'ahead of'}`
}
