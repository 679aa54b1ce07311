import { html } from 'hono/html'
import { count } from '../../common/figures.ts'
import { type TrafficSnapshot, UNKNOWN } from '../../observe/traffic.ts'
import type { ReplicasReport } from '../../state/replicas.ts'
import type { OperationUsage } from '../../usage/usage.ts'
import type { Callers } from './callers.ts'
import { clientLink } from './client-links.ts'
import { isNamed, unnamedInWords } from './client-usage.ts'
import { CALLED_DAYS, type ClientNumbers, numbersInWords, SILENT_DAYS } from './clients-known.ts'
import { time } from './format.ts'
import type { Html } from './layout.ts'
import { callsOfThisReplica } from './of-replicas.ts'
import type { ReferenceOperation } from './sources.ts'
import { table } from './table.ts'

/** Longer tables are cut; the page Traffic has the rest. */
const MOST_ROWS = 50

const traffic = (operation: string): string => `/traffic?operation=${encodeURIComponent(operation)}`
const trafficOf = (client: string): Html =>
  html`<a href="/traffic?client=${encodeURIComponent(client.toWellFormed())}"><bdi>${client}</bdi></a>`

/** Who calls, and the time for which that is known. */
export interface KnownCallers extends Callers {
  /** `in the last 30 days`, or `since …`. */
  readonly when: Html
  /** Undefined if usage cannot be read now. The callers are then those that this process has counted in memory. */
  readonly numbers: ClientNumbers | undefined
}

/** Renders the clients that call, starting with those that the legacy service answers. */
export function clientSection({ clients, when, numbers }: KnownCallers, report: ReplicasReport): Html {
  const said =
    numbers === undefined
      ? html`<p class="note">Usage cannot be read now: these calls were counted in memory ${when}.</p>\n${callsOfThisReplica(report)}`
      : html`<p>${numbersInWords(numbers)} A client has stopped if it called in the last ${CALLED_DAYS} days, but not in the last ${SILENT_DAYS}. <a href="/clients#stopped">Who has stopped</a></p>`
  if (clients.length === 0) return html`${said}<p class="empty">Nobody has called ${when}.</p>`
  const named = clients.filter(({ client }) => isNamed(client)).length
  const called =
    named === 1 ? '1 client has' : named === 0 ? 'No identified client has' : `${count(named)} clients have`
  const unnamed = numbers === undefined ? unnamedInWords(clients.map(({ client }) => client)) : ''
  const link = numbers === undefined ? trafficOf : (client: string) => clientLink(client)
  return html`${said}
<p>${called} called ${when}.${unnamed} <a href="${numbers === undefined ? '/traffic' : '/clients'}">${numbers === undefined ? 'All traffic' : 'All clients'}</a></p>
${table({
  id: 'callers',
  caption: `Most calls answered by the legacy service first${clients.length > MOST_ROWS ? `: ${MOST_ROWS} of ${count(clients.length)} rows` : ''}`,
  columns: [
    { head: 'Client', cell: ({ client }) => link(client) },
    { head: 'By legacy', kind: 'number', cell: ({ byLegacy }) => count(byLegacy) },
    { head: 'Calls', kind: 'number', cell: ({ calls }) => count(calls) },
    { head: 'Operations', kind: 'number', cell: ({ operations }) => count(operations) },
    { head: 'Last call', cell: ({ lastAt }) => time(lastAt) },
  ],
  rows: clients.slice(0, MOST_ROWS),
})}`
}

/** Renders the called paths that no mapping knows, which fail without the legacy service. */
export function unknownSection(
  { since, unknown: { paths, otherCalls } }: TrafficSnapshot,
  report: ReplicasReport,
): Html {
  if (paths.length === 0) return html`<p class="empty">None has been called since ${time(since)}.</p>`
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
${otherCalls === 0 ? '' : html`<p class="note">${otherCalls === 1 ? '1 more call' : `${count(otherCalls)} more calls`} went to paths that are no longer listed: the gateway remembers 100.</p>`}`
}

/** Renders the operations that v1 cannot answer, and who calls them. */
export function withoutEquivalentSection(
  reference: readonly ReferenceOperation[],
  { byOperation, when, numbers }: KnownCallers,
): Html {
  const without = reference.filter(({ v1 }) => v1 === undefined)
  if (without.length === 0) return html`<p class="empty">There is none.</p>`
  return html`<p>Without the legacy service they fail. Agree with their callers on what to do instead.</p>
<ul>${without.map(({ id }) => {
    const callers = byOperation.get(id) ?? []
    return html`<li><a href="/mappings/${encodeURIComponent(id)}">${id}</a>: ${
      callers.length === 0
        ? html`nobody has called it ${when}`
        : callersOf(callers, numbers === undefined ? trafficOf : (client) => clientLink(client))
    }</li>`
  })}</ul>`
}

const MOST_NAMED = 10

/** Renders the ten clients with the most calls, and how many more there are. */
export function callersOf(
  callers: readonly Pick<OperationUsage, 'client' | 'calls'>[],
  link: (client: string) => Html = (client) => clientLink(client),
): Html {
  const sorted = callers.toSorted((a, b) => b.calls - a.calls)
  const more = sorted.length - MOST_NAMED
  return html`${sorted.slice(0, MOST_NAMED).map(({ client, calls }, index) => html`${index === 0 ? '' : ', '}${link(client)} (${calls === 1 ? '1 call' : `${count(calls)} calls`})`)}${more > 0 ? `, and ${count(more)} more` : ''}`
}
