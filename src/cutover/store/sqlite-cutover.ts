import { type SqliteTransactions, sqliteEngine } from '../../state/engine.ts'
import type { CutoverEngine } from './cutover-engine.ts'

/** One process has the file: nobody else holds the lease. */
const LEASE = { holder: 'this process', token: '1' }

/** @param now the clock of the store. */
export function sqliteCutover(db: SqliteTransactions, now?: () => Date): CutoverEngine {
  const { transaction } = sqliteEngine(db, now)
  return {
    transaction,
    whileHeld: (_, work) => transaction(work),
    lease: async () => LEASE,
    // Others that have the file find out when they read it.
    *announce() {},
  }
}
