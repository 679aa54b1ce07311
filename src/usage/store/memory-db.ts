import { setImmediate } from 'node:timers/promises'
import type { Engine, SqliteTransactions } from '../../state/sql.ts'
import { query } from '../../state/sql.ts'
import type { OperationUsage } from '../usage.ts'
import type { UsedAgain } from '../usage-store.ts'
import type { Page } from './read-pages.ts'
import { type UsageDb, usageDb } from './usage-db.ts'

/** The most rows of usage in memory: some 50 MB. */
const MOST_ROWS = 50_000
/** The most clients of a day, so that one day does not fill the memory. */
const MOST_CLIENTS = 1_000
/** There is no thread, so the event loop turns after this many rows: every millisecond or two. */
const ADDED_AT_ONCE = 25
const READ_AT_ONCE = 100
/** More rows than a portion has. */
const MOST_IN_PORTION = 1_000

/** Keeps usage in an SQLite database in memory. When it would grow beyond its bound, it forgets the oldest rows. */
export function memoryUsageDb(db: SqliteTransactions, engine: Engine, mostRows = MOST_ROWS): UsageDb {
  const usage = usageDb(engine, { mostClients: MOST_CLIENTS, pageRows: READ_AT_ONCE })
  return {
    ...usage,
    read: readByOperation(usage),
    async add(process, { number, rows }) {
      const again: UsedAgain[] = []
      for (let from = 0; from < rows.length; from += ADDED_AT_ONCE) {
        if (from > 0) await setImmediate()
        // Each piece has its own number, so that it is added once, even if another piece fails.
        const piece = number * MOST_IN_PORTION + from
        again.push(...(await usage.add(process, { number: piece, rows: rows.slice(from, from + ADDED_AT_ONCE) })))
        for (const table of ['usage', 'usage_brownout']) {
          db.transaction(() =>
            query(`DELETE FROM ${table} WHERE rowid <= (SELECT max(rowid) FROM ${table}) - ${mostRows}`),
          )
        }
      }
      return again
    },
  }
}

/**
 * Reads pages as they are. If a page has only one client, however, its calls may have shown thousands of documents: then those of one
 * operation are read at a time.
 */
function readByOperation({ read }: Pick<UsageDb, 'read'>): UsageDb['read'] {
  return async (query, after) => {
    if (query.isSummary === true || query.operation !== undefined) return read(query, after)
    // No documents, but the same rows in the same order.
    const sums = await read({ ...query, isSummary: true }, after)
    if (new Set(sums.rows.map(({ client }) => client)).size !== 1) return read(query, after)
    const pages: Page<OperationUsage>[] = []
    for (const { client, operation } of sums.rows) {
      await setImmediate()
      pages.push(await read({ ...query, client, operation }, ''))
    }
    return {
      rows: pages.flatMap(({ rows }) => rows),
      last: sums.last,
      unreadable: pages.flatMap(({ unreadable }) => unreadable),
    }
  }
}
