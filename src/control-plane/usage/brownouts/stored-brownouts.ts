import { OTHERS, UNIDENTIFIED } from '../../../observe/traffic.ts'
import { MOST_LISTED } from '../../rollout/brownout-rule.ts'
import { StateError } from '../../store/state-error.ts'
import type { UsageKeeper } from '../keep-usage.ts'
import { dayNumber } from '../store/day-number.ts'
import { sharedReads } from '../stored-usage.ts'
import type { UsageRow } from '../usage.ts'
import type { UsageStore } from '../usage-store.ts'
import {
  addCounts,
  type BrownedClient,
  type BrownoutCalls,
  type BrownoutMarks,
  type BrownoutQuery,
  type Counts,
  newCounts,
  sumBrownouts,
} from './brownout-calls.ts'

/** The calls of brownouts that have begun. */
export interface CountedBrownouts {
  /** In the order of the queries. */
  readonly lists: readonly CallsByClient[]
  /** False while the store cannot be read: then the lists have what was read last, and what this process has counted but not stored. */
  readonly isWhole: boolean
}

/** Returns the calls of brownouts, over restarts and replicas; they may be a second old. Never rejects with a StateError. */
export type KnownBrownouts = (queries: readonly BrownoutQuery[]) => Promise<CountedBrownouts>

export interface KnownBrownoutsOptions {
  readonly store: Pick<UsageStore, 'brownouts'>
  readonly keeper: Pick<UsageKeeper, 'between' | 'unstored'>
}

export function knownBrownouts({ store, keeper }: KnownBrownoutsOptions): KnownBrownouts {
  const share = sharedReads()
  /** What was read last, by key. */
  let last: ReadonlyMap<string, ClientList> = new Map()
  const unstored = (queries: readonly BrownoutQuery[]) => sumsOf(keeper.unstored(), queries)
  return async (queries) => {
    if (queries.length === 0) return { lists: [], isWhole: true }
    const read = async (): Promise<CountedBrownouts> => {
      last = await listClients(queries, store.brownouts(queries))
      return { lists: withRows(queries, last, unstored(queries)), isWhole: true }
    }
    try {
      return await share(JSON.stringify(queries), () => keeper.between(read))
    } catch (error) {
      if (!(error instanceof StateError)) throw error
      return { lists: withRows(queries, last, unstored(queries)), isWhole: false }
    }
  }
}

function sumsOf(rows: readonly UsageRow[], queries: readonly BrownoutQuery[]): readonly BrownedClient[] {
  const sums = sumBrownouts(queries)
  for (const { client, operation, day, calls, brownouts = {} } of rows) {
    const number = dayNumber(day)
    sums.calls(client, operation, number, calls)
    for (const key in brownouts) sums.marks(client, number, key, brownouts[key] as BrownoutMarks)
  }
  return sums.clients()
}

/** A brownout's calls by client, and of all others together: callers without a known name, and clients beyond 1,000. */
interface CallsByClient {
  readonly clients: readonly (BrownoutCalls & { readonly client: string })[]
  readonly others: BrownoutCalls
}

/** The same before it is sorted. */
interface ClientList {
  readonly clients: Map<string, Counts>
  readonly others: Counts
  /** Whether `others` has clients for which there was no room. */
  isCut: boolean
}

const NO_CLIENTS: ReadonlySet<string> = new Set([OTHERS, UNIDENTIFIED])

const newList = (): ClientList => ({ clients: new Map(), others: newCounts(), isCut: false })

/**
 * Lists the clients of each brownout, by its key: at most 1,000, those with the most calls since. In bounded memory.
 * @param pages each client is on one page only.
 */
async function listClients(
  queries: readonly BrownoutQuery[],
  pages: AsyncIterable<readonly BrownedClient[]>,
): Promise<ReadonlyMap<string, ClientList>> {
  const lists = new Map(queries.map(({ key }) => [key, newList()]))
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
    for (const list of lists.values()) cut(list, 2 * MOST_LISTED)
  }
  for (const list of lists.values()) cut(list, MOST_LISTED)
  return lists
}

/** Returns the lists in the order of the queries, with the calls of more rows. Clients for which there was no room stay among the others. */
function withRows(
  queries: readonly BrownoutQuery[],
  lists: ReadonlyMap<string, ClientList>,
  rows: readonly BrownedClient[],
): readonly CallsByClient[] {
  return queries.map(({ key }) => {
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
