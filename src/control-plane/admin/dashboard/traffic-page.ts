import { html } from 'hono/html'
import { count, duration, percent } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import { latencyQuantile } from '../../../observe/latency.ts'
import { MOST_CLIENTS, OTHERS, type TotalCounts } from '../../../observe/traffic.ts'
import { ROOM } from '../../../observe/traffic-minutes.ts'
import { callsOfThisReplica } from './fleet-page.ts'
import { type Column, codes, figures, numberColumn, part, table, time } from './fragments.ts'
import type { Page } from './layout.ts'
import { plot, plotted } from './plot.ts'
import type { DashboardSources } from './sources.ts'
import {
  filterForm,
  rangeName,
  type Sum,
  summariseTraffic,
  type TrafficFilter,
  type TrafficSummary,
  withFilter,
} from './traffic-filter.ts'

/** Renders which clients still call which operations: how often, how fast, and with which errors. */
export function trafficPage({ traffic, reference, replicas }: DashboardSources, filter: TrafficFilter): Page {
  const snapshot = traffic()
  const operations = reference.map(({ id }) => id)
  const summary = summariseTraffic(snapshot, filter)
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
<p>Since startup: ${codes(silent)}.</p>`
}

/** The rows of a page of a table. */
const MOST_ROWS = 50

/** Renders a row per operation and client since startup, whatever the selected time. */
function whoCallsWhat({ totals }: TrafficSummary, filter: TrafficFilter): Html {
  if (totals.length === 0) return html`<p class="empty">No calls since startup match this filter.</p>`
  const number = numberColumn<TotalCounts>
  const shown = part(totals, filter.page, MOST_ROWS)
  return html`${table({
    id: 'who-calls-what',
    caption: `By operation and client, most calls first${shown.says}`,
    columns: [
      {
        head: 'Operation',
        cell: ({ operation }) => html`<a href="${withFilter(filter, { operation })}">${operation}</a>`,
      },
      { head: 'Client', cell: ({ client }) => html`<a href="${withFilter(filter, { client })}">${client}</a>` },
      number('Calls', ({ calls }) => calls),
      number('4xx', ({ clientErrors }) => clientErrors),
      number('5xx', ({ serverErrors }) => serverErrors),
      number('By v1', ({ byV1 }) => byV1),
      number('By legacy', ({ byLegacy }) => byLegacy),
      ...(totals.some(({ chosen }) => chosen > 0) ? [number('Chosen', ({ chosen }) => chosen)] : []),
      { head: 'Last call', cell: ({ lastAt }) => time(lastAt) },
    ],
    rows: shown.items,
  })}
${shown.links((page) => `${withFilter(filter, { clientsPage: filter.clientsPage, page })}#who-calls-what`)}`
}

/** Renders calls, errors and latency in the selected time: in total, by minute, by operation, by client. */
function recentTraffic(summary: TrafficSummary, filter: TrafficFilter): Html {
  const { all, byMinute, byOperation, byClient, from, to } = summary
  const drawn = { table: 'per-minute', step: 'minute', from, to } as const
  return html`${sums(all)}
<div class="plots">
${plot({ ...drawn, title: 'Calls and errors per minute', columns: [1, 2, 3], missing: 'zero', unit: '' })}
${plot({ ...drawn, title: 'Latency per minute', columns: [4, 5], missing: 'gap', unit: 'ms' })}
</div>
<details><summary>Numbers per minute</summary>
${table({ id: 'per-minute', caption: 'Minutes with calls', columns: [{ head: 'Minute', cell: ([at]) => time(at) }, ...sumColumns()], rows: byMinute })}
</details>
<div class="beside">
${sumsBy('operation', 'Operation', byOperation, filter)}
${sumsBy('client', 'Client', byClient, filter)}
</div>`
}

function sumsBy(name: 'operation' | 'client', head: string, all: TrafficSummary['byClient'], filter: TrafficFilter) {
  const shown = part(all, name === 'client' ? filter.clientsPage : 1, MOST_ROWS)
  return html`<section>
<h3>By ${name}</h3>
${table({
  id: `by-${name}`,
  caption: `Most calls first${shown.says}`,
  columns: [
    { head, cell: ([key]) => html`<a href="${withFilter(filter, { [name]: key })}">${key}</a>` },
    ...sumColumns<string>(),
  ],
  rows: shown.items,
})}
${shown.links((clientsPage) => `${withFilter(filter, { page: filter.page, clientsPage })}#by-${name}`)}
</section>`
}

function sums({ calls, clientErrors, serverErrors, latencies }: Sum): Html {
  const errors = (number: number): Html => html`${count(number)} <small>${percent(number / calls)}</small>`
  return figures([
    ['Calls', count(calls)],
    ['4xx', errors(clientErrors)],
    ['5xx', errors(serverErrors)],
    ['Latency, p50', duration(latencyQuantile(latencies, 0.5))],
    ['Latency, p99', duration(latencyQuantile(latencies, 0.99))],
  ])
}

/** Returns the columns of numbers. `data` elements hold plain numbers for `plots.js`. */
function sumColumns<Key>(): readonly Column<readonly [Key, Sum]>[] {
  const column = (
    head: string,
    value: (sum: Sum) => number | undefined,
    show: (value: number) => string,
  ): Column<readonly [Key, Sum]> => ({
    head,
    kind: 'number',
    cell: ([, sum]) => {
      const is = value(sum)
      return is === undefined ? '–' : plotted(is, show(is))
    },
  })
  return [
    column('Calls', ({ calls }) => calls, count),
    column('4xx', ({ clientErrors }) => clientErrors, count),
    column('5xx', ({ serverErrors }) => serverErrors, count),
    column('p50', ({ latencies }) => latencyQuantile(latencies, 0.5), duration),
    column('p99', ({ latencies }) => latencyQuantile(latencies, 0.99), duration),
  ]
}
