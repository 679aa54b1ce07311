import { html } from 'hono/html'
import type { TotalCounts } from '../../observe/traffic.ts'
import { count, time } from './format.ts'
import type { Html } from './layout.ts'
import type { TrafficFilter, TrafficSummary } from './summarise-traffic.ts'
import { table } from './table.ts'
import { withFilter } from './traffic-filter.ts'

/** Longer tables are cut: the filter finds the rest. */
const MOST_ROWS = 200

/** A row for each operation and client that calls it, whatever the time that is looked at. */
export function whoCallsWhat({ totals }: TrafficSummary, filter: TrafficFilter): Html {
  if (totals.length === 0)
    return html`<p class="empty">Nobody, as far as this operation and this client are asked for.</p>`
  const number = (head: string, value: (total: TotalCounts) => number) => ({
    head,
    kind: 'number' as const,
    cell: (total: TotalCounts) => count(value(total)),
  })
  const cut = `The ${MOST_ROWS} with most calls of ${count(totals.length)}; the filter finds the others`
  return table({
    id: 'who-calls-what',
    caption: `Since counting began, whatever the time above. ${totals.length > MOST_ROWS ? cut : 'Most calls first'}`,
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
      { head: 'Last call', cell: ({ lastAt }) => time(lastAt) },
    ],
    rows: totals.slice(0, MOST_ROWS),
  })
}
