import { createHash } from 'node:crypto'
import type { Side } from '../../exchange/exchange.ts'
import type { OperationRollout } from './rollout.ts'

/**
 * Chooses the side that answers a client's call: by the client's own entry in the rollout file, else by the operation's plan, else by
 * the operation's entry in the file. A client stays on its side, on every replica. Raising the percentage only moves clients to v1.
 * @param planned the current percentage of the operation's plan; undefined: it has no plan.
 */
export function chooseSide(
  { serve, v1Percent, clients }: Pick<OperationRollout, 'serve' | 'v1Percent' | 'clients'>,
  client: string,
  planned?: number,
): Side {
  if (Object.hasOwn(clients, client)) return clients[client] as Side
  if (planned === undefined && serve === 'v1') return 'v1'
  const percent = planned ?? v1Percent
  return percent > 0 && placeOf(client) < percent ? 'v1' : 'legacy'
}

/** Returns a number from 0 to below 100 that is fixed for a client and evenly spread over clients. */
export function placeOf(client: string): number {
  return (createHash('sha256').update(client).digest().readUInt32BE(0) / 2 ** 32) * 100
}
