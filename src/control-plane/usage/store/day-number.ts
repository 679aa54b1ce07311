import { DAY_MS, dayOf } from '../../../common/time.ts'

/** Returns a day as it is stored: the days since 1970-01-01. `day` is `YYYY-MM-DD`. */
export const dayNumber = (day: string): number => Math.floor(Date.parse(day) / DAY_MS)

/** Returns the day with this number; `YYYY-MM-DD`. */
export const dayNumbered = (number: number): string => dayOf(number * DAY_MS)

/** Returns the number of the day (UTC) that a time is in. */
export const dayAt = (time: Date): number => Math.floor(time.getTime() / DAY_MS)
