import { hash } from 'node:crypto'
import type { Side } from '../../exchange/exchange.ts'
import type { OperationRollout } from './rollout.ts'

/**
 * Chooses the side that answers a client's call: by the client's own entry in the rollout file, else by the operation's plan, else by
 * the operation's entry in the file. A client stays on its side, on every replica. Raising the percentage only moves clients to v1.
 * @param clientOf returns the client. Called only if the side depends on it.
 * @param planned the current percentage of the operation's plan; undefined: it has no plan.
 */
export function chooseSide(
  { serve, v1Percent, clients }: Pick<OperationRollout, 'serve' | 'v1Percent' | 'clients'>,
  clientOf: () => string,
  planned?: number,
): Side {
  if (hasMember(clients)) {
    const client = clientOf()
    if (Object.hasOwn(clients, client)) return clients[client] as Side
  }
  if (planned === undefined && serve === 'v1') return 'v1'
  const percent = planned ?? v1Percent
  if (percent === 0 || percent === 100) return percent === 0 ? 'legacy' : 'v1'
  return placeOf(clientOf()) < percent ? 'v1' : 'legacy'
}

function hasMember(clients: object): boolean {
  for (const _ in clients) return true
  return false
}

/** Returns a number from 0 to below 100 that is fixed for a client and evenly spread over clients. */
export function placeOf(client: string): number {
  return (hash('sha256', client, 'buffer').readUInt32BE(0) / 2 ** 32) * 100
}
