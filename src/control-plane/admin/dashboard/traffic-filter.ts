import { html } from 'hono/html'
import { count } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import { MINUTE_MS } from '../../../common/time.ts'
import { LATENCY_BUCKETS } from '../../../observe/latency.ts'
import {
  MOST_CLIENTS,
  OTHERS,
  type TotalCounts,
  type TrafficSnapshot,
  UNIDENTIFIED,
  UNKNOWN,
} from '../../../observe/traffic.ts'
import type { RowCounts } from '../../../observe/traffic-minutes.ts'
import { select, selectOperation, withQuery } from './fragments.ts'

const RANGES = [
  ['15', 'last 15 minutes'],
  ['60', 'last hour'],
  ['180', 'last 3 hours'],
] as const
const DEFAULT_MINUTES = 60

/** Reads the filter from the query. Empty values and unknown ranges count as not given. */
export function readTrafficFilter(query: (name: string) => string | undefined): TrafficFilter {
  const parameter = (name: string): string | undefined => query(name)?.trim() || undefined
  const minutes = Number(RANGES.find(([range]) => range === parameter('minutes'))?.[0] ?? DEFAULT_MINUTES)
  const page = (name: string) => (/^[1-9]\d{0,5}$/.test(parameter(name) ?? '') ? Number(parameter(name)) : 1)
  const pages = { page: page('page'), clientsPage: page('clientsPage') }
  return { operation: parameter('operation'), client: parameter('client'), minutes, ...pages }
}

/** Names the selected time. */
export const rangeName = (filter: TrafficFilter): string =>
  RANGES.find(([minutes]) => minutes === `${filter.minutes}`)?.[1] ?? `last ${filter.minutes} minutes`

/** Returns a link to the traffic page with this filter, changed; to the first page of each table unless told otherwise. */
export function withFilter(filter: TrafficFilter, change: Partial<TrafficFilter>): string {
  const { operation, client, minutes, ...pages } = { ...filter, page: 1, clientsPage: 1, ...change }
  const [page, clientsPage] = [pages.page, pages.clientsPage].map((number) => (number > 1 ? number : undefined))
  return withQuery('/traffic', { operation, client, minutes, page, clientsPage })
}

/** The most suggestions in a datalist: more would not help. */
const MOST_SUGGESTED = 200

export function filterForm(filter: TrafficFilter, mapped: readonly string[], { totals }: TrafficSnapshot): Html {
  const clients = [...new Set(totals.map(({ client }) => client))].slice(0, MOST_SUGGESTED)
  return html`<form class="filter" method="get" action="/traffic">
${selectOperation([...mapped, UNKNOWN], filter.operation)}
<p><label for="client">Client</label>
<input id="client" name="client" list="clients" value="${filter.client ?? ''}" placeholder="all" autocomplete="off" spellcheck="false">
<datalist id="clients">${clients.map((name) => html`<option value="${name}"></option>`)}</datalist></p>
${select('minutes', 'Time', RANGES, `${filter.minutes}`)}
<p class="buttons"><button type="submit">Show</button> <a href="/traffic">Reset</a></p>
</form>
${totals.some(({ client }) => client === OTHERS) ? html`<p class="quiet">Clients beyond the first ${count(MOST_CLIENTS)} since startup are counted under <code>${OTHERS}</code>.</p>` : ''}
${totals.some(({ client }) => client === UNIDENTIFIED) ? html`<p class="quiet">Calls whose client no login, no token from the gateway and no service has confirmed are counted under <code>${UNIDENTIFIED}</code>; the log has their addresses.</p>` : ''}`
}

/** The selected part of the traffic. */
export interface TrafficFilter {
  /** Undefined for all operations. */
  readonly operation: string | undefined
  readonly client: string | undefined
  /** How many minutes back, including the current one. */
  readonly minutes: number
  /** The page of the table of operations and clients, from 1. */
  readonly page: number
  /** The page of the table of clients, from 1. */
  readonly clientsPage: number
}

export interface Sum {
  readonly calls: number
  /** Calls with a status of 400 to 499. */
  readonly clientErrors: number
  /** Calls with a status of 500 or above. */
  readonly serverErrors: number
  readonly latencies: readonly number[]
}

export interface TrafficSummary {
  /** The beginnings of the first and the last selected minute, in milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  readonly all: Sum
  /** The calls of the selected minutes and operation that count under `OTHERS`, whatever the selected client. */
  readonly byOthers: number
  /** The minutes that had calls, oldest first. */
  readonly byMinute: readonly (readonly [at: number, sum: Sum])[]
  /** Most calls first. */
  readonly byOperation: readonly (readonly [operation: string, sum: Sum])[]
  readonly byClient: readonly (readonly [client: string, sum: Sum])[]
  /** Totals since startup, whatever the selected time; most calls first. */
  readonly totals: readonly TotalCounts[]
}

/** Adds up the calls that match the filter. */
export function summariseTraffic({ now, minutes, totals }: TrafficSnapshot, filter: TrafficFilter): TrafficSummary {
  const matches = ({ operation, client }: { readonly operation: string; readonly client: string }): boolean =>
    (filter.operation ?? operation) === operation && (filter.client ?? client) === client
  const to = Math.floor(now / MINUTE_MS) * MINUTE_MS
  const from = to - (filter.minutes - 1) * MINUTE_MS
  const byOperation = new Map<string, GrowingSum>()
  const byClient = new Map<string, GrowingSum>()
  let byOthers = 0
  const selected = minutes.filter(({ at }) => at >= from && at <= to)
  const byMinute = selected.map(({ at, counts }) => {
    const sum = newSum()
    for (const row of counts) {
      if (row.client === OTHERS && matches({ ...row, client: filter.client ?? OTHERS })) byOthers += row.calls
      if (!matches(row)) continue
      for (const growing of [sum, sumIn(byOperation, row.operation), sumIn(byClient, row.client)]) add(growing, row)
    }
    return [at, sum] as const
  })
  const all = newSum()
  for (const [, sum] of byMinute) add(all, sum)
  return {
    from,
    to,
    all,
    byOthers,
    byMinute: byMinute.filter(([, { calls }]) => calls > 0),
    byOperation: mostFirst(byOperation),
    byClient: mostFirst(byClient),
    totals: totals.filter(matches).sort((a, b) => b.calls - a.calls),
  }
}

type GrowingSum = { -readonly [Name in keyof Sum]: Sum[Name] } & { readonly latencies: number[] }

const newSum = (): GrowingSum => ({
  ...{ calls: 0, clientErrors: 0, serverErrors: 0 },
  latencies: new Array<number>(LATENCY_BUCKETS).fill(0),
})

function sumIn(sums: Map<string, GrowingSum>, key: string): GrowingSum {
  const sum = sums.get(key) ?? newSum()
  sums.set(key, sum)
  return sum
}

function add(sum: GrowingSum, { calls, clientErrors, serverErrors, latencies }: RowCounts): void {
  sum.calls += calls
  sum.clientErrors += clientErrors
  sum.serverErrors += serverErrors
  for (let bucket = 0; bucket < LATENCY_BUCKETS; bucket++) {
    sum.latencies[bucket] = (sum.latencies[bucket] ?? 0) + (latencies[bucket] ?? 0)
  }
}

const mostFirst = (sums: ReadonlyMap<string, Sum>): readonly (readonly [string, Sum])[] =>
  [...sums].sort(([, a], [, b]) => b.calls - a.calls)
