import type { StoredSince } from './one-replica.ts'
import type { Fleet, Replica, ReplicaStatus } from './replicas.ts'

export interface SharedFleetOptions {
  readonly id: string
  readonly status: () => ReplicaStatus
  /** The replicas that were alive when the database last said so. */
  readonly replicas: () => readonly Replica[]
  readonly stored: StoredSince
  readonly now: () => Date
}

/** The fleet of gateways that share a PostgreSQL database. */
export function sharedFleet({ id, status, replicas, stored, now }: SharedFleetOptions): Fleet {
  const startedAt = now().toISOString()
  /** Added here until the database knows this replica. */
  const self = (): Replica => ({
    ...{ id, incarnation: '', startedAt, seenAt: now().toISOString(), ...status(), clockOffsetMs: 0 },
  })
  return {
    report() {
      const { isStored, since } = stored()
      const alive = replicas()
      return {
        engine: { kind: 'postgresql', state: isStored ? 'ok' : 'degraded', since },
        self: id,
        replicas: alive.some((replica) => replica.id === id) ? alive : [self(), ...alive],
      }
    },
  }
}
