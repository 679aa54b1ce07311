import { MINUTE_MS } from '../common/time.ts'

/** A clock that is unaffected when the wall clock is set. Milliseconds. */
export interface SteadyTime {
  /** Returns the time since the epoch: the wall clock at the start plus the monotonic time since. */
  now(): number
  /** Returns how far the wall clock is ahead of it now, rounded to whole minutes. */
  awayMs(): number
}

export function steadyTime(wall: () => number = Date.now, monotonic = () => performance.now()): SteadyTime {
  const offset = wall() - monotonic()
  const now = (): number => offset + monotonic()
  return { now, awayMs: () => Math.round((wall() - now()) / MINUTE_MS) * MINUTE_MS }
}
