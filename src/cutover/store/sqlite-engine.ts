import type { StateDb } from '../../compare/tally/state-db.ts'
import type { Engine } from './engine.ts'

/** One process has the file: nobody else holds the lease. */
const LEASE = { holder: 'this process', token: '1' }

/** @param now the clock of the store. */
export function sqliteEngine(db: Pick<StateDb, 'transaction'>, name: string, now = () => new Date()): Engine {
  const transaction: Engine['transaction'] = async (work, kind) => db.transaction(() => work(now()), kind)
  return {
    name,
    transaction,
    whileHeld: (_, work) => transaction(work),
    lease: async () => LEASE,
    // Others that have the file find out when they read it.
    *announce() {},
  }
}
