import { html } from 'hono/html'
import { count, distinct, percent, provenInWords } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import { writesInWords } from '../../evidence/writes/dropped-members.ts'
import { isOneOfSeveral, resultsOfReplicas } from './fleet-page.ts'
import { table, time } from './fragments.ts'
import type { Page } from './layout.ts'
import type { DashboardSources, Experiment, Experiments, ReferenceOperation } from './sources.ts'
import { contentOf, isAllSkipped } from './verdict-sentence.ts'
import { word } from './words-page.ts'

interface Row {
  readonly operation: string
  /** Undefined if no call has been compared, skipped, or failed to be compared yet. */
  readonly experiment: Experiment | undefined
}

/** Renders the verdict on each operation: how far it is from cut-over. */
export async function sideBySidePage({ experiments, reference, replicas }: DashboardSources): Promise<Page> {
  const { since, operations, overall, queue } = await experiments()
  const report = replicas()
  const rows = rowsOf(operations, reference)
  const content = html`<h1>Side by side</h1>
<p class="lead">The gateway compares the legacy service’s answers with those that it translates from v1, and says which operations are safe to cut over.
Results since ${time(since)}.</p>
${resultsOfReplicas(report)}
${operations.length === 0 ? nothingCompared : allTogether(overall)}
${table({
  id: 'operations',
  caption: 'Calls selected for comparison, by operation',
  columns: [
    { head: 'Operation', cell: ({ operation }) => html`<a href="${pathOf(operation)}">${operation}</a>` },
    {
      head: 'Verdict',
      word: 'proven',
      cell: ({ experiment }) => (experiment === undefined ? notCompared : verdict(experiment)),
    },
    { head: 'Match rate', word: 'match rate', kind: 'number', cell: ({ experiment }) => matchRate(experiment) },
    { head: 'Units', word: 'unit', kind: 'number', cell: ({ experiment }) => units(experiment) },
    number('Calls', ({ totals }) => totals.requests),
    number('Matched', ({ totals }) => totals.matched),
    { ...number('Ignored', ({ totals }) => totals.ignored), word: 'ignored' },
    { ...number('Mismatched', ({ totals }) => totals.mismatched), word: 'difference' },
    number('Errors', ({ errors }) => errors.matched + errors.mismatched),
    number('Empty', ({ empty }) => empty),
    { head: 'Not judged', word: 'not judged', kind: 'number', cell: ({ experiment }) => unjudged(experiment) },
    { ...number('Skipped', ({ totals }) => totals.skipped), word: 'skipped' },
    { head: 'Served by', cell: ({ experiment }) => experiment?.serve ?? '' },
  ],
  rows,
})}
<h2>Queue${isOneOfSeveral(report) ? ' of this replica' : ''}</h2>
<p>Waiting to be compared: ${count(queue.length)} of at most ${count(queue.limit)} calls. Under way: ${count(queue.running)}.
${
  queue.dropped === 0
    ? 'Dropped: none.'
    : html`<strong>Dropped, because the queue was full or memory was short: ${count(queue.dropped)}.</strong> They count as not judged. To drop fewer, set a longer queue or a smaller <code>shadow</code> share in the rollout file.`
}</p>`
  return { title: 'Side by side', section: '/side-by-side', content }
}

/** Renders the verdict on all operations together, which is what a person signs. */
const allTogether = (overall: Experiments['overall']): Html => {
  const { verdict, says, missing, kept } = overall
  return html`<p>All together: ${badge(verdict, says)}${says === verdict ? '' : '.'} ${provenInWords(overall)}</p>
${kept ? '' : html`<p class="note"><strong>Not kept:</strong> the results are in memory only, and a restart loses them. Set <code>STATE_DB</code> to a file to keep them.</p>`}
${missing.length === 0 ? '' : html`<details><summary>What is missing for all at once</summary><ul>${missing.map((text) => html`<li>${text}</li>`)}</ul></details>`}`
}

const pathOf = (operation: string): string => `/side-by-side/${encodeURIComponent(operation)}`

const notCompared = html`<span class="quiet">not compared</span>`

const nothingCompared = html`<p class="empty">Nothing has been compared yet. With a legacy service behind the gateway, <code>"shadow"</code> in the rollout file sets the
share of calls to compare: <code>"*": { "shadow": 1 }</code> compares all of them, and does not change who answers. To compare from a recording, run <code>legacy-gateway replay</code>.</p>`

const number = (head: string, of: (experiment: Experiment) => number) => ({
  ...{ head, kind: 'number' as const },
  cell: ({ experiment }: Row): string => (experiment === undefined ? '' : count(of(experiment))),
})

/** Returns a row per operation: first those with a mapping, then any others with results. */
function rowsOf(experiments: Experiments['operations'], reference: readonly ReferenceOperation[]): readonly Row[] {
  const mapped = reference.map(({ id }) => ({
    operation: id,
    experiment: experiments.find(({ operation }) => operation === id),
  }))
  const others = experiments.filter(({ operation }) => !reference.some(({ id }) => id === operation))
  return [...mapped, ...others.map((experiment) => ({ operation: experiment.operation, experiment }))]
}

/** Renders a verdict in its colour, and its details after a semicolon; in tables, beneath it. */
const badge = (verdict: string, says: string): Html =>
  html`<span class="verdict ${verdict.replace(' ', '-')}">${verdict}</span>${says === verdict ? '' : html`<span class="says"><span class="and">; </span>${says.slice(verdict.length + 2)}</span>`}`

/** Renders the verdict; for `insufficient data`, also what is missing. Says so if a restart would lose the verdict. */
export function verdict(experiment: Experiment): Html {
  const { verdict: is, says, missing, kept } = experiment
  const note = isAllSkipped(experiment) ? 'all skipped' : missing.join(', ')
  const writes = writesInWords(experiment)
  return html`${badge(is, says)}
${writes === '' ? '' : html`<small>${writes}</small>`}
${is === 'insufficient data' && note !== '' ? html`<small>${note}</small>` : ''}${is === 'ready' && !kept ? html`<small>not kept</small>` : ''}`
}

/** Renders the share of matching calls, and below it the lower bound of that of matching units: equal calls are one unit, so it may be higher. */
export function matchRate(experiment: Experiment | undefined): Html | string {
  if (experiment === undefined) return ''
  if (!showsContent(experiment)) return '–'
  const { matchRate: rate, unexcusedRate: unexcused, lowerBound, target } = experiment
  return html`${percent(rate, target)}<br><small class="bound">units ≥ ${percent(lowerBound, target)}</small>${unexcused === rate ? '' : html`<br><small>${word('unexcused')} ${percent(unexcused)}</small>`}`
}

/** Renders what the match rate would be if neither rules nor losses excused anything. */
export const unexcusedRate = (experiment: Experiment): string =>
  showsContent(experiment) ? percent(experiment.unexcusedRate) : '–'

export const units = (experiment: Experiment | undefined): string =>
  experiment === undefined ? '' : distinct(experiment.units)

/** Renders how many exchanges could not be judged, and why. */
export function unjudged(experiment: Experiment | undefined): Html | string {
  if (experiment === undefined) return ''
  const reasons = Object.entries(experiment.unjudged)
  const sum = reasons.reduce((total, [, times]) => total + times, 0)
  return html`${count(sum)}${reasons.map(([reason, times]) => html`<br><small>${reason}: ${count(times)}</small>`)}`
}

/** Whether a success with content was compared. Only those have a match rate. */
const showsContent = (experiment: Experiment): boolean => contentOf(experiment).calls > 0
