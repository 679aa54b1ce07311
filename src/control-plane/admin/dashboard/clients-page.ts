import { html } from 'hono/html'
import { count, counted } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import { dayOf } from '../../../common/time.ts'
import { type ClientsFilter, clientLink, clientsForm, clientsPath, type Sort, sortedBy } from './clients-filter.ts'
import { callsOfThisReplica } from './fleet-page.ts'
import { type Column, clipped, joined, numberColumn, part, table, time, weekBars } from './fragments.ts'
import {
  agentsOf,
  CALLED_DAYS,
  type ClientsKnown,
  type ClientUsage,
  clientsKnown,
  numbersInWords,
  SILENT_DAYS,
  weeksOf,
} from './known-clients.ts'
import type { Page } from './layout.ts'
import type { DashboardSources } from './sources.ts'

const MOST_ROWS = 200
const MOST_STOPPED = 50

/** Renders who still calls, which operations and how often, and who has stopped. */
export async function clientsPage(sources: DashboardSources, filter: ClientsFilter): Promise<Page> {
  const clients = await clientsKnown(sources, filter)
  const { calling, stopped, stoppedDays, weeks, countedSince } = clients
  const shown = part(calling, filter.page, MOST_ROWS)
  const today = dayOf(sources.traffic().now)
  const numbers = {
    ...{ calling: calling.length, today: calling.filter(({ lastAt }) => dayOf(lastAt) >= today).length },
    ...{ stopped: stopped.length, unnamed: clients.unnamed.map(({ client }) => client) },
  }
  const shownStopped = part(stopped, filter.stopped, MOST_STOPPED)
  const names = [...shown.items, ...shownStopped.items].map(({ client }) => client)
  const trends = weeks === undefined ? undefined : weeksOf(weeks, names, filter.operation)
  const content = html`<h1>Clients</h1>
<p class="verdict-sentence">${numbersInWords(numbers)}</p>
<p class="lead">Who calls the legacy interface, and which operations. Calls are counted per day, and the counts are kept for 400 days. A client has stopped if it called in the last ${CALLED_DAYS} days, but not in the last ${SILENT_DAYS}.</p>
${countedSince === undefined ? '' : html`${notRead(countedSince)}${callsOfThisReplica(sources.replicas())}`}
${clientsForm(
  filter,
  sources.reference.map(({ id }) => id),
)}
<h2 id="calling">Clients that call</h2>
${
  calling.length === 0
    ? nobody(clients, filter)
    : html`${table({
        id: 'clients',
        caption: `${whose(filter)} in the last ${filter.days} days${shown.says}`,
        columns: columns(filter, filter.days, trends, (sort) => sortedBy(filter, sort)),
        rows: shown.items,
      })}
${shown.links((page) => clientsPath(filter, { page }))}`
}
${unnamed(clients.unnamed)}
${countedSince === undefined ? html`<p><a href="${clientsPath({ ...filter, page: 1, stopped: 1 }, {}, '/clients.csv')}">Both tables as CSV</a></p>` : ''}
<h2 id="stopped">Clients that have stopped</h2>
${
  stopped.length === 0
    ? html`<p class="empty">${filter.client === undefined && filter.operation === undefined ? 'None is known.' : 'None matches this filter.'}</p>`
    : html`${table({
        id: 'stopped-clients',
        caption: `${whose(filter)} in the last ${stoppedDays} days, the latest to stop first${shownStopped.says}`,
        columns: columns(filter, stoppedDays, trends),
        rows: shownStopped.items,
      })}
${shownStopped.links((page) => `${clientsPath(filter, { stopped: page })}#stopped`)}`
}`
  return { title: 'Clients', section: '/clients', content }
}

const whose = ({ operation }: ClientsFilter): string =>
  operation === undefined ? 'All calls' : `Calls of ${operation}`

/** Says that usage cannot be read, and what is shown instead. */
export const notRead = (countedSince: number): Html =>
  html`<div class="alert"><p><strong>Usage cannot be read now:</strong> STATE_DB is not available. The counts below are from this replica’s memory, since ${time(countedSince)}. No stored data is lost; try again soon.</p></div>`

function nobody({ isCalled, countedSince }: ClientsKnown, { client, operation, days }: ClientsFilter): Html {
  const isFiltered = client !== undefined || operation !== undefined
  if (countedSince !== undefined)
    return html`<p class="empty">No client${isFiltered ? ' that matches' : ''} has called since ${time(countedSince)}.</p>`
  if (isFiltered) {
    return html`<p class="empty">No client that matches this filter has called in the last ${isCalled ? SILENT_DAYS : days} days. <a href="/clients">All clients</a></p>`
  }
  return html`<p class="empty">No client has called in the last ${isCalled ? SILENT_DAYS : days} days.</p>`
}

/** Says how many calls have no client's name; empty if none. */
function unnamed(clients: readonly ClientUsage[]): Html | '' {
  if (clients.length === 0) return ''
  const named = clients.map(({ client, calls }) => html`${counted(calls, 'call')} under ${clientLink(client)}`)
  return html`<p class="quiet">Not in this table: ${joined(named, ', and ')}. A call is unidentified if nothing confirms which client made it: no login, no token from the gateway, and no service. Of more than 10,000 clients, those with the fewest calls count as others.</p>`
}

const MOST_NAMED = 3

function columns(
  { operation }: ClientsFilter,
  days: number,
  trends: ReadonlyMap<string, readonly number[]> | undefined,
  sort?: (by: Sort) => NonNullable<Column<ClientUsage>['sort']>,
): readonly Column<ClientUsage>[] {
  const by = (name: Sort) => (sort === undefined ? {} : { sort: sort(name) })
  const number = (head: string, name: 'calls' | 'errors' | 'byV1' | 'byLegacy', key: Sort): Column<ClientUsage> => ({
    ...numberColumn(head, (client) => client[name]),
    ...by(key),
  })
  return [
    { head: 'Client', cell: ({ client }) => clientLink(client, days), ...by('client') },
    ...(operation === undefined
      ? [{ head: 'Operations', kind: 'text' as const, cell: operationsOf, ...by('operations') }]
      : []),
    number('Calls', 'calls', 'calls'),
    number('Errors', 'errors', 'errors'),
    number('By v1', 'byV1', 'v1'),
    number('By legacy', 'byLegacy', 'legacy'),
    ...(trends === undefined
      ? []
      : [{ head: '12 weeks', cell: ({ client }: ClientUsage) => weekBars(trends.get(client) ?? []) }]),
    { head: 'Last call', cell: ({ lastAt }) => time(lastAt), ...by('last') },
    { head: 'User agents', kind: 'text', cell: ({ operations }) => agents(agentsOf(operations)) },
  ]
}

function operationsOf({ operations }: ClientUsage): string {
  const more = operations.length - MOST_NAMED
  const named = operations.slice(0, MOST_NAMED).map(({ operation, calls }) => `${operation} (${count(calls)})`)
  return `${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

/** Renders user agents, one per line. */
export const agents = (names: readonly string[]): Html | string =>
  names.length === 0 ? '' : html`<ul class="plain agents">${names.map((name) => html`<li>${clipped(name)}</li>`)}</ul>`
