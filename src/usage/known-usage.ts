import { DAY_MS, dayOf } from '../common/time.ts'
import { OTHERS } from '../observe/traffic.ts'
import { StateError } from '../state/state-error.ts'
import type { UsageKeeper } from './keep-usage.ts'
import { type ClientsReport, reportUsage } from './report-usage.ts'
import { sharedReads } from './shared-reads.ts'
import { addRows, addToday } from './sum-usage.ts'
import { KEPT_DAYS, type OperationUsage, type WeekOfUsage } from './usage.ts'
import type { UsageExample, UsageExamples } from './usage-examples.ts'
import type { UsageQuery, UsageStore } from './usage-store.ts'

/** A client's use of an operation, with its last successful call if this process has seen it. */
export interface ClientOperation extends OperationUsage {
  readonly example: UsageExample | undefined
}

/** Who uses what, over restarts and replicas: what is stored, and what this process has counted since. */
export interface KnownUsage {
  /** Returns the use of at most 400 days, by client and operation, without what calls showed: `seen` is empty. Rejects with a StateError. */
  since(
    days: number,
    only?: { readonly client?: string; readonly operation?: string },
  ): Promise<readonly OperationUsage[]>
  /** Returns one client's operations, the most used first; empty if the client is not known. */
  ofClient(client: string, days: number): Promise<readonly ClientOperation[]>
  /** Returns `GET /clients`: the clients that called most recently first. Never rejects with a StateError. */
  report(days: number, operation?: string): Promise<ClientsReport>
  /** Returns the calls of the last 12 weeks. Rejects with a StateError. */
  weeks(): Promise<readonly WeekOfUsage[]>
}

export interface KnownUsageOptions {
  readonly store: Pick<UsageStore, 'read' | 'weeks'>
  readonly keeper: Pick<UsageKeeper, 'between' | 'unstored'>
  readonly examples: Pick<UsageExamples, 'of'>
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Returns the first day of a span that ends today; `YYYY-MM-DD`. */
export function firstDay(days: number, now: number): string {
  const span = Math.min(Math.max(Math.floor(days), 1), KEPT_DAYS)
  return dayOf(now - (span - 1) * DAY_MS)
}

/** Adds what is stored and what this process has counted since. Identical reads within a second share one result. */
export function knownUsage({ store, keeper, examples, now }: KnownUsageOptions): KnownUsage {
  const read = sharedReads()
  const ask = (days: number, { client, operation, isSummary }: Omit<UsageQuery, 'since'>) => {
    const query = { since: firstDay(days, now()), client, operation, isSummary }
    return read(JSON.stringify(query), () =>
      keeper.between(async () => addRows(await store.read(query), keeper.unstored(), query)),
    )
  }
  return {
    since: (days, only = {}) => ask(days, { ...only, isSummary: true }),
    async ofClient(client, days) {
      // Clients that count together have no rows of their own.
      const operations =
        client === OTHERS ? (await ask(days, {})).filter((one) => one.client === OTHERS) : await ask(days, { client })
      return operations.map((one) => ({ ...one, example: examples.of(client, one.operation) }))
    },
    async report(days, operation) {
      const query = { since: firstDay(days, now()), operation }
      try {
        return await reportUsage(query.since, await ask(days, { operation }))
      } catch (error) {
        if (!(error instanceof StateError)) throw error
        return { ...(await reportUsage(query.since, await addRows([], keeper.unstored(), query))), incomplete: true }
      }
    },
    weeks: () =>
      read('weeks', () => keeper.between(async () => addToday(await store.weeks(), keeper.unstored(), now()))),
  }
}
