/** A gateway process that shares the state with others. */
export interface Replica {
  readonly id: string
  /** New at each start, to distinguish two processes with the same id. */
  readonly incarnation: string
  /** By the database's clock, like `seenAt`; ISO 8601. */
  readonly startedAt: string
  readonly seenAt: string
  /** The gateway's version. */
  readonly build: string
  /** Hashes of what it uses: the mappings, and the rollout file in effect; null if it has none. */
  readonly mapping: string
  readonly rollout: string | null
  /** Where its cut-over stands, by operation; null if it has none. */
  readonly position: Readonly<Record<string, number>> | null
  /** How far its clock is ahead of the database's; ms. */
  readonly clockOffsetMs: number
}

/** What a replica reports about itself with each heartbeat. */
export type ReplicaStatus = Pick<Replica, 'build' | 'mapping' | 'rollout' | 'position'>

/** The answer to `GET /replicas`. */
export interface ReplicasReport {
  readonly engine: {
    readonly kind: 'sqlite' | 'postgresql'
    /** `degraded`: results stay in memory until they can be stored. */
    readonly state: 'ok' | 'degraded'
    /** Since when; ISO 8601. */
    readonly since: string
  }
  /** The id of the replica that answers. */
  readonly self: string
  /** Those seen in the last ten seconds, by id; while the database is unavailable, those last seen. Includes the one that answers. */
  readonly replicas: readonly Replica[]
}

/** The gateways that share one state. */
export interface Fleet {
  /** Returns what was last heard, from memory, so that no page or probe waits for a database. */
  report(): ReplicasReport
}

/** Says whether results are stored, and since when (ISO 8601). */
type StoredSince = () => { readonly isStored: boolean; readonly since: string }

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
