import type { Seen } from '../exchange/seen.ts'
import type { MarksByBrownout } from './brownouts/brownout-calls.ts'

export type { Marks, Seen } from '../exchange/seen.ts'

/** A client's calls of one operation within a day, or a span of days. */
export interface UsageCounts {
  readonly calls: number
  /** Statuses 400 to 499, and 500 and above. */
  readonly clientErrors: number
  readonly serverErrors: number
  /** Which side answered; neither did where a brownout refused the call. */
  readonly byV1: number
  readonly byLegacy: number
  /** ISO 8601. */
  readonly firstAt: string
  readonly lastAt: string
  /** The latest, `MOST_AGENTS` at most. */
  readonly agents: readonly string[]
  readonly seen: Seen
}

/** Whose calls, of which operation, on which day (UTC, `YYYY-MM-DD`). */
export interface UsageKey {
  readonly day: string
  readonly client: string
  readonly operation: string
}

/** What is stored. */
export interface UsageRow extends UsageKey, UsageCounts {
  /** What its calls were to brownouts that began on this day or the day before; undefined: none had begun. */
  readonly brownouts?: MarksByBrownout | undefined
}

/** A client's calls of one operation since a day. */
export interface OperationUsage extends UsageCounts {
  readonly client: string
  readonly operation: string
}

/** How many calls of an operation a client made within seven days. */
export interface WeekOfUsage {
  readonly client: string
  readonly operation: string
  /** 0: the seven days that end today; 1: those before; up to 11. */
  readonly weeksAgo: number
  readonly calls: number
}

/** The most user agents kept per client and operation. */
export const MOST_AGENTS = 5
/** The most clients counted separately per day. Any others count together, as `OTHERS` of `observe/traffic.ts`. */
export const MOST_CLIENTS = 10_000
/** How many days usage is kept. */
export const KEPT_DAYS = 400

export const NOTHING_SEEN: Seen = {
  ...{ calls: 0, members: {}, empty: {}, removed: {}, other: 0 },
  ...{ answered: {}, statuses: {}, violations: {}, languages: {} },
}
