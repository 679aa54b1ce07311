import type { BrownedClient, BrownoutQuery } from './brownouts/brownout-calls.ts'
import type { DayOfClient } from './daily-usage.ts'
import type { OperationUsage, UsageRow, WeekOfUsage } from './usage.ts'

/** What a process has counted since its previous portion. */
export interface UsagePortion {
  /** Grows by one with each portion of this process. */
  readonly number: number
  /** At most 500. */
  readonly rows: readonly UsageRow[]
}

/** An operation that is called again, after nobody called it for seven days. */
export interface UsedAgain {
  readonly operation: string
  /** One of the clients that call it again. */
  readonly client: string
  /** When it was last called before; ISO 8601. */
  readonly before: string
  readonly at: string
}

export interface UsageQuery {
  /** The first day; `YYYY-MM-DD`. */
  readonly since: string
  readonly client?: string | undefined
  readonly operation?: string | undefined
  /** Whether to leave out what calls showed, so that `seen` is empty. The database then sums the rest, many times as fast. */
  readonly isSummary?: boolean | undefined
}

/**
 * Stores who calls what. SQLite and PostgreSQL share one SQL implementation. Its functions reject with a StateError while the
 * store cannot be used.
 */
export interface UsageStore {
  /**
   * Adds a portion to what is stored. A portion that is sent again, because its fate was unknown, is added once.
   * Clients beyond `MOST_CLIENTS` of a day are added to `others`.
   * @returns the operations that are used again.
   */
  add(portion: UsagePortion): Promise<readonly UsedAgain[]>
  /**
   * Returns the sums since a day, by client and operation, the most calls first. Of more than `MOST_CLIENTS` clients, it tells apart
   * those with the most calls; all others count together, as `OTHERS`.
   */
  read(query: UsageQuery): Promise<readonly OperationUsage[]>
  /** Returns the calls of the last 12 weeks, by client and operation, with as many clients apart. */
  weeks(): Promise<readonly WeekOfUsage[]>
  /** Returns the calls of each client by day, in pages; the days of a client are in order. @param since the first day; `YYYY-MM-DD`. */
  days(since: string): AsyncIterable<readonly DayOfClient[]>
  /** Returns the calls of brownouts by client, in pages. @param queries one at least. */
  brownouts(queries: readonly BrownoutQuery[]): AsyncIterable<readonly BrownedClient[]>
}
