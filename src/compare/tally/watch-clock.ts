import type { Logger } from 'pino'
import { agreed, type Clock, checkAgain, isTrusted, leapInWords } from './clock-agreement.ts'

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

export interface ClockWatchOptions {
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
