import type { Database } from '../../state/postgres/database.ts'
import { postgresEngine, runWithin } from '../../state/postgres/postgres-engine.ts'
import { seekLease, stillHolds } from '../../state/postgres/postgres-lease.ts'
import { query } from '../../state/sql.ts'
import type { CutoverEngine } from './cutover-db.ts'

/** The part of the database, shared with the results, that the cut-over needs. */
export interface SharedDatabase extends Pick<Database, 'query' | 'transaction'> {
  /** The holder of this process's leases. */
  holder(): string
}

const LEASE = 'cutover'
const LEASE_S = 10

/** @param schema has the tables; it is also the name of the channel that announces decisions. */
export const postgresCutover = (database: SharedDatabase, schema: string): CutoverEngine => ({
  ...postgresEngine(database),
  whileHeld: (lease, work) =>
    database.transaction(async (transaction) =>
      (await stillHolds(transaction, { name: LEASE, ...lease })) ? runWithin(transaction, work) : undefined,
    ),
  async lease() {
    const wanted = { name: LEASE, holder: database.holder(), seconds: LEASE_S }
    const lease = await seekLease(database, schema, wanted)
    return lease && { holder: lease.holder, token: lease.token }
  },
  *announce() {
    yield* query('UPDATE change SET version = version + 1')
    yield* query('SELECT pg_notify($1, $2)', schema, '')
  },
})
