import { html } from 'hono/html'
import { count } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import { type BrownoutReport, type BrownoutsReport, isCut } from '../../cutover/brownout/current-brownouts.ts'
import { codes, figures, numberColumn, table, time, writtenTime } from './fragments.ts'
import type { Page } from './layout.ts'
import type { DashboardSources } from './sources.ts'

/** Longer tables are cut; `GET /brownouts` has all rows. */
const MOST_ROWS = 100

/** Renders the brownouts of the rollout file: whom each will hit, and who has called since. */
export async function brownoutsPage({ brownouts: report }: Pick<DashboardSources, 'brownouts'>): Promise<Page> {
  const { since, endedAt, incomplete, brownouts } = await report()
  const content = html`<h1>Brownouts</h1>
<p class="lead">A brownout refuses some calls on purpose, so that the last clients notice that the legacy interface will be removed.
Calls of all replicas. Those of brownouts to come are counted since ${time(since)}.${endedAt === null ? '' : html` All brownouts were ended at ${time(endedAt)}.`}</p>
${incomplete === true ? NOT_READ : ''}${brownouts.length === 0 ? html`<p class="empty">The rollout file has no brownouts.</p>` : brownouts.map(section)}`
  return { title: 'Brownouts', section: '/rollout', content }
}

const NOT_READ = html`<div class="alert"><p><strong>Usage cannot be read now,</strong> because the state is not available. Calls of brownouts that have begun are those read last, and those that this replica has counted but not stored.</p></div>
`

function section(brownout: BrownoutReport): Html {
  const { n, state, why, from, until, percent, of, status, operations, except } = brownout
  return html`<h2 id="brownout-${n}">Brownout ${n}: ${state}</h2>
<p>${why}</p>
${figures([
  ['From', writtenTime(from, from)],
  ['Until', writtenTime(until, from)],
  ['Refused', html`${percent} % <small>of ${of}, with ${status}</small>`],
])}
<p class="note">Operations: ${operations.includes('*') ? 'all' : codes(operations)}.${except.length === 0 ? '' : html` Never refused: ${codes(except)}.`}</p>
${clientsOf(brownout)}`
}

function clientsOf(brownout: BrownoutReport): Html {
  const { n, state, clients, others } = brownout
  const rows = [...clients.slice(0, MOST_ROWS), ...(isNothing(others) ? [] : [{ client: '', ...others }])]
  if (rows.length === 0)
    return html`<p class="empty">No client is known to ${state === 'to come' ? 'be affected' : 'have called'}.</p>`
  const number = numberColumn<(typeof rows)[number]>
  const captions = {
    'to come': 'Clients that it may affect',
    'under way': 'Calls before it, and refused calls',
    over: 'Calls before it, refused calls, and calls since',
    ended: 'Calls before it, refused calls, and calls since',
  }
  const all = `${isCut(brownout) ? 'at least ' : ''}${count(clients.length)} clients`
  const cut = clients.length > MOST_ROWS ? `: ${MOST_ROWS} of ${all}` : ''
  return table({
    id: `clients-${n}`,
    caption: `${captions[state]}${cut}`,
    columns: [
      {
        head: 'Client',
        cell: ({ client }) =>
          client === ''
            ? html`${isCut(brownout) ? `beyond ${count(clients.length)}, or ` : ''}not identified`
            : html`<a href="/traffic?client=${encodeURIComponent(client)}">${client}</a>`,
      },
      number('Calls before', ({ before }) => before),
      ...(state === 'to come' ? [] : [number('Refused', ({ refused }) => refused)]),
      ...(state === 'over' || state === 'ended' ? [number('Calls since', ({ since }) => since)] : []),
    ],
    rows,
  })
}

const isNothing = ({ before, refused, since }: BrownoutReport['others']): boolean => before + refused + since === 0

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
    { head: 'From', cell: ({ from, state }) => html`${writtenTime(from, from)}${state === 'under way' ? NOW : ''}` },
    { head: 'Until', cell: ({ from, until }) => writtenTime(until, from) },
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
