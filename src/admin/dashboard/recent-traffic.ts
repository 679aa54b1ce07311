import { html } from 'hono/html'
import { count, duration, percent } from '../../common/figures.ts'
import { latencyQuantile } from '../../observe/latency.ts'
import { time } from './format.ts'
import type { Html } from './layout.ts'
import { plot } from './plot.ts'
import type { Sum, TrafficFilter, TrafficSummary } from './summarise-traffic.ts'
import { type Column, table } from './table.ts'
import { withFilter } from './traffic-filter.ts'

/** Longer tables are cut; the filter finds the rest. */
const MOST_ROWS = 100

/** Renders calls, errors and latency in the selected time: in total, by minute, by operation, by client. */
export function recentTraffic(summary: TrafficSummary, filter: TrafficFilter): Html {
  const { all, byMinute, byOperation, byClient, from, to } = summary
  const drawn = { table: 'per-minute', from, to }
  return html`${figures(all)}
<div class="plots">
${plot({ ...drawn, title: 'Calls and errors per minute', columns: [1, 2, 3], missing: 'zero', unit: '' })}
${plot({ ...drawn, title: 'Latency per minute', columns: [4, 5], missing: 'gap', unit: 'ms' })}
</div>
<details><summary>Numbers per minute</summary>
${table({ id: 'per-minute', caption: 'Minutes with calls', columns: [{ head: 'Minute', cell: ([at]) => time(at) }, ...sumColumns()], rows: byMinute })}
</details>
<div class="beside">
<section>
<h3>By operation</h3>
${table({
  id: 'by-operation',
  caption: 'Most calls first',
  columns: [
    { head: 'Operation', cell: ([name]) => html`<a href="${withFilter(filter, { operation: name })}">${name}</a>` },
    ...sumColumns<string>(),
  ],
  rows: byOperation,
})}
</section>
<section>
<h3>By client</h3>
${table({
  id: 'by-client',
  caption:
    byClient.length > MOST_ROWS
      ? `Most calls first: ${MOST_ROWS} of ${count(byClient.length)} rows`
      : 'Most calls first',
  columns: [
    { head: 'Client', cell: ([name]) => html`<a href="${withFilter(filter, { client: name })}">${name}</a>` },
    ...sumColumns<string>(),
  ],
  rows: byClient.slice(0, MOST_ROWS),
})}
</section>
</div>`
}

function figures({ calls, clientErrors, serverErrors, latencies }: Sum): Html {
  const figure = (name: string, value: string, note = ''): Html =>
    html`<div><dt>${name}</dt><dd>${value} <small>${note}</small></dd></div>`
  return html`<dl class="figures">
${figure('Calls', count(calls))}
${figure('4xx', count(clientErrors), percent(clientErrors / calls))}
${figure('5xx', count(serverErrors), percent(serverErrors / calls))}
${figure('Latency, p50', duration(latencyQuantile(latencies, 0.5)))}
${figure('Latency, p99', duration(latencyQuantile(latencies, 0.99)))}
</dl>`
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
      return is === undefined ? '–' : html`<data value="${is}">${show(is)}</data>`
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
