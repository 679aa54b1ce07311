import { html } from 'hono/html'
import { OTHERS, type TrafficSnapshot, UNIDENTIFIED } from '../../observe/traffic.ts'
import type { Brownout, BrownoutsView } from './cutover-sources.ts'
import { count, time } from './format.ts'
import type { Html } from './layout.ts'
import { table } from './table.ts'

/** Renders the brownouts that go on or are to come. */
export function brownoutSection({ rules, endedAt }: BrownoutsView, { now, totals }: TrafficSnapshot): Html {
  const isEnded = ({ from }: Brownout): boolean => endedAt !== null && Date.parse(from) < Date.parse(endedAt)
  const ahead = rules
    .filter((rule) => Date.parse(rule.to) > now && !isEnded(rule))
    .sort((a, b) => Date.parse(a.from) - Date.parse(b.from))
  if (ahead.length === 0) {
    return html`<p class="empty">None is to come. A brownout refuses some calls for an hour or so, so that the last clients notice before the switch-off. The rollout file says when.</p>`
  }
  const clientsOf = ({ operations, except }: Brownout): number =>
    new Set(
      totals
        .filter(
          ({ operation, client }) =>
            (operations.includes('*') || operations.includes(operation)) &&
            !except.includes(client) &&
            client !== OTHERS &&
            client !== UNIDENTIFIED,
        )
        .map(({ client }) => client),
    ).size
  return html`<p>For programs, with what each did: <a href="/brownouts">/brownouts</a>. All end at once with <code>POST /brownouts/end</code>.</p>
${table({
  id: 'brownouts-ahead',
  caption: 'Brownouts that go on or are to come',
  columns: [
    {
      head: 'From',
      cell: ({ from }) =>
        Date.parse(from) <= now ? html`${time(from)} <span class="verdict not-ready">now</span>` : time(from),
    },
    { head: 'To', cell: ({ to }) => time(to) },
    {
      head: 'Operations',
      kind: 'text',
      cell: ({ operations }) => (operations.includes('*') ? 'all' : operations.join(', ')),
    },
    { head: 'Refused', kind: 'text', cell: ({ percent, of, status }) => `${percent} % of ${of}, with ${status}` },
    { head: 'Known clients', kind: 'number', cell: (rule) => count(clientsOf(rule)) },
    {
      head: 'Why',
      kind: 'text',
      cell: ({ why, except }) =>
        html`${why}${except.length === 0 ? '' : html` <small>Never: ${except.join(', ')}.</small>`}`,
    },
  ],
  rows: ahead,
})}`
}
