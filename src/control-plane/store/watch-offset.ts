import type { Logger } from 'pino'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../common/time.ts'

/** Watches how far this replica's clock is ahead of the database's. */
export interface OffsetWatch {
  /** Takes a measurement; ms. Logs once when the clock is off, and once when it is right again. */
  measured(offsetMs: number): void
}

/** A clock that is off by more is wrong; ms. */
const MOST_MS = 2_000
/** It is right again once it is off by no more than this. The gap keeps varying measurements from logging back and forth. */
const RIGHT_MS = 1_000

/** Whether a clock is off by so much that an operator must know. */
export const isClockOff = (offsetMs: number): boolean => Math.abs(offsetMs) > MOST_MS

/** Starts by assuming that the clock is right. */
export function watchOffset(log: Pick<Logger, 'info' | 'warn'>): OffsetWatch {
  let isOff = false
  return {
    measured(clockOffsetMs) {
      if (!isOff && isClockOff(clockOffsetMs)) {
        isOff = true
        log.warn({ clockOffsetMs }, `the clock is off by more than ${MOST_MS / 1_000} s: ${inWords(clockOffsetMs)}`)
      } else if (isOff && Math.abs(clockOffsetMs) <= RIGHT_MS) {
        isOff = false
        log.info({ clockOffsetMs }, "the clock agrees with the database's again")
      }
    },
  }
}

const inWords = (offsetMs: number): string =>
  `${sizeInWords(offsetMs)} ${offsetMs < 0 ? 'behind' : 'ahead of'} the database's`

/** Units, and the size from which each is used; ms. */
const UNITS = [
  ['days', DAY_MS],
  ['hours', HOUR_MS],
  ['minutes', MINUTE_MS],
] as const

/** Says how far a clock is off, in either direction: `12 ms`, `3.2 s`, `5 minutes`, `100 days`. */
export function sizeInWords(offsetMs: number): string {
  const size = Math.abs(offsetMs)
  for (const [unit, ms] of UNITS) if (size >= 2 * ms) return `${Math.round(size / ms)} ${unit}`
  return size < 1_000 ? `${Math.round(size)} ms` : `${(size / 1_000).toFixed(1)} s`
}
