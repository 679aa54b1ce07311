import { randomUUID } from 'node:crypto'
import { mappingsHash } from '../compare/lineage.ts'
import type { CurrentRollout } from '../compare/rollout/rollout-file.ts'
import type { StoreHealth } from '../compare/tally/store-health.ts'
import type { Operation } from '../mapping/operation.ts'
import { oneReplica } from '../state/one-replica.ts'
import type { Fleet, ReplicaStatus } from '../state/replicas.ts'
import { someReplicaId } from './replica-id.ts'
import { VERSION } from './version.ts'

/** The fleet of a gateway that shares its state with nobody. */
export const openFleet = (
  replicaId: string | undefined,
  status: () => ReplicaStatus,
  health: () => StoreHealth,
): Fleet =>
  oneReplica({
    self: { id: replicaId ?? someReplicaId(), incarnation: randomUUID() },
    status,
    stored() {
      const { failure, since } = health()
      return { isStored: failure === null, since }
    },
    now: () => new Date(),
  })

/** Returns what a replica says of itself. */
export function statusOf(mappings: readonly Operation[], rollout: () => CurrentRollout): () => ReplicaStatus {
  const mapping = mappingsHash(mappings)
  return () => ({ build: VERSION, mapping, rollout: rollout().hash, position: null })
}
