import type { Work } from './sql.ts'

/** Runs transactions on a database. The statements are the same on all of them. */
export interface Engine {
  /**
   * Runs `work` in one transaction, and commits it.
   * @param kind `read`: all statements see the same, and nothing is locked.
   * @throws StateError if the database fails.
   */
  transaction<Result>(work: (now: Date) => Work<Result>, kind?: 'read'): Promise<Result>
}

/** Runs the statements of others in one transaction on SQLite, and blocks its caller. */
export interface SqliteTransactions {
  transaction<Result>(work: () => Work<Result>, kind?: 'read'): Result
}

/** @param now the clock of the store. */
export const sqliteEngine = (db: SqliteTransactions, now = () => new Date()): Engine => ({
  transaction: async (work, kind) => db.transaction(() => work(now()), kind),
})
