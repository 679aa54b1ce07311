import { html } from 'hono/html'
import { count } from '../../common/figures.ts'
import { type BrownoutReport, type BrownoutsReport, isCut } from '../../cutover/brownout/current-brownouts.ts'
import { time } from './format.ts'
import type { Html } from './layout.ts'
import { table } from './table.ts'

/** Renders the brownouts that are under way or to come. */
export function brownoutSection({ brownouts }: BrownoutsReport): Html {
  const ahead = brownouts
    .filter(({ state }) => state === 'to come' || state === 'under way')
    .sort((a, b) => Date.parse(a.from) - Date.parse(b.from))
  if (ahead.length === 0) {
    return html`<p class="empty">No brownout is under way or to come. A brownout refuses some calls for an hour or so, so that the last clients notice before the switch-off. The rollout file sets the times. <a href="/brownouts">Brownouts</a></p>`
  }
  return html`<p><a href="/brownouts">All brownouts</a>, and the clients that each affects. <code>legacy-gateway brownouts end</code> immediately ends all that are under way.</p>
${table({
  id: 'brownouts-ahead',
  caption: 'Brownouts under way or to come',
  columns: [
    { head: 'Brownout', cell: ({ n }) => html`<a href="/brownouts#brownout-${n}">${n}</a>` },
    { head: 'From', cell: ({ from, state }) => html`${time(from)}${state === 'under way' ? NOW : ''}` },
    { head: 'Until', cell: ({ until }) => time(until) },
    { head: 'Operations', kind: 'text', cell: operationsOf },
    { head: 'Refused', kind: 'text', cell: ({ percent, of, status }) => `${percent} % of ${of}, with ${status}` },
    {
      head: 'Known clients',
      kind: 'number',
      cell: (brownout) => `${isCut(brownout) ? 'at least ' : ''}${count(brownout.clients.length)}`,
    },
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

const NOW = html` <span class="verdict not-ready">now</span>`

const operationsOf = ({ operations }: BrownoutReport): string =>
  operations.includes('*') ? 'all' : operations.join(', ')
