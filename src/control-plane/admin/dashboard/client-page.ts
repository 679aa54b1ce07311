import { html } from 'hono/html'
import { count, counted } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import { UNKNOWN } from '../../../observe/traffic.ts'
import type { Marks, OperationUsage, Seen } from '../../usage/usage.ts'
import { unlessAway } from '../answers.ts'
import { clientPath, DAYS, guidePath } from './clients-filter.ts'
import { agents, notRead } from './clients-page.ts'
import { back, figures, joined, numberColumn, table, time, weekBars } from './fragments.ts'
import { agentsOf, byClient, countedCalls, isNamed, WEEKS, weeksOf } from './known-clients.ts'
import type { Page } from './layout.ts'
import type { DashboardSources } from './sources.ts'

const LONGEST_DAYS = Math.max(...DAYS)

/**
 * Renders what one client calls, sends and gets. Undefined if the client is not known.
 * @param days how many days are counted, up to today.
 */
export async function clientPage(sources: DashboardSources, client: string, days: number): Promise<Page | undefined> {
  const stored = await unlessAway(readClient(sources, client, days))
  const { rows, countedSince } =
    stored === undefined ? countedCalls(sources.traffic(), { client }) : { rows: stored.rows, countedSince: undefined }
  if (stored !== undefined && !stored.isKnown) return undefined
  const weeks = (operation?: string) => weeksOf(stored?.weeks ?? [], [client], operation).get(client) ?? []
  const trends = new Map<string | undefined, readonly number[]>([[undefined, weeks()]])
  for (const { operation } of rows) trends.set(operation, weeks(operation))
  const content = html`${back('/clients', 'Clients')}
<h1><bdi>${client}</bdi></h1>
<p class="lead">What this client calls, sends and gets. Names and counts are kept for 400 days; values are never kept.</p>
${countedSince === undefined ? daysLinks(client, days) : notRead(countedSince)}
<p>${links(client)}</p>
${
  rows.length === 0
    ? html`<p class="empty">It has not called ${countedSince === undefined ? `in the last ${days} days` : html`since ${time(countedSince)}`}.</p>`
    : html`${sums(rows)}
${stored === undefined ? '' : html`${weekTable(trends.get(undefined) ?? [])}\n${agentSection(agentsOf(rows))}`}
<h2>Operations</h2>
${operationTable(rows, stored === undefined ? undefined : trends)}
${stored === undefined ? '' : rows.map((row, index) => operationSection(row, index))}`
}`
  return { title: `${client}, client`, section: '/clients', content }
}

async function readClient({ usage }: DashboardSources, client: string, days: number) {
  const [rows, weeks] = await Promise.all([usage.ofClient(client, days), usage.weeks()])
  const isKnown = rows.length > 0 || (await usage.ofClient(client, LONGEST_DAYS)).length > 0
  return { rows, weeks: weeks.filter((week) => week.client === client), isKnown }
}

const daysLinks = (client: string, selected: number): Html =>
  html`<p class="days">Last ${joined(
    DAYS.map(
      (days) =>
        html`<a href="${clientPath(client, days)}"${days === selected ? html` aria-current="true"` : ''}>${days} days</a>`,
    ),
    ' · ',
  )}</p>`

function links(client: string): Html {
  const guide = isNamed(client) ? html`<a href="${guidePath(client)}">Its migration guide</a> · ` : ''
  return html`${guide}<a href="/traffic?client=${encodeURIComponent(client.toWellFormed())}">Its traffic since startup</a> · <a href="/rollout">Rollout: who answers it</a>`
}

function sums(rows: readonly OperationUsage[]): Html | '' {
  const [all] = byClient(rows)
  if (all === undefined) return ''
  const firstAt = rows.reduce((first, row) => (row.firstAt < first ? row.firstAt : first), all.lastAt)
  return figures([
    ['Calls', count(all.calls)],
    ['Errors', count(all.errors)],
    ['By v1', count(all.byV1)],
    ['By legacy', count(all.byLegacy)],
    ['First of these calls', time(firstAt)],
    ['Last call', time(all.lastAt)],
  ])
}

/** Renders the calls of each week as bars, and as numbers. */
const weekTable = (weeks: readonly number[]): Html => html`<h2>The last ${WEEKS} weeks</h2>
<p>${weekBars(weeks)} <small aria-hidden="true">calls a week</small></p>
<details><summary>Numbers per week</summary>
${table({
  id: 'weeks',
  caption: 'Calls per seven days, the latest first',
  columns: [
    {
      head: 'Week',
      cell: ({ weeksAgo }) => (weeksAgo === 0 ? 'the last 7 days' : `${counted(weeksAgo, 'week')} earlier`),
    },
    { head: 'Calls', kind: 'number', cell: ({ calls }) => count(calls) },
  ],
  rows: weeks.map((calls, index) => ({ calls, weeksAgo: weeks.length - 1 - index })).reverse(),
})}
</details>`

const agentSection = (names: readonly string[]): Html | '' =>
  names.length === 0 ? '' : html`<h2>User agents</h2>\n${agents(names)}`

function operationTable(
  rows: readonly OperationUsage[],
  trends: ReadonlyMap<string | undefined, readonly number[]> | undefined,
): Html {
  const number = numberColumn<OperationUsage>
  return table({
    id: 'operations',
    caption: 'Most calls first',
    columns: [
      {
        head: 'Operation',
        cell: ({ operation }) =>
          trends === undefined
            ? html`<code>${operation}</code>`
            : html`<a href="#of-${rows.findIndex((row) => row.operation === operation)}">${operation}</a>`,
      },
      number('Calls', ({ calls }) => calls),
      number('4xx', ({ clientErrors }) => clientErrors),
      number('5xx', ({ serverErrors }) => serverErrors),
      number('By v1', ({ byV1 }) => byV1),
      number('By legacy', ({ byLegacy }) => byLegacy),
      ...(rows.some(({ seen }) => seen.chosen !== undefined) ? [number('Chosen', ({ seen }) => seen.chosen ?? 0)] : []),
      ...(trends === undefined
        ? []
        : [{ head: `${WEEKS} weeks`, cell: ({ operation }: OperationUsage) => weekBars(trends.get(operation) ?? []) }]),
      { head: 'Last call', cell: ({ lastAt }) => time(lastAt) },
    ],
    rows: rows.toSorted((a, b) => b.calls - a.calls),
  })
}

/** Renders what the calls of an operation show. */
function operationSection({ operation, seen, calls }: OperationUsage, index: number): Html {
  return html`<h2 id="of-${index}">${operation}</h2>
<p class="note">${operation === UNKNOWN ? html`Calls to paths that no mapping has. The paths are not kept by client: <a href="/#unknown-paths">those called since the start</a>.` : html`${lookedAt(seen.calls, calls)} <a href="/mappings/${encodeURIComponent(operation)}">How its members are translated</a>`}</p>
${
  seen.calls === 0
    ? ''
    : html`<div class="beside">
${members(seen, index)}
${marks(`forms-${index}`, 'Values that the mapping does not read: member, what happens, and the form', 'Value', seen.forms ?? {})}
${marks(`statuses-${index}`, 'Statuses and codes that it got', 'Status', seen.statuses)}
${marks(`violations-${index}`, 'Members that validation errors named', 'Member', seen.violations)}
${marks(`languages-${index}`, 'Languages that it asked for', 'Language', seen.languages)}
</div>`
}`
}

function lookedAt(seen: number, calls: number): string {
  if (seen === 0) return 'None of its calls was examined.'
  const of = `its ${counted(calls, 'call')}`
  return seen === calls
    ? `What ${of} showed.`
    : `What ${count(seen)} of ${of} showed. If a client calls often, the gateway does not examine every call.`
}

interface Member {
  readonly name: string
  readonly sent: number
  readonly empty: number
  readonly removed: number
}

/** Renders the members of its requests that the mapping knows, by their legacy paths. */
function members({ calls, members: sent, empty, removed, other }: Seen, index: number): Html {
  const names = [...new Set([sent, empty, removed].flatMap((marked) => Object.keys(marked)))]
  const rows = names
    .map((name): Member => ({ name, sent: sent[name] ?? 0, empty: empty[name] ?? 0, removed: removed[name] ?? 0 }))
    .sort((a, b) => b.sent + b.removed - (a.sent + a.removed) || (a.name < b.name ? -1 : 1))
  const unknown =
    other === 0 ? '' : html`<p class="note">${counted(other, 'call')} sent members that are not in the mapping.</p>`
  if (rows.length === 0)
    return html`<div><p class="empty">It sent no member that is in the mapping.</p>${unknown}</div>`
  const isRemoved = rows.some((row) => row.removed > 0)
  const number = numberColumn<Member>
  return html`<div>${table({
    id: `members-${index}`,
    caption: `Members that it sends, and in how many of ${counted(calls, 'call')}${isRemoved ? '; v1 no longer accepts removed values' : ''}`,
    columns: [
      { head: 'Member', cell: ({ name }) => html`<code>${name}</code>` },
      number('With a value', (row) => row.sent),
      number('Null or empty', (row) => row.empty),
      ...(isRemoved ? [number('Removed value', (row) => row.removed)] : []),
    ],
    rows,
  })}${unknown}</div>`
}

/** Renders how many calls showed each mark; empty if none did. */
function marks(id: string, caption: string, head: string, marked: Marks): Html | '' {
  const rows = Object.entries(marked).sort(([, a], [, b]) => b - a)
  if (rows.length === 0) return ''
  return html`<div>${table({
    id,
    caption,
    columns: [
      { head, cell: ([name]) => html`<code>${name}</code>` },
      { head: 'Calls', kind: 'number', cell: ([, calls]) => count(calls) },
    ],
    rows,
  })}</div>`
}
