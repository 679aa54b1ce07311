import { DAY_MS } from '../../common/time.ts'
import { isoOf } from '../../state/sql.ts'

/** A client's calls of one operation, as far as they are stored. */
export interface StoredCalls {
  readonly client: string
  readonly operation: string
  readonly byV1: number
  readonly byLegacy: number
  /** ISO 8601. */
  readonly lastAt: string
}

/**
 * Returns a query for the calls of all clients since a day. Runs on SQLite and on PostgreSQL.
 * @param day YYYY-MM-DD.
 */
export const readCallsSince = (day: string): string =>
  `SELECT client, operation, sum(by_v1) AS by_v1, sum(by_legacy) AS by_legacy, max(last_at) AS last_at FROM usage
   WHERE day >= ${Math.floor(Date.parse(day) / DAY_MS)} GROUP BY client, operation ORDER BY client, operation`

/** Reads a row of `readCallsSince`. */
export const callsOf = (row: Readonly<Record<string, unknown>>): StoredCalls => ({
  ...{ client: String(row.client), operation: String(row.operation) },
  ...{ byV1: Number(row.by_v1), byLegacy: Number(row.by_legacy), lastAt: isoOf(row.last_at) },
})
