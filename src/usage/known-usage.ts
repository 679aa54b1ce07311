import { StateError } from '../state/state-error.ts'
import type { UsageKeeper } from './keep-usage.ts'
import { reportUsage } from './report-usage.ts'
import { sharedReads } from './shared-reads.ts'
import { addRows, addToday } from './sum-usage.ts'
import { KEPT_DAYS, type OperationUsage, type WeekOfUsage } from './usage.ts'
import type { UsageExamples } from './usage-examples.ts'
import type { UsageQuery, UsageStore } from './usage-store.ts'

/** A call of a client, redacted as in a recording. It is in memory only. */
export interface UsageExample {
  readonly method: string
  /** As the legacy service knows it, without a query. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  readonly language: 'tr' | 'en'
  /** JSON; undefined: there was no body. */
  readonly body: string | undefined
}

/** A client's use of an operation, with its last successful call if this process has seen it. */
export interface ClientOperation extends OperationUsage {
  readonly example: UsageExample | undefined
}

/** `GET /clients`. Shapes as in docs/clients.md. */
export interface ClientsReport {
  /** When the span begins; ISO 8601. */
  readonly since: string
  /** `STATE_DB` cannot be read now: these are the calls that this process has counted and not stored. */
  readonly incomplete?: true
  readonly clients: readonly {
    readonly client: string
    readonly calls: number
    readonly lastAt: string
    readonly firstAt: string
    readonly operations: Readonly<Record<string, ReportedUsage>>
  }[]
}

export interface ReportedUsage {
  readonly calls: number
  readonly firstAt: string
  readonly lastAt: string
  readonly errors: number
  readonly byV1: number
  readonly byLegacy: number
  /** How many calls were looked at for what follows. */
  readonly seen: number
  readonly members: Readonly<Record<string, number>>
  readonly agents: readonly string[]
}

/** Who uses what, over restarts and replicas: what is stored, and what this process has counted since. */
export interface KnownUsage {
  /** Returns the use of at most 400 days, by client and operation, without what calls showed: `seen` is empty. Rejects with a StateError. */
  since(
    days: number,
    only?: { readonly client?: string; readonly operation?: string },
  ): Promise<readonly OperationUsage[]>
  /** Returns one client's operations, the most used first; empty: it is not known. */
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

const DAY_MS = 86_400_000

/** Returns the first day of a span that ends today; `YYYY-MM-DD`. */
export function firstDay(days: number, now: number): string {
  const span = Math.min(Math.max(Math.floor(days), 1), KEPT_DAYS)
  return new Date(now - (span - 1) * DAY_MS).toISOString().slice(0, 10)
}

/** Adds what is stored and what this process has counted since. Who asks for the same within a second gets the same. */
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
      const operations = await ask(days, { client })
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
