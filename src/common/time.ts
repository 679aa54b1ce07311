// Spans of time in milliseconds, and times as text.

export const MINUTE_MS = 60_000

export const HOUR_MS = 60 * MINUTE_MS

export const DAY_MS = 24 * HOUR_MS

/** Returns the day that a time is in, in UTC: `2025-01-31`. */
export const dayOf = (at: number | string): string => new Date(at).toISOString().slice(0, 10)

/** Returns the first of some times that are written alike, as ISO 8601 in UTC; undefined: there are none. */
export const earliest = (times: readonly string[]): string | undefined =>
  times.reduce<string | undefined>((first, time) => (first === undefined || time < first ? time : first), undefined)
