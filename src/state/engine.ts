import type { Work } from './sql.ts'

/** Runs transactions on a database. The statements are the same for all databases. */
export interface Engine {
  /**
   * Runs `work` in one transaction, and commits it.
   * @param kind `read`: all statements see the same data, and nothing is locked.
   * @throws StateError if the database fails.
   */
  transaction<Result>(work: (now: Date) => Work<Result>, kind?: 'read'): Promise<Result>
}

/** Runs a caller's statements in one transaction on SQLite, and blocks the caller. */
export interface SqliteTransactions {
  transaction<Result>(work: () => Work<Result>, kind?: 'read'): Result
}

/** @param now the clock of the store. */
export const sqliteEngine = (db: SqliteTransactions, now = () => new Date()): Engine => ({
  transaction: async (work, kind) => db.transaction(() => work(now()), kind),
})
