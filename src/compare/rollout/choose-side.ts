import { createHash } from 'node:crypto'
import type { Side } from '../../exchange/exchange.ts'
import type { OperationRollout } from './rollout.ts'

/**
 * Chooses the side that answers a client's call: by the client's own entry in the rollout file, else by the operation's. A
 * client stays on its side, on every replica. Raising `v1Percent` only moves clients to v1.
 */
export function chooseSide({ serve, v1Percent, clients }: OperationRollout, client: string): Side {
  if (Object.hasOwn(clients, client)) return clients[client] as Side
  if (serve === 'v1') return 'v1'
  return v1Percent > 0 && placeOf(client) < v1Percent ? 'v1' : 'legacy'
}

/** Returns a number from 0 up to 100 that is fixed for a client and evenly spread over clients. */
export function placeOf(client: string): number {
  return (createHash('sha256').update(client).digest().readUInt32BE(0) / 2 ** 32) * 100
}
