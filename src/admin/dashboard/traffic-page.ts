import { html } from 'hono/html'
import { count } from '../../common/figures.ts'
import { MOST_CLIENTS, OTHERS } from '../../observe/traffic.ts'
import { ROOM } from '../../observe/traffic-minutes.ts'
import { time } from './format.ts'
import type { Html, Page } from './layout.ts'
import { callsOfThisReplica } from './of-replicas.ts'
import { recentTraffic } from './recent-traffic.ts'
import type { DashboardSources } from './sources.ts'
import { summariseTraffic, type TrafficFilter, type TrafficSummary } from './summarise-traffic.ts'
import { filterForm, rangeName } from './traffic-filter.ts'
import { whoCallsWhat } from './who-calls-what.ts'

/** Renders which clients still call which operations: how often, how fast, and with which errors. */
export async function trafficPage(
  { traffic, reference, replicas }: DashboardSources,
  filter: TrafficFilter,
): Promise<Page> {
  const snapshot = traffic()
  const operations = reference.map(({ id }) => id)
  const summary = await summariseTraffic(snapshot, filter)
  const content = html`<h1>Traffic</h1>
<p class="lead">Which clients still call the legacy interface. Counted from ${time(snapshot.since)} to ${time(snapshot.now)}.</p>
${callsOfThisReplica(replicas())}
${
  snapshot.totals.length === 0
    ? html`<p class="empty">The legacy interface has not been called yet. Calls count once they are answered; reload to update.</p>`
    : html`${filterForm(filter, operations, snapshot)}
<h2>Calls in the ${rangeName(filter)}</h2>
${othersOf(summary)}
${summary.all.calls === 0 ? noCalls : recentTraffic(summary, filter)}
<h2>Calls since startup</h2>
${whoCallsWhat(summary, filter)}
${notCalled(operations, new Set(snapshot.totals.map(({ operation }) => operation)))}`
}`
  return { title: 'Traffic', section: '/traffic', content }
}

const noCalls = html`<p class="empty">No calls match this filter. Try a longer time, or <a href="/traffic">all calls</a>.</p>`

function othersOf({ byOthers }: TrafficSummary): Html | '' {
  if (byOthers === 0) return ''
  return html`<p class="quiet">Calls under <code>${OTHERS}</code> in this time: ${count(byOthers)}. Each minute counts the first ${ROOM} pairs of client and operation by name, and all further calls under <code>${OTHERS}</code>; so a client may have made more calls than are shown here. <em>Calls since startup</em> counts each of the first ${count(MOST_CLIENTS)} clients completely.</p>`
}

function notCalled(operations: readonly string[], called: ReadonlySet<string>): Html | '' {
  const silent = operations.filter((operation) => !called.has(operation))
  if (silent.length === 0) return ''
  return html`<h3>Operations without calls</h3>
<p>Since startup: ${silent.map((operation, index) => html`${index === 0 ? '' : ', '}<code>${operation}</code>`)}.</p>`
}
