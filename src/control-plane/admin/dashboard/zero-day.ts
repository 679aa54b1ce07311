import { DAY_MS, dayOf } from '../../../common/time.ts'

/** When calls reach zero if they go on as in the last weeks. */
export type ZeroDay =
  | { readonly kind: 'none left' }
  /** Fewer than `LEAST_WEEKS` full weeks are known. `until`: the day on which there are so many, YYYY-MM-DD. */
  | { readonly kind: 'too early'; readonly until: string }
  /** They do not fall, or not in a line. */
  | { readonly kind: 'unsteady'; readonly weeks: readonly number[] }
  /** `day`: YYYY-MM-DD; undefined: in more than a year. */
  | { readonly kind: 'falling'; readonly weeks: readonly number[]; readonly day: string | undefined }

/** Full weeks even out weekends. */
const WEEK = 7
export const MOST_WEEKS = 4
export const LEAST_WEEKS = 3
/** How much of the change from week to week a straight line must explain, 0 to 1. */
const LEAST_EXPLAINED = 0.8
const LONGEST_DAYS = 365

/**
 * Extends a straight line through the calls of the last full weeks, up to yesterday, by least squares.
 * @param days the calls of each day with calls, the oldest first; the first of them is taken as the beginning of counting.
 * @param now ms since the epoch.
 */
export function zeroDay(days: readonly { readonly day: string; readonly calls: number }[], now: number): ZeroDay {
  const today = Math.floor(now / DAY_MS)
  const [first] = days
  if (first === undefined) return { kind: 'none left' }
  const counted = Math.min(Math.floor((today - numberOf(first.day)) / WEEK), MOST_WEEKS)
  const weeks = new Array<number>(counted).fill(0)
  let sinceLastWeek = 0
  for (const { day, calls } of days) {
    const ago = today - numberOf(day)
    if (ago < WEEK) sinceLastWeek += calls
    const week = counted - 1 - Math.floor((ago - 1) / WEEK)
    if (ago >= 1 && weeks[week] !== undefined) weeks[week] += calls
  }
  if (sinceLastWeek === 0 && counted > 0) return { kind: 'none left' }
  if (counted < LEAST_WEEKS)
    return { kind: 'too early', until: dayOf(Date.parse(first.day) + LEAST_WEEKS * WEEK * DAY_MS) }
  const { slope, reachesZero, explained } = lineThrough(weeks)
  const middleOfLastWeek = today - 1 - (WEEK - 1) / 2
  const at = Math.ceil(middleOfLastWeek + (reachesZero - (counted - 1)) * WEEK)
  // A line that has reached zero already does not fit calls that still come.
  if (!(slope < 0 && explained >= LEAST_EXPLAINED && at > today)) return { kind: 'unsteady', weeks }
  return { kind: 'falling', weeks, day: at - today > LONGEST_DAYS ? undefined : dayOf(at * DAY_MS) }
}

const numberOf = (day: string): number => Math.floor(Date.parse(day) / DAY_MS)

function lineThrough(values: readonly number[]) {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const sumOf = (of: (value: number, at: number) => number): number =>
    values.reduce((sum, value, at) => sum + of(value, at - middle), 0)
  const slope = sumOf((value, at) => (value - mean) * at) / sumOf((_, at) => at * at)
  const spread = sumOf((value) => (value - mean) ** 2)
  const left = sumOf((value, at) => (value - mean - slope * at) ** 2)
  return { slope, reachesZero: middle - mean / slope, explained: spread === 0 ? 0 : 1 - left / spread }
}
