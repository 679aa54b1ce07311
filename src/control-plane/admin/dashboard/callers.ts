import { html } from 'hono/html'
import { count, counted } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import { type TrafficSnapshot, UNKNOWN } from '../../../observe/traffic.ts'
import type { ReplicasReport } from '../../store/replicas.ts'
import type { DailyUsage } from '../../usage/daily-usage.ts'
import { firstDay } from '../../usage/stored-usage.ts'
import type { OperationUsage } from '../../usage/usage.ts'
import { unlessAway } from '../answers.ts'
import { clientLink } from './clients-filter.ts'
import { callsOfThisReplica } from './fleet-page.ts'
import { joined, table, time } from './fragments.ts'
import {
  byClient,
  CALLED_DAYS,
  type ClientNumbers,
  type ClientUsage,
  clientNumbers,
  countedCalls,
  isNamed,
  numbersInWords,
  SILENT_DAYS,
  unnamedInWords,
} from './known-clients.ts'
import type { DashboardSources, ReferenceOperation } from './sources.ts'

interface Callers {
  /** Starts with those that the legacy service answers; within each group, the most calls first. */
  readonly clients: readonly ClientUsage[]
  /** The rows of each operation that was called. */
  readonly byOperation: ReadonlyMap<string, readonly OperationUsage[]>
}

/** Adds up who called what. */
const callersIn = (totals: readonly OperationUsage[]): Callers => ({
  clients: byClient(totals).toSorted((a, b) => b.byLegacy - a.byLegacy || b.calls - a.calls),
  byOperation: Map.groupBy(totals, ({ operation }) => operation),
})

/** Longer tables are cut; the page Clients has the rest. */
const MOST_CALLERS = 5
const MOST_PATHS = 50

const traffic = (operation: string): string => `/traffic?operation=${encodeURIComponent(operation)}`
const trafficOf = (client: string): Html =>
  html`<a href="/traffic?client=${encodeURIComponent(client.toWellFormed())}"><bdi>${client}</bdi></a>`

/** The clients that call, and the time for which they are known. */
export interface KnownCallers extends Callers {
  /** `in the last 30 days`, or `since …` if the first call that was counted came later. */
  readonly when: Html
  /** Undefined if usage cannot be read now. The callers are then those that this process has counted in memory. */
  readonly numbers: ClientNumbers | undefined
  /** The calls of the last `CALLED_DAYS`, by day. Undefined if usage cannot be read now. */
  readonly daily: DailyUsage | undefined
}

/** Renders the clients that call, starting with those that the legacy service answers. */
export function clientSection({ clients, when, numbers }: KnownCallers, report: ReplicasReport): Html {
  const said =
    numbers === undefined
      ? html`<p class="note">Usage cannot be read now: these calls were counted in memory ${when}.</p>\n${callsOfThisReplica(report)}`
      : html`<p>${numbersInWords(numbers)} A client has stopped if it called in the last ${CALLED_DAYS} days, but not in the last ${SILENT_DAYS}. <a href="/clients#stopped">Who has stopped</a></p>`
  if (clients.length === 0) return html`${said}<p class="empty">Nobody has called ${when}.</p>`
  const named = clients.filter(({ client }) => isNamed(client)).length
  const called = named === 0 ? 'No identified client has' : counted(named, 'client has', 'clients have')
  const unnamed = numbers === undefined ? unnamedInWords(clients.map(({ client }) => client)) : ''
  const link = numbers === undefined ? trafficOf : (client: string) => clientLink(client)
  return html`${said}
<p>${called} called ${when}.${unnamed} <a href="${numbers === undefined ? '/traffic' : '/clients'}">${numbers === undefined ? 'All traffic' : 'All clients'}</a></p>
${table({
  id: 'callers',
  caption: `Most calls answered by the legacy service first${clients.length > MOST_CALLERS ? `: ${MOST_CALLERS} of ${count(clients.length)} rows` : ''}`,
  columns: [
    { head: 'Client', cell: ({ client }) => link(client) },
    { head: 'By legacy', kind: 'number', cell: ({ byLegacy }) => count(byLegacy) },
    { head: 'Calls', kind: 'number', cell: ({ calls }) => count(calls) },
    { head: 'Operations', kind: 'number', cell: ({ operations }) => count(operations.length) },
    { head: 'Last call', cell: ({ lastAt }) => time(lastAt) },
  ],
  rows: clients.slice(0, MOST_CALLERS),
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
  caption: html`Calls since ${time(since)}, the most first${paths.length > MOST_PATHS ? `: ${MOST_PATHS} of ${count(paths.length)}` : ''}`,
  columns: [
    { head: 'Path', cell: ({ method, path }) => html`<code>${method} ${path}</code>` },
    { head: 'Calls', kind: 'number', cell: ({ calls }) => count(calls) },
    { head: 'Last client', cell: ({ client }) => trafficOf(client) },
    { head: 'Last call', cell: ({ lastAt }) => time(lastAt) },
  ],
  rows: paths.slice(0, MOST_PATHS),
})}
${otherCalls === 0 ? '' : html`<p class="note">${counted(otherCalls, 'more call')} went to paths that are no longer listed: the gateway remembers 100.</p>`}`
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
  const named = sorted
    .slice(0, MOST_NAMED)
    .map(({ client, calls }) => html`${link(client)} (${counted(calls, 'call')})`)
  return html`${joined(named)}${more > 0 ? `, and ${count(more)} more` : ''}`
}

/** For how many days the page Switch-off shows who calls. */
export const CALLER_DAYS = 30

/** Returns who calls, by usage. While usage cannot be read, returns what this process has counted since it started. */
export async function knownCallers({
  usage,
  traffic,
}: Pick<DashboardSources, 'usage' | 'traffic'>): Promise<KnownCallers> {
  const snapshot = traffic()
  const stored = await unlessAway(Promise.all([usage.since(CALLER_DAYS), usage.daily(CALLED_DAYS)]))
  if (stored === undefined) {
    const { rows } = countedCalls(snapshot)
    return { ...callersIn(rows), when: html`since ${time(snapshot.since)}`, numbers: undefined, daily: undefined }
  }
  const [rows, daily] = stored
  const numbers = clientNumbers(daily.clients, snapshot.now)
  return { ...callersIn(rows), when: knownSince(daily, snapshot.now), numbers, daily }
}

/** Says for which days callers are known: who called before the first call that was counted is not. */
function knownSince({ days: [first] }: DailyUsage, now: number): Html {
  const isShort = first !== undefined && first.day > firstDay(CALLER_DAYS, now)
  return isShort ? html`since <time datetime="${first.day}">${first.day}</time>` : html`in the last ${CALLER_DAYS} days`
}
