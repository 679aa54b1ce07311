import { html } from 'hono/html'
import { distinctInputs, matchRate, verdict } from './experiment-cells.ts'
import type { Experiment, Experiments } from './experiment-sources.ts'
import { count, percent, time } from './format.ts'
import type { Page } from './layout.ts'
import type { DashboardSources, ReferenceOperation } from './sources.ts'
import { table } from './table.ts'

interface Row {
  readonly operation: string
  /** Undefined: none of its calls has come here yet. */
  readonly experiment: Experiment | undefined
}

/** How far each operation is from being switched over. */
export async function sideBySidePage({ experiments, reference }: DashboardSources): Promise<Page> {
  const { since, operations, queue } = await experiments()
  const rows = rowsOf(operations, reference)
  const ready = operations.filter(({ verdict }) => verdict === 'ready').length
  const content = html`<h1>Side by side</h1>
<p class="lead">Compares the legacy service’s own answers with those that the gateway makes from v1’s.
Since ${time(since)}. ${operations.length === 0 ? '' : `Ready, and so safe to switch over: ${ready} of ${rows.length}.`}</p>
${operations.length === 0 ? nothingCompared : ''}
${table({
  id: 'operations',
  caption: 'Exchanges that were compared, by operation',
  columns: [
    { head: 'Operation', cell: ({ operation }) => html`<a href="${pathOf(operation)}">${operation}</a>` },
    { head: 'Verdict', cell: ({ experiment }) => (experiment === undefined ? notCompared : verdict(experiment)) },
    { head: 'Match rate', kind: 'number', cell: ({ experiment }) => matchRate(experiment) },
    number('Calls', ({ totals }) => totals.requests),
    number('Matched', ({ totals }) => totals.matched),
    number('Ignored', ({ totals }) => totals.ignored),
    number('Mismatched', ({ totals }) => totals.mismatched),
    number('Failed', ({ totals }) => totals.failed),
    number('Skipped', ({ totals }) => totals.skipped),
    { head: 'Inputs', kind: 'number', cell: ({ experiment }) => distinctInputs(experiment) },
    { head: 'Served by', cell: ({ experiment }) => experiment?.serve ?? '' },
    { head: 'Shadowed', kind: 'number', cell: ({ experiment }) => (experiment ? percent(experiment.shadow) : '') },
  ],
  rows,
})}
<p class="note">Match rate: the share of compared calls without a difference that counts, then its lower bound with 95 % confidence (Wilson), which must
reach the target. Ignored: all differences are known or declared. Failed: a side gave no answer to compare. Skipped: never sent to both sides,
as no write is. Inputs: how many different requests were compared.</p>
<h2>Queue</h2>
<p>Waiting to be compared: ${count(queue.length)} of at most ${count(queue.limit)}; under way: ${count(queue.running)}.
${
  queue.dropped === 0
    ? 'None was dropped.'
    : html`<strong>Dropped because it was full: ${count(queue.dropped)}.</strong> No number above includes them. In the rollout file, set a longer queue or compare a smaller share.`
}</p>`
  return { title: 'Side by side', section: '/side-by-side', content }
}

const pathOf = (operation: string): string => `/side-by-side/${encodeURIComponent(operation)}`

const notCompared = html`<span class="quiet">nothing compared</span>`

const nothingCompared = html`<p class="empty">Nothing has been compared yet. With a legacy service behind the gateway, the rollout file says
which share of the calls is compared: <code>{ "operations": { "*": { "shadow": 1 } } }</code>. Recordings can be compared with <code>legacy-gateway replay</code>.</p>`

const number = (head: string, value: (experiment: Experiment) => number) => ({
  head,
  kind: 'number' as const,
  cell: ({ experiment }: Row): string => (experiment === undefined ? '' : count(value(experiment))),
})

/** Every operation that there is, then whatever else was seen. */
function rowsOf(experiments: Experiments['operations'], reference: readonly ReferenceOperation[]): readonly Row[] {
  const known = reference.map(({ id }) => ({
    operation: id,
    experiment: experiments.find(({ operation }) => operation === id),
  }))
  const others = experiments.filter(({ operation }) => !reference.some(({ id }) => id === operation))
  return [...known, ...others.map((experiment) => ({ operation: experiment.operation, experiment }))]
}
