import type { Logger } from 'pino'
import { agreed, type Clock, isTrusted, leapInWords, lookAgain } from './clock-agreement.ts'

/** Watches the wall clock, by which results are deleted, beside the monotonic one. */
export interface ClockWatch {
  /** Goes on from what is remembered of the clock. */
  begin(remembered: Clock): void
  /** Looks at the clock, and tells of a leap. */
  look(): void
  /** What is to be remembered of it; undefined: nothing that is worth a write of its own. */
  due(): Clock | undefined
  now(): Clock
  isTrusted(): boolean
}

export interface ClockWatchOptions {
  readonly now: () => Date
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonic: () => number
  readonly log: Pick<Logger, 'info' | 'warn'>
}

const KEEP_EVERY_MS = 60_000

export function watchClock({ now, monotonic, log }: ClockWatchOptions): ClockWatch {
  let clock = agreed(now().getTime())
  let lookedAt = monotonic()
  let dueAt = lookedAt

  const warn = (): void => {
    dueAt = lookedAt
    const leap = leapInWords(clock.leapMs)
    log.warn(`the clock is ${leap} what is stored: no results are deleted until it has agreed for a day`)
  }
  return {
    begin(remembered) {
      lookedAt = monotonic()
      dueAt = lookedAt
      clock = lookAgain(remembered, now().getTime(), 0)
      if (!isTrusted(clock)) warn()
    },
    look() {
      const before = clock
      const at = monotonic()
      clock = lookAgain(before, now().getTime(), at - lookedAt)
      lookedAt = at
      if (isTrusted(clock)) {
        if (!isTrusted(before)) log.info('the clock has agreed for a day: old results are deleted again')
      } else if (clock.leapMs !== before.leapMs) warn()
    },
    due() {
      if (lookedAt < dueAt) return undefined
      dueAt = lookedAt + KEEP_EVERY_MS
      return clock
    },
    now: () => clock,
    isTrusted: () => isTrusted(clock),
  }
}
