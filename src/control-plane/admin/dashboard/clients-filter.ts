import { html } from 'hono/html'
import type { Html } from '../../../common/tables.ts'
import { UNKNOWN } from '../../../observe/traffic.ts'
import { select, selectOperation, withQuery } from './fragments.ts'
import type { ClientUsage } from './known-clients.ts'

/** The spans to choose from; the last covers everything that is kept. */
export const DAYS = [7, 30, 90, 400] as const
/** The span if none is chosen. */
const DEFAULT_DAYS = 30

/** The columns that clients can be sorted by: numbers start with the largest, names with A. */
const SORTS = {
  client: { name: 'client', of: ({ client }) => folded(client) },
  operations: { name: 'operations', of: ({ operations }) => operations.length },
  calls: { name: 'calls', of: ({ calls }) => calls },
  errors: { name: 'errors', of: ({ errors }) => errors },
  v1: { name: 'calls by v1', of: ({ byV1 }) => byV1 },
  legacy: { name: 'calls by legacy', of: ({ byLegacy }) => byLegacy },
  last: { name: 'last call', of: ({ lastAt }) => lastAt },
} as const satisfies Record<string, { name: string; of: (client: ClientUsage) => number | string }>

export type Sort = keyof typeof SORTS
type Order = 'asc' | 'desc'

/** Which clients to show, and in which order. */
export interface ClientsFilter {
  /** A text that a client's name must contain; undefined for any client. */
  readonly client: string | undefined
  readonly operation: string | undefined
  readonly days: number
  readonly sort: Sort
  readonly order: Order
  /** Pages from 1: `page` of the clients that call, `stopped` of those that have stopped. */
  readonly page: number
  readonly stopped: number
}

const firstOrder = (sort: Sort): Order => (sort === 'client' ? 'asc' : 'desc')

/** Reads the filter from the query. Ignores invalid values. */
export function readClientsFilter(query: (name: string) => string | undefined): ClientsFilter {
  const parameter = (name: string): string | undefined => query(name)?.trim() || undefined
  const page = (name: string): number => (/^[1-9]\d{0,4}$/.test(parameter(name) ?? '') ? Number(parameter(name)) : 1)
  const sort = (Object.keys(SORTS) as Sort[]).find((name) => name === parameter('sort')) ?? 'calls'
  const order = (['asc', 'desc'] as const).find((name) => name === parameter('order')) ?? firstOrder(sort)
  return {
    ...{ client: parameter('client'), operation: parameter('operation'), days: readDays(parameter('days')) },
    ...{ sort, order, page: page('page'), stopped: page('stopped') },
  }
}

/** Reads how many days to show. Ignores any value that is not in `DAYS`. */
export const readDays = (text: string | undefined): number => DAYS.find((days) => `${days}` === text) ?? DEFAULT_DAYS

/** Returns the path of a page with this filter, changed. Leaves out defaults. */
export function clientsPath(filter: ClientsFilter, change: Partial<ClientsFilter> = {}, path = '/clients'): string {
  const { client, operation, days, sort, order, page, stopped } = { ...filter, ...change }
  return withQuery(path, {
    ...{ client, operation },
    days: days === DEFAULT_DAYS ? undefined : days,
    sort: sort === 'calls' ? undefined : sort,
    order: order === firstOrder(sort) ? undefined : order,
    page: page > 1 ? page : undefined,
    stopped: stopped > 1 ? stopped : undefined,
  })
}

/** Returns the sort link of a column, which reverses the order if the page is already sorted by it, and the column's present order. */
export const sortedBy = (filter: ClientsFilter, sort: Sort) => {
  const isCurrent = filter.sort === sort
  const turned: Order = filter.order === 'asc' ? 'desc' : 'asc'
  return {
    href: clientsPath(filter, { sort, order: isCurrent ? turned : firstOrder(sort), page: 1 }),
    order: isCurrent ? (filter.order === 'asc' ? ('ascending' as const) : ('descending' as const)) : undefined,
  }
}

/** Sorts clients. Equal clients are sorted by calls, then by name. */
export function sorted(
  clients: readonly ClientUsage[],
  { sort, order }: Pick<ClientsFilter, 'sort' | 'order'>,
): readonly ClientUsage[] {
  const { of } = SORTS[sort]
  const way = order === 'asc' ? 1 : -1
  return clients
    .map((client) => ({ client, by: of(client) }))
    .sort((a, b) => {
      if (a.by !== b.by) return a.by < b.by ? -way : way
      return b.client.calls - a.client.calls || (a.client.client < b.client.client ? -1 : 1)
    })
    .map(({ client }) => client)
}

/** Returns a name in the form used for searching: lower case without accents, so that `izmir` finds `İzmir`, and `isik` finds `Işık`. */
export const folded = (name: string): string =>
  name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i')

const SPANS = DAYS.map((days) => [`${days}`, `last ${days} days`] as const)
const SORT_NAMES = Object.entries(SORTS).map(([sort, { name }]) => [sort, name] as const)

/** Returns the form of the filter. */
export const clientsForm = ({ client, operation, days, sort }: ClientsFilter, mapped: readonly string[]): Html =>
  html`<form class="filter" method="get" action="/clients">
<p><label for="client">Client’s name contains</label>
<input id="client" name="client" value="${client ?? ''}" placeholder="anything" autocomplete="off" spellcheck="false" dir="auto"></p>
${selectOperation([...mapped, UNKNOWN], operation)}
${select('days', 'Time', SPANS, `${days}`)}
${select('sort', 'Sort by', SORT_NAMES, sort)}
<p class="buttons"><button type="submit">Show</button> <a href="/clients">Reset</a></p>
</form>`

/** Browsers remove these from a path, however they are encoded. */
const DOTS = ['.', '..']

/** Whether a client can be named in a path. */
const isInPaths = (client: string): boolean => !DOTS.includes(client)

const encoded = (client: string): string => encodeURIComponent(client.toWellFormed())

/** Returns the path of a client's page. A name that no path can hold goes into the query. */
export function clientPath(client: string, days?: number): string {
  return withQuery(`/clients/${isInPaths(client) ? encoded(client) : '~'}`, {
    client: isInPaths(client) ? undefined : client,
    days: days === DEFAULT_DAYS ? undefined : days,
  })
}

/** Returns the path of a client's guide, with the name placed as in `clientPath`. */
export const guidePath = (client: string): string =>
  isInPaths(client) ? `/clients/${encoded(client)}/guide` : `/clients/~/guide?client=${client}`

/** Renders a name as a link to its client's page. Right-to-left text affects only the name itself. */
export const clientLink = (client: string, days?: number): Html =>
  html`<a class="client" href="${clientPath(client, days)}"><bdi>${client}</bdi></a>`

/** Returns the path of the page of an operation's clients. */
export const clientsOf = (operation: string): string => `/clients?operation=${encodeURIComponent(operation)}`
