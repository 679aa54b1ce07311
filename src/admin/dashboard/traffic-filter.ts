import { html } from 'hono/html'
import { count } from '../../common/figures.ts'
import { MOST_CLIENTS, OTHERS, type TrafficSnapshot, UNIDENTIFIED, UNKNOWN } from '../../observe/traffic.ts'
import type { Html } from './layout.ts'
import type { TrafficFilter } from './summarise-traffic.ts'

const RANGES = [
  [15, 'last 15 minutes'],
  [60, 'last hour'],
  [180, 'last 3 hours'],
] as const
const DEFAULT_MINUTES = 60

/** Reads the filter from the query. Empty values and unknown ranges count as not given. */
export function readTrafficFilter(query: (name: string) => string | undefined): TrafficFilter {
  const given = (name: string): string | undefined => query(name)?.trim() || undefined
  const minutes = RANGES.find(([range]) => String(range) === given('minutes'))?.[0] ?? DEFAULT_MINUTES
  return { operation: given('operation'), client: given('client'), minutes }
}

/** Names the selected time. */
export const rangeName = (filter: TrafficFilter): string =>
  RANGES.find(([minutes]) => minutes === filter.minutes)?.[1] ?? `last ${filter.minutes} minutes`

/** Returns a link to the traffic page with this filter, changed. */
export function withFilter(filter: TrafficFilter, change: Partial<TrafficFilter>): string {
  const { operation, client, minutes } = { ...filter, ...change }
  const query = new URLSearchParams({
    ...(operation !== undefined && { operation }),
    ...(client !== undefined && { client }),
    minutes: String(minutes),
  })
  return `/traffic?${query}`
}

/** The most suggestions in a datalist: more would not help. */
const MOST_SUGGESTED = 200

export function filterForm(filter: TrafficFilter, mapped: readonly string[], { totals }: TrafficSnapshot): Html {
  const operations = [...new Set([...mapped, UNKNOWN, ...(filter.operation === undefined ? [] : [filter.operation])])]
  const clients = [...new Set(totals.map(({ client }) => client))].slice(0, MOST_SUGGESTED)
  return html`<form class="filter" method="get" action="/traffic">
<p><label for="operation">Operation</label>
<select id="operation" name="operation">
<option value="">all</option>
${operations.map((name) => option(name, name, filter.operation === name))}
</select></p>
<p><label for="client">Client</label>
<input id="client" name="client" list="clients" value="${filter.client ?? ''}" placeholder="all" autocomplete="off" spellcheck="false">
<datalist id="clients">${clients.map((name) => html`<option value="${name}"></option>`)}</datalist></p>
<p><label for="minutes">Time</label>
<select id="minutes" name="minutes">
${RANGES.map(([minutes, name]) => option(String(minutes), name, filter.minutes === minutes))}
</select></p>
<p class="buttons"><button type="submit">Show</button> <a href="/traffic">Reset</a></p>
</form>
${totals.some(({ client }) => client === OTHERS) ? html`<p class="quiet">Clients beyond the first ${count(MOST_CLIENTS)} since startup are counted under <code>${OTHERS}</code>.</p>` : ''}
${totals.some(({ client }) => client === UNIDENTIFIED) ? html`<p class="quiet">Calls whose client no login, no token from the gateway and no service has confirmed are counted under <code>${UNIDENTIFIED}</code>; the log has their addresses.</p>` : ''}`
}

const option = (value: string, name: string, isSelected: boolean): Html =>
  html`<option value="${value}"${isSelected ? html` selected` : ''}>${name}</option>`
