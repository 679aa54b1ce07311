import { html } from 'hono/html'
import { OTHERS, type TotalCounts, type TrafficSnapshot, UNIDENTIFIED, UNKNOWN } from '../../observe/traffic.ts'
import type { ReplicasReport } from '../../state/replicas.ts'
import type { Callers } from './callers.ts'
import { count, time } from './format.ts'
import type { Html } from './layout.ts'
import { callsOfThisReplica } from './of-replicas.ts'
import type { ReferenceOperation } from './sources.ts'
import { table } from './table.ts'

/** Longer tables are cut; the page Traffic has the rest. */
const MOST_ROWS = 50

const traffic = (operation: string): string => `/traffic?operation=${encodeURIComponent(operation)}`
const trafficOf = (client: string): Html => html`<a href="/traffic?client=${encodeURIComponent(client)}">${client}</a>`

/** Renders which clients have called since the start, those that the legacy service answers first. */
export function clientSection({ clients }: Callers, since: number, report: ReplicasReport): Html {
  if (clients.length === 0) return html`<p class="empty">Nobody has called since ${time(since)}.</p>`
  const named = clients.filter(({ client }) => client !== OTHERS && client !== UNIDENTIFIED).length
  return html`<p>${named === 1 ? '1 client has' : `${count(named)} clients have`} called since ${time(since)}. Calls are kept in memory: a restart begins anew. <a href="/traffic">All traffic</a></p>
${callsOfThisReplica(report)}
${table({
  id: 'callers',
  caption: `Most calls of the legacy service first${clients.length > MOST_ROWS ? `: ${MOST_ROWS} of ${count(clients.length)} clients` : ''}`,
  columns: [
    { head: 'Client', cell: ({ client }) => trafficOf(client) },
    { head: 'By legacy', kind: 'number', cell: ({ byLegacy }) => count(byLegacy) },
    { head: 'Calls', kind: 'number', cell: ({ calls }) => count(calls) },
    { head: 'Operations', kind: 'number', cell: ({ operations }) => count(operations) },
    { head: 'Last call', cell: ({ lastAt }) => time(lastAt) },
  ],
  rows: clients.slice(0, MOST_ROWS),
})}`
}

/** Renders the paths that no mapping knows: without the legacy service they fail. */
export function unknownSection(
  { since, unknown: { paths, otherCalls } }: TrafficSnapshot,
  report: ReplicasReport,
): Html {
  if (paths.length === 0) return html`<p class="empty">None was called since ${time(since)}.</p>`
  return html`<p>Only the legacy service can answer them; without it they fail with 404. <a href="${traffic(UNKNOWN)}">Their traffic</a></p>
${callsOfThisReplica(report)}
${table({
  id: 'unknown',
  caption: paths.length > MOST_ROWS ? `Most calls first: ${MOST_ROWS} of ${count(paths.length)}` : 'Most calls first',
  columns: [
    { head: 'Path', cell: ({ method, path }) => html`<code>${method} ${path}</code>` },
    { head: 'Calls', kind: 'number', cell: ({ calls }) => count(calls) },
    { head: 'Last client', cell: ({ client }) => trafficOf(client) },
    { head: 'Last call', cell: ({ lastAt }) => time(lastAt) },
  ],
  rows: paths.slice(0, MOST_ROWS),
})}
${otherCalls === 0 ? '' : html`<p class="note">${count(otherCalls)} more calls were of paths that are no longer remembered: there is room for 100.</p>`}`
}

/** Renders the operations that v1 cannot answer, and who calls them. */
export function withoutEquivalentSection(
  reference: readonly ReferenceOperation[],
  { byOperation }: Callers,
  since: number,
): Html {
  const without = reference.filter(({ v1 }) => v1 === undefined)
  if (without.length === 0) return html`<p class="empty">There is none.</p>`
  return html`<p>Without the legacy service they fail. Agree with their callers what to do instead.</p>
<ul>${without.map(({ id }) => {
    const callers = byOperation.get(id) ?? []
    return html`<li><a href="/mappings/${encodeURIComponent(id)}">${id}</a>: ${
      callers.length === 0 ? html`nobody has called it since ${time(since)}` : callersOf(callers)
    }</li>`
  })}</ul>`
}

const MOST_NAMED = 10

function callersOf(callers: readonly TotalCounts[]): Html {
  const sorted = callers.toSorted((a, b) => b.calls - a.calls)
  const more = sorted.length - MOST_NAMED
  return html`${sorted.slice(0, MOST_NAMED).map(({ client, calls }, index) => html`${index === 0 ? '' : ', '}${trafficOf(client)} (${calls === 1 ? '1 call' : `${count(calls)} calls`})`)}${more > 0 ? `, and ${count(more)} more` : ''}`
}
