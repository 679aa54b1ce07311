import { MOST_LISTED } from '../../compare/rollout/brownout-rule.ts'
import { inSlices } from '../../observe/in-slices.ts'
import { OTHERS, UNIDENTIFIED } from '../../observe/traffic.ts'
import { addCounts, type BrownoutCalls, type BrownoutQuery, type Counts, newCounts } from './brownout-calls.ts'
import type { BrownedClient } from './sum-brownouts.ts'

/** A brownout's calls by client, and of all others together: callers without a known name, and clients beyond 1,000. */
export interface CallsByClient {
  readonly clients: readonly (BrownoutCalls & { readonly client: string })[]
  readonly others: BrownoutCalls
}

/** The same before it is sorted. */
export interface ClientList {
  readonly clients: Map<string, Counts>
  readonly others: Counts
  /** Whether `others` has clients for which there was no room. */
  isCut: boolean
}

const NO_CLIENTS: ReadonlySet<string> = new Set([OTHERS, UNIDENTIFIED])

const newList = (): ClientList => ({ clients: new Map(), others: newCounts(), isCut: false })

/**
 * Lists the clients of each brownout, by its key: at most 1,000, those with the most calls since. In bounded memory, and in slices.
 * @param pages each client is on one page only.
 */
export async function listClients(
  queries: readonly BrownoutQuery[],
  pages: AsyncIterable<readonly BrownedClient[]>,
): Promise<ReadonlyMap<string, ClientList>> {
  const lists = new Map(queries.map(({ key }) => [key, newList()]))
  const cutAbove = (most: number) => inSlices(lists.values(), (list) => cut(list, most))
  for await (const page of pages) {
    for (const { client, calls } of page) {
      for (const [key, counts] of calls) {
        const list = lists.get(key)
        if (list === undefined) continue
        if (NO_CLIENTS.has(client)) addCounts(list.others, counts)
        else list.clients.set(client, { ...counts })
      }
    }
    // Sorting each time that one client more comes would take long.
    await cutAbove(2 * MOST_LISTED)
  }
  await cutAbove(MOST_LISTED)
  return lists
}

/** Returns the lists in the order of the queries, with the calls of more rows. Clients for which there was no room stay among the others. */
export async function withRows(
  queries: readonly BrownoutQuery[],
  lists: ReadonlyMap<string, ClientList>,
  rows: readonly BrownedClient[],
): Promise<readonly CallsByClient[]> {
  return inSlices(queries, ({ key }) => {
    const { clients, others, isCut } = lists.get(key) ?? newList()
    const list: ClientList = { clients: new Map(clients), others: { ...others }, isCut }
    for (const { client, calls } of rows) {
      const more = calls.get(key)
      if (more !== undefined) addTo(list, client, more)
    }
    cut(list, MOST_LISTED)
    return {
      clients: ranked(list).map(([client, counts]) => ({ client, ...shown(counts) })),
      others: shown(list.others),
    }
  })
}

function addTo({ clients, others, isCut }: ClientList, client: string, more: BrownoutCalls): void {
  const there = clients.get(client)
  const hasRoom = there !== undefined || !(isCut || NO_CLIENTS.has(client))
  // A copy, because the list may be read again.
  const sum = hasRoom ? { ...(there ?? newCounts()) } : others
  addCounts(sum, more)
  if (hasRoom) clients.set(client, sum)
}

/** Cuts a list of more than `most` clients. */
function cut(list: ClientList, most: number): void {
  if (list.clients.size <= most) return
  for (const [client, counts] of ranked(list).slice(MOST_LISTED)) {
    addCounts(list.others, counts)
    list.clients.delete(client)
  }
  list.isCut = true
}

/** The most calls since first. In an order that all replicas share. */
const ranked = ({ clients }: ClientList): readonly (readonly [string, Counts])[] =>
  [...clients].sort(
    ([one, a], [other, b]) =>
      b.since - a.since || b.refused - a.refused || b.before - a.before || (one < other ? -1 : 1),
  )

/** A call that was marked on another day than it was counted must not make a sum negative. */
const shown = ({ before, refused, since }: BrownoutCalls): BrownoutCalls => ({
  before: Math.max(before, 0),
  refused,
  since: Math.max(since, 0),
})
