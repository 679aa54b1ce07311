import type { Fleet, Replica, ReplicaStatus } from './replicas.ts'

/** Says whether results are stored, and since when (ISO 8601). */
export type StoredSince = () => { readonly isStored: boolean; readonly since: string }

export interface OneReplicaOptions {
  readonly self: Pick<Replica, 'id' | 'incarnation'>
  readonly status: () => ReplicaStatus
  readonly stored: StoredSince
  readonly now: () => Date
}

/** The fleet of a gateway that keeps its state to itself, in SQLite: this replica alone, whose clock is also the database's. */
export function oneReplica({ self, status, stored, now }: OneReplicaOptions): Fleet {
  const startedAt = now().toISOString()
  return {
    report() {
      const { isStored, since } = stored()
      return {
        engine: { kind: 'sqlite', state: isStored ? 'ok' : 'degraded', since },
        self: self.id,
        replicas: [{ ...self, startedAt, seenAt: now().toISOString(), ...status(), clockOffsetMs: 0 }],
      }
    },
  }
}
