/** Time that goes on evenly when the wall clock is set. Milliseconds. */
export interface SteadyTime {
  /** Since the epoch, by the wall clock of the start and the monotonic one from then on. */
  now(): number
  /** How many whole minutes, in milliseconds, the wall clock is ahead of that by now. */
  awayMs(): number
}

const MINUTE_MS = 60_000

export function steadyTime(wall: () => number = Date.now, monotonic = () => performance.now()): SteadyTime {
  const offset = wall() - monotonic()
  const now = (): number => offset + monotonic()
  return { now, awayMs: () => Math.round((wall() - now()) / MINUTE_MS) * MINUTE_MS }
}
