import { within } from '../../common/promises.ts'
import { DAY_MS, dayOf } from '../../common/time.ts'
import { OTHERS } from '../../observe/traffic.ts'
import { StateError } from '../store/state-error.ts'
import { addUpDays, type DailyUsage } from './daily-usage.ts'
import type { UsageKeeper } from './keep-usage.ts'
import { type ClientsReport, reportUsage } from './report-usage.ts'
import { addUsage, MOST_DAYS, NOTHING_SEEN, type OperationUsage, type UsageRow, type WeekOfUsage } from './usage.ts'
import type { TypicalCall, UsageExamples } from './usage-examples.ts'
import type { UsageQuery, UsageStore } from './usage-store.ts'

/** A client's use of an operation, with its typical call if this process has seen one. */
export interface ClientOperation extends OperationUsage {
  readonly example: TypicalCall | undefined
}

/** Who uses what, over restarts and replicas: what is stored, and what this process has counted since. */
export interface KnownUsage {
  /**
   * Returns the use of at most 400 days, by client and operation. Rejects with a StateError.
   * @param isWhole whether to read what calls showed too, which takes much longer; else `seen` is empty.
   */
  since(
    days: number,
    only?: { readonly client?: string; readonly operation?: string; readonly isWhole?: boolean },
  ): Promise<readonly OperationUsage[]>
  /** Returns one client's operations, the most used first; empty if the client is not known. */
  ofClient(client: string, days: number): Promise<readonly ClientOperation[]>
  /** Returns `GET /clients`: the clients that called most recently first. Never rejects with a StateError. */
  report(days: number, operation?: string): Promise<ClientsReport>
  /** Returns the calls of the last 12 weeks. Rejects with a StateError. */
  weeks(): Promise<readonly WeekOfUsage[]>
  /** Returns the calls of at most 400 days by day, and when each client called. Rejects with a StateError. */
  daily(days: number): Promise<DailyUsage>
}

export interface KnownUsageOptions {
  readonly store: Pick<UsageStore, 'read' | 'weeks' | 'days'>
  readonly keeper: Pick<UsageKeeper, 'between' | 'unstored'>
  readonly examples: Pick<UsageExamples, 'of'>
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Returns the first day of a span that ends today; `YYYY-MM-DD`. */
export function firstDay(days: number, now: number): string {
  const span = Math.min(Math.max(Math.floor(days), 1), MOST_DAYS)
  return dayOf(now - (span - 1) * DAY_MS)
}

/** Adds what is stored and what this process has counted since. Identical reads share one result for a second, or longer if they take long. */
export function knownUsage({ store, keeper, examples, now }: KnownUsageOptions): KnownUsage {
  const read = sharedReads()
  const ask = (days: number, { client, operation, isSummary }: Omit<UsageQuery, 'since'>) => {
    const query = { since: firstDay(days, now()), client, operation, isSummary }
    return read(JSON.stringify(query), () =>
      keeper.between(async () => addRows(await store.read(query), keeper.unstored(), query)),
    )
  }
  return {
    since: (days, { isWhole = false, ...only } = {}) => ask(days, { ...only, isSummary: !isWhole }),
    async ofClient(client, days) {
      // Clients that count together have no rows of their own.
      const operations =
        client === OTHERS ? (await ask(days, {})).filter((one) => one.client === OTHERS) : await ask(days, { client })
      return operations.map((one) => ({ ...one, example: examples.of(client, one.operation) }))
    },
    async report(days, operation) {
      const query = { since: firstDay(days, now()), operation }
      try {
        return reportUsage(query.since, await ask(days, { operation }))
      } catch (error) {
        if (!(error instanceof StateError)) throw error
        return { ...reportUsage(query.since, addRows([], keeper.unstored(), query)), incomplete: true }
      }
    },
    weeks: () =>
      read('weeks', () => keeper.between(async () => addToday(await store.weeks(), keeper.unstored(), now()))),
    daily(days) {
      const since = firstDay(days, now())
      return read(`days since ${since}`, () =>
        keeper.between(() => addUpDays(store.days(since), keeper.unstored(), since)),
      )
    },
  }
}

/** The least and the most time for which a result is shared. */
const [FRESH_MS, MOST_FRESH_MS] = [1_000, 30_000]
/** A result is shared for so many times as long as it took to read: reading takes a tenth of the time at most. */
const SHARED_TIMES = 10
/** The most different results shared at once: they may be large. */
const MOST_SHARED = 8
/** How long a reader waits for the store. */
const PATIENCE_MS = 3_000

/**
 * Returns a function that reads and shares results: reads with the same key share one read under way, and its result for a second after it
 * ends, or longer if it took long: with 10,000 clients some seconds. A caller's wait rejects with a StateError after three seconds, but the read goes
 * on, and others can join it.
 */
export function sharedReads(): <T extends object>(key: string, read: () => Promise<T>) => Promise<T> {
  const shared = new Map<string, Promise<unknown>>()
  return <T extends object>(key: string, read: () => Promise<T>) => {
    const existing = shared.get(key) as Promise<T> | undefined
    if (existing !== undefined) return inTime(existing)
    const began = performance.now()
    const reading = read()
    if (shared.size < MOST_SHARED) {
      shared.set(key, reading)
      const forgetIn = (ms: number): void => void setTimeout(() => shared.delete(key), ms).unref()
      const took = (): number => performance.now() - began
      reading.then(
        () => forgetIn(Math.min(Math.max(took() * SHARED_TIMES, FRESH_MS), MOST_FRESH_MS)),
        () => forgetIn(FRESH_MS),
      )
    }
    return inTime(reading)
  }
}

async function inTime<T extends object>(reading: Promise<T>): Promise<T> {
  const result = await within(PATIENCE_MS, reading)
  if (result === undefined) throw new StateError('the state does not answer', true)
  return result
}

/** By client, then by operation. */
type ByName<T> = Map<string, Map<string, T>>

/** Adds unstored rows to stored ones, the most calls first. */
function addRows(
  stored: readonly OperationUsage[],
  rows: readonly UsageRow[],
  { since, client, operation, isSummary }: UsageQuery,
): readonly OperationUsage[] {
  const added: ByName<OperationUsage> = new Map()
  for (const { day, brownouts: _, ...counted } of rows) {
    const isWanted =
      day >= since &&
      (client === undefined || counted.client === client) &&
      (operation === undefined || counted.operation === operation)
    if (!isWanted) continue
    const row = isSummary === true ? { ...counted, seen: NOTHING_SEEN } : counted
    const known = added.get(row.client)?.get(row.operation)
    set(added, row, known === undefined ? row : { ...row, ...addUsage(known, row) })
  }
  const both = stored.map((row) => {
    const more = taken(added, row)
    return more === undefined ? row : { ...row, ...addUsage(row, more) }
  })
  return [...both, ...left(added)].sort((a, b) => b.calls - a.calls)
}

const WEEKS = 12

/** Adds the calls of unstored rows to the weeks. @param now ms since the epoch. */
function addToday(stored: readonly WeekOfUsage[], rows: readonly UsageRow[], now: number): readonly WeekOfUsage[] {
  const today = Math.floor(now / DAY_MS)
  const weeks = Array.from({ length: WEEKS }, (): ByName<WeekOfUsage> => new Map())
  for (const { day, client, operation, calls } of rows) {
    const weeksAgo = Math.max(Math.floor((today - Date.parse(day) / DAY_MS) / 7), 0)
    const week = weeks[weeksAgo]
    if (week === undefined) continue
    const known = week.get(client)?.get(operation)?.calls ?? 0
    set(week, { client, operation }, { client, operation, weeksAgo, calls: known + calls })
  }
  const both = stored.map((row) => {
    const more = taken(weeks[row.weeksAgo] ?? new Map<string, never>(), row)
    return more === undefined ? row : { ...row, calls: row.calls + more.calls }
  })
  return [...both, ...weeks.flatMap(left)]
}

type Names = Pick<WeekOfUsage, 'client' | 'operation'>

function set<T>(all: ByName<T>, { client, operation }: Names, value: T): void {
  const ofClient = all.get(client) ?? new Map<string, T>()
  all.set(client, ofClient)
  ofClient.set(operation, value)
}

/** Removes and returns a value. */
function taken<T>(all: ByName<T>, { client, operation }: Names): T | undefined {
  const ofClient = all.get(client)
  const value = ofClient?.get(operation)
  ofClient?.delete(operation)
  return value
}

const left = <T>(all: ByName<T>): readonly T[] => [...all.values()].flatMap((ofClient) => [...ofClient.values()])
