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
