import { MOST_LISTED } from '../../compare/rollout/brownout-rule.ts'
import { type Brownout, concerns, mayHit } from './brownout.ts'
import { type CallsByClient, type ClientCalls, NO_CALLS } from './client-calls.ts'

/** Calls of an operation by a client so far. */
export interface UsageRow {
  readonly operation: string
  readonly client: string
  readonly calls: number
}

/** Runs `each` for every item, and lets calls be answered in between. */
export type InSlices = <Item>(items: Iterable<Item>, each: (item: Item) => void) => Promise<unknown>

/**
 * Returns the clients that a brownout to come may hit, by the usage so far: the most calls first.
 * @param notClients counted together.
 * @param inSlices because there may be 10,000 clients.
 */
export async function mayBeHit(
  { rule }: Brownout,
  usage: readonly UsageRow[],
  notClients: readonly string[],
  inSlices: InSlices,
): Promise<CallsByClient> {
  // Whether a client is hit takes a hash: once per client, not per row.
  const hit = new Map<string, boolean>(notClients.map((name) => [name, true]))
  const before = new Map<string, number>()
  let others = 0
  await inSlices(usage, ({ operation, client, calls }) => {
    if (!concerns(rule, operation)) return
    const isConcerned = hit.get(client) ?? mayHit(rule, client)
    hit.set(client, isConcerned)
    if (!isConcerned) return
    const known = before.get(client)
    if (known === undefined && (before.size >= MOST_LISTED || notClients.includes(client))) others += calls
    else before.set(client, (known ?? 0) + calls)
  })
  return {
    clients: Array.from(before, ([client, calls]) => ({ client, ...NO_CALLS, before: calls })).sort(mostCallsFirst),
    others: { ...NO_CALLS, before: others },
  }
}

const mostCallsFirst = (one: ClientCalls, other: ClientCalls): number => other.before - one.before
