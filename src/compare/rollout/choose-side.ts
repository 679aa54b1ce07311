import { createHash } from 'node:crypto'
import type { Side } from '../../exchange/exchange.ts'
import type { OperationRollout } from './rollout.ts'

/**
 * Who answers a client's call: what the file says of this client, else of the operation. A client stays on its side, whichever
 * replica it asks; raising `v1Percent` only adds clients to v1.
 */
export function chooseSide({ serve, v1Percent, clients }: OperationRollout, client: string): Side {
  if (Object.hasOwn(clients, client)) return clients[client] as Side
  if (serve === 'v1') return 'v1'
  return v1Percent > 0 && placeOf(client) < v1Percent ? 'v1' : 'legacy'
}

/** A number from 0 up to 100, always the same for a client, and evenly spread over clients. */
function placeOf(client: string): number {
  return (createHash('sha256').update(client).digest().readUInt32BE(0) / 2 ** 32) * 100
}
