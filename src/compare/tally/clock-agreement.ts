import type { Logger } from 'pino'
import { counted } from '../../common/figures.ts'
import { DAY_MS } from '../../common/time.ts'

/** The state of the wall clock, stored across restarts so that a wrong clock deletes nothing. All in milliseconds. */
export interface Clock {
  /** The wall clock at the last check, since the epoch. */
  readonly seenAt: number
  /** How long the gateway has run since the clock last leapt; at most a day. */
  readonly agreedMs: number
  /** How far the clock leapt: ahead, or back if negative. */
  readonly leapMs: number
}

/** Returns a clock that has not leapt. */
export const agreed = (seenAt: number): Clock => ({ seenAt, agreedMs: DAY_MS, leapMs: 0 })

/** Whether results may be deleted by this clock: it has not leapt, or the gateway has run for a day since it did. */
export const isTrusted = ({ agreedMs }: Clock): boolean => agreedMs >= DAY_MS

/**
 * Checks the wall clock again. It has leapt if it differs by more than a day from the last check plus the elapsed time.
 * @param elapsedMs the time since the last check by the monotonic clock; 0 after a start, when it is unknown.
 */
export function checkAgain(clock: Clock, nowMs: number, elapsedMs: number): Clock {
  const leapMs = nowMs - clock.seenAt - elapsedMs
  if (Math.abs(leapMs) > DAY_MS) return { seenAt: nowMs, agreedMs: 0, leapMs }
  const next = { seenAt: nowMs, agreedMs: Math.min(clock.agreedMs + elapsedMs, DAY_MS), leapMs: clock.leapMs }
  return isTrusted(next) ? agreed(nowMs) : next
}

/** Describes a leap: `100 days ahead of`, `2 days behind`. */
export function leapInWords(leapMs: number): string {
  const days = Math.round(Math.abs(leapMs) / DAY_MS)
  return `${counted(days, 'day')} ${leapMs < 0 ? 'behind' : 'ahead of'}`
}

/** Checks the wall clock, by which results are deleted, against the monotonic one. */
export interface ClockWatch {
  /** Continues from the stored clock. */
  begin(stored: Clock): void
  /** Checks the clock, and logs a leap. */
  check(): void
  /** Returns the clock if it should be stored even without results; undefined: not yet. */
  due(): Clock | undefined
  now(): Clock
  isTrusted(): boolean
}

interface ClockWatchOptions {
  readonly now: () => Date
  /** Returns milliseconds of a monotonic clock. */
  readonly monotonic: () => number
  readonly log: Pick<Logger, 'info' | 'warn'>
}

const KEEP_EVERY_MS = 60_000

export function watchClock({ now, monotonic, log }: ClockWatchOptions): ClockWatch {
  let clock = agreed(now().getTime())
  let checkedAt = monotonic()
  let dueAt = checkedAt

  const warn = (): void => {
    dueAt = checkedAt
    const leap = leapInWords(clock.leapMs)
    log.warn(`the clock is ${leap} the stored one: no results are deleted until it has been steady for a day`)
  }
  return {
    begin(stored) {
      checkedAt = monotonic()
      dueAt = checkedAt
      clock = checkAgain(stored, now().getTime(), 0)
      if (!isTrusted(clock)) warn()
    },
    check() {
      const before = clock
      const at = monotonic()
      clock = checkAgain(before, now().getTime(), at - checkedAt)
      checkedAt = at
      if (isTrusted(clock)) {
        if (!isTrusted(before)) log.info('the clock has been steady for a day: old results are deleted again')
      } else if (clock.leapMs !== before.leapMs) warn()
    },
    due() {
      if (checkedAt < dueAt) return undefined
      dueAt = checkedAt + KEEP_EVERY_MS
      return clock
    },
    now: () => clock,
    isTrusted: () => isTrusted(clock),
  }
}
