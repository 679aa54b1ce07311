import { html } from 'hono/html'
import { count } from '../../common/figures.ts'
import type { TotalCounts } from '../../observe/traffic.ts'
import { time } from './format.ts'
import type { Html } from './layout.ts'
import type { TrafficFilter, TrafficSummary } from './summarise-traffic.ts'
import { table } from './table.ts'
import { withFilter } from './traffic-filter.ts'

/** Longer tables are cut; the filter finds the rest. */
const MOST_ROWS = 200

/** Renders a row per operation and client since startup, whatever the selected time. */
export function whoCallsWhat({ totals }: TrafficSummary, filter: TrafficFilter): Html {
  if (totals.length === 0) return html`<p class="empty">No calls since startup match this filter.</p>`
  const number = (head: string, value: (total: TotalCounts) => number) => ({
    head,
    kind: 'number' as const,
    cell: (total: TotalCounts) => count(value(total)),
  })
  const cut = `the ${MOST_ROWS} rows with the most calls, of ${count(totals.length)}; use the filter to find the others`
  return table({
    id: 'who-calls-what',
    caption: `By operation and client${totals.length > MOST_ROWS ? `: ${cut}` : ', most calls first'}`,
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
