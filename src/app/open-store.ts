import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { mappingsHash } from '../control-plane/evidence/lineage.ts'
import type { StoreHealth } from '../control-plane/evidence/tally/state-store.ts'
import type { CurrentRollout } from '../control-plane/rollout/rollout-file.ts'
import type { Fleet, ReplicaStatus } from '../control-plane/store/replicas.ts'
import { oneReplica, sharedFleet } from '../control-plane/store/replicas.ts'
import { watchOffset } from '../control-plane/store/watch-offset.ts'
import { oncePer } from '../mapping/once-per.ts'
import type { Operation } from '../mapping/operation.ts'
import type { Config } from './config.ts'
import { openFileStore, type Stores } from './stores.ts'
import { VERSION } from './version.ts'

type StoreSettings = Pick<Config, 'stateDb' | 'replicaId'> & Partial<Pick<Config, 'postgres'>>

/** The open store of results, the cut-over and usage. */
interface OpenedStore extends Stores {
  /** Whether results survive a restart. */
  readonly isKept: boolean
  /** Returns the replicas that share the store. `health` says whether results can be stored. */
  fleetOf(health: () => StoreHealth): Fleet
}

/** The value of `STATE_DB` that names neither a file nor a database. */
const IN_MEMORY = ':memory:'

/** Whether results and decisions survive a restart. */
export const keepsState = ({ postgres, stateDb }: Pick<StoreSettings, 'stateDb' | 'postgres'>): boolean =>
  postgres !== undefined || stateDb !== IN_MEMORY

/** Opens the store of results, the cut-over and usage: in memory, in an SQLite file, or in a PostgreSQL database that replicas share. */
export async function openStore(
  settings: StoreSettings,
  status: () => ReplicaStatus,
  log: Logger,
): Promise<OpenedStore> {
  const { postgres, stateDb, replicaId: id } = settings
  const now = (): Date => new Date()
  const storedBy = (health: () => StoreHealth) => () => {
    const { failure, since } = health()
    return { isStored: failure === null, since }
  }
  if (postgres !== undefined) {
    // Without a database, its client is not even loaded.
    const { openPostgresStore } = await import('./postgres-stores.ts')
    const onOffset = watchOffset(log).measured
    const store = openPostgresStore({ settings: postgres, replicaId: id, status, onOffset, log })
    return {
      ...store,
      isKept: true,
      fleetOf: (health) => sharedFleet({ id, status, replicas: store.replicas, stored: storedBy(health), now }),
    }
  }
  const isKept = keepsState(settings)
  return {
    ...openFileStore(isKept ? stateDb : IN_MEMORY, { replica: id, log }),
    isKept,
    fleetOf: (health) => oneReplica({ self: { id, incarnation: randomUUID() }, status, stored: storedBy(health), now }),
  }
}

/**
 * Returns what a replica reports about itself.
 * @param position where its plans stand.
 */
export function statusOf(
  mappings: () => readonly Operation[],
  rollout: () => CurrentRollout | undefined,
  position: () => ReplicaStatus['position'],
): () => ReplicaStatus {
  const hashOf = oncePer(mappingsHash)
  return () => ({ build: VERSION, mapping: hashOf(mappings()), rollout: rollout()?.hash ?? null, position: position() })
}
