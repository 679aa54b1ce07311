import { html } from 'hono/html'
import { time } from './format.ts'
import type { Html, Page } from './layout.ts'
import { recentTraffic } from './recent-traffic.ts'
import type { DashboardSources } from './sources.ts'
import { summariseTraffic, type TrafficFilter } from './summarise-traffic.ts'
import { filterForm, rangeName } from './traffic-filter.ts'
import { whoCallsWhat } from './who-calls-what.ts'

/** Who still calls what, how often, how fast, and with which errors. */
export async function trafficPage({ traffic, reference }: DashboardSources, filter: TrafficFilter): Promise<Page> {
  const snapshot = traffic()
  const operations = reference.map(({ id }) => id)
  const summary = await summariseTraffic(snapshot, filter)
  const content = html`<h1>Traffic</h1>
<p class="lead">Who still calls the legacy interface. Counted since ${time(snapshot.since)}, as of ${time(snapshot.now)}.</p>
${
  snapshot.totals.length === 0
    ? html`<p class="empty">No call has come to the legacy interface yet. A call counts as soon as it is answered: reload to look again.</p>`
    : html`${filterForm(filter, operations, snapshot)}
<h2>In the ${rangeName(filter)}</h2>
${summary.all.calls === 0 ? noCalls : recentTraffic(summary, filter)}
<h2>Who still calls what</h2>
${whoCallsWhat(summary, filter)}
${notCalled(operations, new Set(snapshot.totals.map(({ operation }) => operation)))}`
}`
  return { title: 'Traffic', section: '/', content }
}

const noCalls = html`<p class="empty">None of the calls in this time is one that is asked for. Try a longer time, or <a href="/">all calls</a>.</p>`

function notCalled(operations: readonly string[], called: ReadonlySet<string>): Html | '' {
  const silent = operations.filter((operation) => !called.has(operation))
  if (silent.length === 0) return ''
  return html`<h3>Called by nobody</h3>
<p>Since counting began: ${silent.map((operation, index) => html`${index === 0 ? '' : ', '}<code>${operation}</code>`)}.</p>`
}
