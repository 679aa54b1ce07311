import type { Engine, SqliteTransactions } from '../../state/engine.ts'
import { query } from '../../state/sql.ts'
import { type UsageDb, usageDb } from './usage-db.ts'

/** Usage in memory has at most so many rows: some 50 MB. */
const MOST_ROWS = 50_000
/** Clients of a day, so that one day does not fill it. */
const MOST_CLIENTS = 1_000

/** Keeps usage in an SQLite database in memory: where it would grow beyond its bound, the oldest rows are forgotten. */
export function memoryUsageDb(db: SqliteTransactions, engine: Engine, mostRows = MOST_ROWS): UsageDb {
  const usage = usageDb(engine, MOST_CLIENTS)
  return {
    ...usage,
    async add(process, portion) {
      const again = await usage.add(process, portion)
      db.transaction(() => query(`DELETE FROM usage WHERE rowid <= (SELECT max(rowid) FROM usage) - ${mostRows}`))
      return again
    },
  }
}
