import { html } from 'hono/html'
import { chosenPercent, count } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import type { RuleUse } from '../../evidence/expected/rule-use.ts'
import { resultsOfReplicas } from './fleet-page.ts'
import { codes, figures, place, table, time } from './fragments.ts'
import type { Page } from './layout.ts'
import { idOf } from './plan-table.ts'
import type { DashboardSources, RolloutOfOperation } from './sources.ts'
import { word } from './words-page.ts'

type Row = RolloutOfOperation

/** Renders which side answers each operation now, and what is compared. */
export async function rolloutPage({ rollout, experiments, replicas }: DashboardSources): Promise<Page> {
  const { operations, limits, loadedAt, serve } = rollout()
  const { rules } = await experiments()
  const since =
    loadedAt === null
      ? html`<code>ROLLOUT_FILE</code> is not set: ${inWords(serve)} answers everything that it can (<code>SERVE</code>), and nothing is compared.`
      : html`The rollout file in effect was read at ${time(loadedAt)}. Where it does not say who answers, ${inWords(serve)} does (<code>SERVE</code>).`
  const content = html`<h1>Rollout</h1>
<p class="lead">Which side answers each operation now, and what is compared. ${since} The page <a href="/brownouts">Brownouts</a> shows when calls are refused on purpose.</p>
${table({
  id: 'rollout',
  caption: 'Operations, and how they are served now',
  columns: [
    {
      head: 'Operation',
      cell: ({ operation }) => html`<a href="/side-by-side/${encodeURIComponent(operation)}">${operation}</a>`,
    },
    { head: 'Served by', cell: ({ serve }) => html`<span class="side ${serve}">${serve}</span>` },
    { head: 'Clients on v1', kind: 'number', cell: clientsOnV1 },
    { head: 'Client overrides', cell: ({ clients }) => overrides(clients) },
    { head: 'Shadowed', word: 'shadow', kind: 'number', cell: shadowed },
    { head: 'Shadow writes', cell: ({ shadowWrites }) => shadowWrites ?? 'no' },
    { head: 'Noise', cell: ({ noise }) => (noise ? 'measured' : 'not measured') },
    { head: 'Target', kind: 'number', cell: ({ target }) => chosenPercent(target) },
    { head: 'May choose', cell: ({ mayChoose }) => choosers(mayChoose) },
  ],
  rows: operations,
})}
<h2>Ignore rules</h2>
${rules.length === 0 ? html`<p class="empty">No ignore rules: every ${word('difference')} counts, except ${word('declared loss', 'declared losses')} and ${word('widening', 'widenings')}, ${word('drift')}, the form of equal numbers and the wording of errors.</p>` : html`${resultsOfReplicas(replicas())}\n${ruleTable(rules)}`}
<p class="note">A rule holds until the end of its last day (UTC). A rule that still holds but has excused nothing for 30 days is stale: remove it.</p>
<h2>Shadow limits</h2>
${figures([
  ['Queue', `${count(limits.queue)} calls`],
  ['Concurrency', count(limits.concurrency)],
  ['Time-out', `${count(limits.timeoutMs)} ms`],
])}`
  return { title: 'Rollout', section: '/rollout', content }
}

const inWords = (side: Row['serve']): string => (side === 'v1' ? 'v1' : 'the legacy service')

function clientsOnV1({ operation, serve, v1Percent, hasPlan, plan }: Row): Html | string {
  const share = chosenPercent(serve === 'v1' ? 1 : v1Percent / 100)
  return hasPlan === true
    ? html`${share} <small>by <a href="/#${idOf(operation)}">its plan</a>${plan === undefined ? '' : `: ${plan.steps.join(', ')}`}</small>`
    : share
}

/** Renders the share that is compared or, whatever the file sets, why the operation is never compared. */
const shadowed = ({ shadow, neverCompared }: Row): Html | string =>
  neverCompared === undefined ? chosenPercent(shadow) : html`<span class="quiet">never: ${neverCompared}</span>`

function overrides(clients: Row['clients']): Html {
  const all = Object.entries(clients)
  if (all.length === 0) return html`<span class="quiet">none</span>`
  return html`<ul class="plain">${all.map(([client, side]) => html`<li><code>${client}</code> ${side}</li>`)}</ul>`
}

const choosers = (mayChoose: Row['mayChoose']): Html =>
  mayChoose === '*'
    ? html`all clients`
    : mayChoose.length === 0
      ? html`<span class="quiet">none</span>`
      : codes(mayChoose)

function ruleTable(rules: readonly RuleUse[]): Html {
  return table({
    id: 'ignore',
    caption:
      'Rules of the rollout file. Each covers its path and everything beneath it, or if it names a change, only its path',
    columns: [
      { head: 'Operation', cell: ({ operation }) => (operation === '*' ? 'all' : operation) },
      { head: 'Path', cell: ({ path, kind }) => (path === '' && kind !== undefined ? '' : place(path)) },
      { head: 'Only', cell: only },
      {
        head: 'Why',
        kind: 'text',
        cell: ({ why, by }) => html`${why}${by === undefined ? '' : html` <small>${by}</small>`}`,
      },
      { head: 'Until', cell: ({ until, holds }) => (holds ? (until ?? '') : html`${until} ${OVER}`) },
      { head: 'Last excused', cell: lastExcused },
    ],
    rows: rules,
  })
}

const OVER = html`<span class="verdict not-ready">no longer holds</span>`
const STALE = html`<span class="verdict insufficient-data">stale</span>`

function lastExcused({ lastExcused: last, stale }: RuleUse): Html {
  const at = last === null ? html`<span class="quiet">never</span>` : time(last)
  return stale ? html`${at} ${STALE}` : at
}

/** Renders what narrows a rule: its kind and change, what calls send, their client, and how far numbers may differ. */
function only({ kind, details, when = {}, client, tolerance, unordered }: RuleUse): Html {
  const all = [
    ...(kind === undefined || unordered === true ? [] : [html`${kind}${details === undefined ? '' : ` ${details}`}`]),
    ...Object.entries(when).map(([member, isSent]) => html`${isSent ? 'with' : 'without'} <code>${member}</code>`),
    ...(client === undefined ? [] : [html`client <code>${client}</code>`]),
    ...(tolerance === undefined ? [] : [html`numbers within ${chosenPercent(tolerance)}`]),
    ...(unordered === true ? [html`the order of items`] : []),
  ]
  return html`<ul class="plain">${all.map((condition) => html`<li>${condition}</li>`)}</ul>`
}
