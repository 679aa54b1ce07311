import { inSlices } from '../../observe/in-slices.ts'
import { StateError } from '../../state/state-error.ts'
import type { UsageKeeper } from '../keep-usage.ts'
import { sharedReads } from '../shared-reads.ts'
import { dayNumber } from '../store/day-number.ts'
import type { UsageRow } from '../usage.ts'
import type { UsageStore } from '../usage-store.ts'
import type { BrownoutMarks, BrownoutQuery } from './brownout-calls.ts'
import { type CallsByClient, type ClientList, listClients, withRows } from './list-clients.ts'
import { type BrownedClient, sumBrownouts } from './sum-brownouts.ts'

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
      return { lists: await withRows(queries, last, await unstored(queries)), isWhole: true }
    }
    try {
      return await share(JSON.stringify(queries), () => keeper.between(read))
    } catch (error) {
      if (!(error instanceof StateError)) throw error
      return { lists: await withRows(queries, last, await unstored(queries)), isWhole: false }
    }
  }
}

/** In slices, because there may be many rows. */
async function sumsOf(rows: Iterable<UsageRow>, queries: readonly BrownoutQuery[]): Promise<readonly BrownedClient[]> {
  const sums = sumBrownouts(queries)
  await inSlices(rows, ({ client, operation, day, calls, brownouts = {} }) => {
    const number = dayNumber(day)
    sums.calls(client, operation, number, calls)
    for (const key in brownouts) sums.marks(client, number, key, brownouts[key] as BrownoutMarks)
  })
  return sums.clients()
}
