import { count, counted } from '../../../common/figures.ts'
import { dayOf } from '../../../common/time.ts'
import { OTHERS, type TrafficSnapshot, UNIDENTIFIED } from '../../../observe/traffic.ts'
import { type CallingDays, SILENT_DAYS, silentSince } from '../../usage/daily-usage.ts'
import type { KnownUsage } from '../../usage/stored-usage.ts'
import { MOST_AGENTS, NOTHING_SEEN, type OperationUsage, type WeekOfUsage } from '../../usage/usage.ts'
import { unlessAway } from '../answers.ts'
import { type ClientsFilter, folded, sorted } from './clients-filter.ts'
import type { DashboardSources } from './sources.ts'

/** A client has stopped if it called within these days, but not within `SILENT_DAYS`. Both are whole days (UTC), up to and including today. */
export const CALLED_DAYS = 90
export { SILENT_DAYS }

/** The clients that match a filter. */
export interface ClientsKnown {
  /** Those that still call, in the order of the filter: what they called within its days. */
  readonly calling: readonly ClientUsage[]
  /** Those that have stopped, the latest to stop first: what they called within `stoppedDays`. */
  readonly stopped: readonly ClientUsage[]
  readonly stoppedDays: number
  /** Calls within the filter's days of unidentified clients, and of those that count together. */
  readonly unnamed: readonly ClientUsage[]
  /** Whether anyone called within the filter's days. */
  readonly isCalled: boolean
  /** Undefined: usage cannot be read now. */
  readonly weeks: readonly WeekOfUsage[] | undefined
  /** Set if usage cannot be read now: the clients are those counted since then. Undefined if they are those of the filter's days. */
  readonly countedSince: number | undefined
}

type Sources = Pick<DashboardSources, 'usage' | 'traffic'>

/** Returns who calls and who has stopped. While usage cannot be read, returns what this process has counted since it started. */
export async function clientsKnown(
  { usage, traffic }: Sources,
  filter: ClientsFilter,
  wanted = { weeks: true },
): Promise<ClientsKnown> {
  const { days, operation } = filter
  const only = operation === undefined ? {} : { operation }
  const stoppedDays = Math.max(days, CALLED_DAYS)
  const snapshot = traffic()
  const stored = await unlessAway(
    Promise.all([
      usage.since(days, only),
      days === stoppedDays ? undefined : usage.since(stoppedDays, only),
      wanted.weeks ? usage.weeks() : [],
    ]),
  )
  const counted = stored === undefined ? countedCalls(snapshot, only) : undefined
  const [rows, longer, weeks] = stored ?? [counted?.rows ?? [], undefined, undefined]
  const clients = matching(rows, filter)
  const earlier = longer === undefined ? clients : matching(longer, filter)
  const border = silentSince(snapshot.now)
  const named = clients.filter(({ client }) => isNamed(client))
  const still = named.filter(({ lastAt }) => lastAt >= border)
  const calling = sorted(still, filter)
  const gone = earlier.filter(({ client, lastAt }) => lastAt < border && isNamed(client))
  return {
    calling,
    stopped: sorted(gone, { sort: 'last', order: 'desc' }),
    ...{ stoppedDays, weeks, isCalled: named.length > 0, countedSince: counted?.countedSince },
    unnamed: clients.filter(({ client }) => !isNamed(client)),
  }
}

function matching(rows: readonly OperationUsage[], { client: part }: ClientsFilter): readonly ClientUsage[] {
  const clients = byClient(rows)
  if (part === undefined) return clients
  const wanted = folded(part)
  return clients.filter(({ client }) => client.includes(part) || folded(client).includes(wanted))
}

/** The numbers of clients that still call, and of those that have stopped. */
export interface ClientNumbers {
  readonly calling: number
  /** Those of them that have called today (UTC). */
  readonly today: number
  readonly stopped: number
  /** The names of those that still call and are no clients: unidentified ones, and those that count together. */
  readonly unnamed: readonly string[]
}

/** Counts the clients of the last `CALLED_DAYS`, split by whether they called within `SILENT_DAYS`. */
export function clientNumbers(clients: ReadonlyMap<string, CallingDays>, now: number): ClientNumbers {
  const border = silentSince(now)
  const named = [...clients].filter(([client]) => isNamed(client))
  const calling = named.filter(([, { last }]) => last >= border).length
  const unnamed = [...clients].flatMap(([client, { last }]) => (last >= border && !isNamed(client) ? [client] : []))
  const today = named.filter(([, { last }]) => last >= dayOf(now)).length
  return { calling, today, stopped: named.length - calling, unnamed }
}

/** Says how many clients call: `12 clients still call (4 today); 3 have stopped. Some calls have no identified client.` */
export function numbersInWords({ calling, today, stopped, unnamed }: ClientNumbers): string {
  const nobody = `No ${unnamed.length === 0 ? '' : 'identified '}client calls`
  const some = `${counted(calling, 'client still calls', 'clients still call')} (${today === 0 ? 'none' : count(today)} today)`
  const still = calling === 0 ? nobody : some
  return `${still}; ${stopped === 0 ? 'none has' : counted(stopped, 'has', 'have')} stopped.${unnamedInWords(unnamed)}`
}

/** The calls of a client within some days. */
export interface ClientUsage {
  readonly client: string
  readonly calls: number
  /** Statuses of 400 and above. */
  readonly errors: number
  readonly byV1: number
  readonly byLegacy: number
  /** ISO 8601. */
  readonly lastAt: string
  /** The most calls first. */
  readonly operations: readonly OperationUsage[]
}

/** Whether a name is a client's own, and does not stand for unidentified clients or for all others together. */
export const isNamed = (client: string): boolean => client !== OTHERS && client !== UNIDENTIFIED

/** Says which of these names stand for more than a client: ` Some calls have no identified client.`, or nothing. */
export function unnamedInWords(names: readonly string[]): string {
  const unidentified = names.includes(UNIDENTIFIED) ? ' Some calls have no identified client.' : ''
  return `${unidentified}${names.includes(OTHERS) ? ' Some calls are of further clients, which count together.' : ''}`
}

/** Adds up who called what. */
export const byClient = (rows: readonly OperationUsage[]): readonly ClientUsage[] =>
  Array.from(
    Map.groupBy(rows, ({ client }) => client),
    ([client, operations]) => addedUp(client, operations),
  )

function addedUp(client: string, rows: readonly OperationUsage[]): ClientUsage {
  const sum = { client, calls: 0, errors: 0, byV1: 0, byLegacy: 0, lastAt: '' }
  for (const { calls, clientErrors, serverErrors, byV1, byLegacy, lastAt } of rows) {
    sum.calls += calls
    sum.errors += clientErrors + serverErrors
    sum.byV1 += byV1
    sum.byLegacy += byLegacy
    if (lastAt > sum.lastAt) sum.lastAt = lastAt
  }
  return { ...sum, operations: rows.length < 2 ? rows : rows.toSorted((a, b) => b.calls - a.calls) }
}

/** Returns a client's user agents, those of its latest calls first, at most `MOST_AGENTS`. */
export function agentsOf(rows: readonly OperationUsage[]): readonly string[] {
  const latest = rows.toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : -1))
  return [...new Set(latest.flatMap(({ agents }) => agents))].slice(0, MOST_AGENTS)
}

/** The number of weeks that are shown. */
export const WEEKS = 12

/** Returns the calls of some clients in each week, the oldest first. */
export function weeksOf(
  weeks: readonly WeekOfUsage[],
  clients: Iterable<string>,
  operation?: string,
): ReadonlyMap<string, readonly number[]> {
  const callsOf = new Map(Array.from(clients, (client) => [client, new Array<number>(WEEKS).fill(0)]))
  for (const week of weeks) {
    const calls = callsOf.get(week.client)
    if (calls === undefined || (operation !== undefined && week.operation !== operation)) continue
    const index = WEEKS - 1 - week.weeksAgo
    if (calls[index] !== undefined) calls[index] += week.calls
  }
  return callsOf
}

/** Calls by client and operation. */
interface KnownCalls {
  readonly rows: readonly OperationUsage[]
  /** Set if usage cannot be read now: the calls are those counted since then. Undefined if they are those of the requested days. */
  readonly countedSince: number | undefined
}

/** Returns the usage of some days. While usage cannot be read, returns what this process has counted in memory since it started. */
export async function usageOrTraffic(
  { usage, traffic }: Pick<DashboardSources, 'usage' | 'traffic'>,
  days: number,
  only: Parameters<KnownUsage['since']>[1] = {},
): Promise<KnownCalls> {
  const rows = await unlessAway(usage.since(days, only))
  return rows === undefined ? countedCalls(traffic(), only) : { rows, countedSince: undefined }
}

/** Returns what this process has counted in memory since it started. */
export function countedCalls(
  { totals, since }: Pick<TrafficSnapshot, 'totals' | 'since'>,
  { client, operation }: NonNullable<Parameters<KnownUsage['since']>[1]> = {},
): KnownCalls {
  const firstAt = new Date(since).toISOString()
  const rows = totals
    .filter(
      (row) =>
        (client === undefined || row.client === client) && (operation === undefined || row.operation === operation),
    )
    .map(
      ({ lastAt, ...row }): OperationUsage => ({
        ...row,
        ...{ firstAt, lastAt: new Date(lastAt).toISOString(), agents: [], seen: NOTHING_SEEN },
      }),
    )
  return { rows, countedSince: since }
}
