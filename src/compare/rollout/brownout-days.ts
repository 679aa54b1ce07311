import { DAY_MS } from '../../common/time.ts'

/** Returns the day (UTC) on which a brownout begins, as a number of days since 1970-01-01. @param from ms since the epoch. */
export const beginningDay = (from: number): number => Math.floor(from / DAY_MS)

/**
 * Returns until when a brownout's calls are counted one by one; ms since the epoch. It ends within 24 hours, so on the day of its beginning or
 * on the next. On later days, every call comes after its end, and the usage of whole days suffices.
 */
export const countedUntil = (from: number): number => (beginningDay(from) + 2) * DAY_MS
