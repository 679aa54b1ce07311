import { endLeases, lookAtLease, stillHolds, takeLease } from '../../state/lease.ts'
import { type SqliteTransactions, sqliteEngine } from '../../state/sql.ts'
import type { CutoverEngine } from './cutover-db.ts'

export interface SqliteCutover extends CutoverEngine {
  /** Ends the lease if this process holds it. */
  release(): Promise<void>
}

const NAME = 'cutover'
/** After a gateway is killed and restarted, it takes no step for this long. */
const LEASE_MS = 5_000

/**
 * @param holder identifies this process among those that use the file; new at every start.
 * @param now the clock of the store: all processes that use the file are on one machine.
 */
export function sqliteCutover(db: SqliteTransactions, holder: string, now?: () => Date): SqliteCutover {
  const { transaction } = sqliteEngine(db, now)
  const wanted = { name: NAME, holder, milliseconds: LEASE_MS }
  let wasTaken = false
  return {
    transaction,
    whileHeld: (lease, work) =>
      transaction(function* (at) {
        return (yield* stillHolds({ name: NAME, ...lease }, at)) ? yield* work(at) : undefined
      }),
    async lease() {
      const seen = await transaction((at) => lookAtLease(wanted, at), 'read')
      const lease = seen === 'due' ? await transaction((at) => takeLease(wanted, at)) : seen
      if (lease === undefined || lease === 'held by another') return undefined
      wasTaken = true
      return { holder, token: lease.token }
    },
    async release() {
      if (wasTaken) await transaction((at) => endLeases(holder, at))
    },
    // Other processes that use the file find out when they read it.
    *announce() {},
  }
}
