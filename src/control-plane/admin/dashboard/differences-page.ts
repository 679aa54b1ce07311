import { html } from 'hono/html'
import { chosenPercent, count, counted, distinct, percent, quantiles } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import type { ShownExample } from '../../evidence/examples.ts'
import type { AssumptionReport } from '../../evidence/tally/operation-report.ts'
import { checkedInWords, isOnlyChecked } from '../../evidence/writes/dropped-members.ts'
import { accountSection, coverageSection, valueFormsSection } from './evidence-sections.ts'
import { isOneOfSeveral, resultsOfReplicas } from './fleet-page.ts'
import { back, clipped, figures, joined, numberColumn, place, table, time } from './fragments.ts'
import type { Page } from './layout.ts'
import { proposalsSection } from './proposals-section.ts'
import { repeatedSection } from './repeated-writes.ts'
import { matchRate, unexcusedRate, units, unjudged, verdict } from './side-by-side-page.ts'
import type { DashboardSources, Experiment, ExperimentDifference } from './sources.ts'

/** Renders the differences between the two sides for one operation. Undefined if there is no such operation. */
export async function differencesPage(sources: DashboardSources, operation: string): Promise<Page | undefined> {
  const { operations } = await sources.experiments()
  const experiment = operations.find((experiment) => experiment.operation === operation)
  const mapped = sources.reference.find(({ id }) => id === operation)
  if (experiment === undefined && mapped === undefined) return undefined
  const forms = await valueFormsSection(sources.usage, operation)
  const content = html`${back('/side-by-side', 'Side by side')}
<h1>${operation}</h1>
${mapped === undefined ? '' : html`<p class="lead">${mapped.says} <a href="/mappings/${encodeURIComponent(operation)}">See its mapping</a></p>`}
${repeatedSection(sources.repeatedWrites(operation), isOneOfSeveral(sources.replicas()))}
${proposalsSection(sources.proposals().operations.find((found) => found.operation === operation))}
${
  experiment === undefined
    ? html`<p class="empty">No call of this operation has been compared yet.${mapped?.effect === 'write' ? ` ${writesIn(sources, operation)}` : ''}</p>`
    : results(experiment, sources, forms)
}
${experiment === undefined ? forms : ''}`
  return { title: `${operation}, side by side`, section: '/side-by-side', content }
}

/** Says what becomes of an operation's writes. */
function writesIn({ rollout }: DashboardSources, operation: string): string {
  const row = rollout().operations.find((each) => each.operation === operation)
  return row?.shadowWrites === 'copy'
    ? 'It is a write: what legacy has answered is sent to the copy of v1.'
    : 'It is a write, and writes are never sent to both services.'
}

function results(experiment: Experiment, { examples, replicas }: DashboardSources, forms: Html | ''): Html {
  const report = replicas()
  const { operation, totals, differences, assumptions } = experiment
  const isCompared = totals.matched + totals.ignored + totals.mismatched > 0
  const counting = differences.filter(({ ignored }) => ignored === null)
  const others = differences.filter(({ ignored }) => ignored !== null)
  return html`${resultsOfReplicas(report)}
${summary(experiment)}
${accountSection(experiment)}
<h2>Differences</h2>
${
  counting.length === 0
    ? html`<p class="empty">${others.length > 0 ? 'No differences that count.' : isCompared ? 'No differences found.' : isOnlyChecked(experiment) ? 'No differences found in what was checked.' : 'None of its calls has been compared.'}</p>`
    : differenceTable('counting', 'Differences that count: each one makes the operation not ready', counting)
}
${others.length === 0 ? '' : differenceTable('not-counting', 'Ignored differences, which do not count', others)}
${counting.length === 0 ? '' : html`<p class="note">The examples below are redacted and kept in memory only${isOneOfSeveral(report) ? ', separately by each replica' : ''}: after a restart there are none until a difference occurs again. The first curl command calls this gateway, which answers according to the rollout: set <code>LEGACY_TOKEN</code> to a token from its login. The second calls the legacy service itself: set <code>LEGACY_SERVICE_TOKEN</code> to a token from that service’s login. Explain shows the v1 call.</p>`}
${differenceSections(operation, counting, examples(operation))}
${forms}
<h2>Coverage</h2>
${coverageSection(experiment)}
${writeChecks(experiment)}
<h2>Assumptions</h2>
${assumptionTable(assumptions)}
<h2>Versions</h2>
${versions(experiment)}`
}

function summary(experiment: Experiment): Html {
  const { totals, target, serve, shadow, neverCompared, errors, empty, clients, durations, since, until } = experiment
  const { against, checked } = experiment
  const ofV1 = against === null ? 'v1' : 'Copy of v1'
  const ofCandidate = durations?.allPages ? `${ofV1}, all pages: p50, p95, p99` : `${ofV1} p50, p95, p99`
  return figures([
    ['Verdict', verdict(experiment)],
    ['Match rate', matchRate(experiment)],
    ['Without rules and losses', unexcusedRate(experiment)],
    ['Target', chosenPercent(target)],
    ['Calls', count(totals.requests)],
    ['Mismatched', count(totals.mismatched)],
    ['Units', units(experiment)],
    ['Errors', count(errors.matched + errors.mismatched)],
    ['Empty', count(empty)],
    ['Not judged', unjudged(experiment)],
    ['Skipped', count(totals.skipped)],
    ['Distinct inputs', distinct(experiment.inputs)],
    ['Clients', clientsOf(clients)],
    ...(checked === null ? [] : [['Checked, not sent', checkedInWords(checked)] as const]),
    ...(since === null ? [] : [['Compared', html`${time(since)} to ${time(until)}`] as const]),
    ...(durations === null
      ? []
      : ([
          ['Legacy p50, p95, p99', quantiles(durations.control)],
          [ofCandidate, quantiles(durations.candidate)],
        ] as const)),
    ['Served by', serve],
    ['Shadowed', neverCompared === null ? chosenPercent(shadow) : `never: ${neverCompared}`],
  ])
}

/** Renders how many clients called: `3; one of them made 50 %`. */
function clientsOf(clients: Experiment['clients']): string {
  if (clients.distinct === 0) return 'unknown'
  return `${distinct(clients)}${clients.distinct === 1 ? '' : `; one of them made ${percent(clients.largestShare)}`}`
}

/** Renders the versions that the results belong to, and what was found for older versions. */
function versions({ lineage, begunBy, history }: Experiment): Html {
  const nowhere = html`<span class="quiet">not reported</span>`
  return html`<p>These results are for the mapping <code>${lineage.mapping}</code>, v1 ${lineage.v1 ?? nowhere}, legacy ${lineage.legacy ?? nowhere}. Results of older versions do not count.</p>
${begunBy === null ? '' : html`<p>The evidence was reset on ${time(begunBy.at)} by ${begunBy.by}: ${begunBy.why}</p>`}
${
  history.length === 0
    ? ''
    : table({
        id: 'history',
        caption: 'Older versions',
        columns: [
          { head: 'Mapping', cell: (past) => html`<code>${past.lineage.mapping}</code>` },
          { head: 'v1', cell: (past) => past.lineage.v1 ?? nowhere },
          { head: 'Legacy', cell: (past) => past.lineage.legacy ?? nowhere },
          { head: 'From', cell: ({ since }) => time(since) },
          { head: 'To', cell: ({ until }) => time(until) },
          { head: 'Verdict', cell: (past) => past.verdict },
          { head: 'Calls', kind: 'number', cell: ({ requests }) => count(requests) },
          ...(history.some(({ endedBy }) => endedBy !== null)
            ? [{ head: 'Reset', kind: 'text' as const, cell: (past: Experiment['history'][number]) => resetOf(past) }]
            : []),
        ],
        rows: history,
      })
}`
}

const resetOf = ({ endedBy }: Experiment['history'][number]): Html | '' =>
  endedBy === null ? '' : html`${time(endedBy.at)}, by ${endedBy.by}: ${endedBy.why}`

function differenceTable(id: string, caption: string, rows: readonly ExperimentDifference[]): Html {
  const number = numberColumn<ExperimentDifference>
  return table({
    id,
    caption,
    columns: [
      { head: 'Legacy path', cell: (row) => place(row.path, wholeOf(row)) },
      {
        head: 'Kind',
        cell: (row) =>
          html`${row.kind}${row.from === undefined ? '' : html` <small>${row.from}</small>`}${details(row)}`,
      },
      { head: 'v1 path', cell: v1PlaceOf },
      number('Calls', ({ requests }) => requests),
      number('Places', (row) => row.count),
      number('Drift', ({ drift }) => drift ?? 0),
      { head: 'Clients', kind: 'number', cell: ({ clients }) => distinct(clients) },
      { head: 'First seen', cell: ({ since }) => time(since) },
      { head: 'Last seen', cell: ({ until }) => time(until) },
      ...(rows.some(({ ignored }) => ignored !== null)
        ? [{ head: 'Why', kind: 'text' as const, cell: ({ ignored }: ExperimentDifference) => ignored ?? '' }]
        : []),
    ],
    rows,
  })
}

/** Renders where v1 has the value. Where it lacks it, but a mapping line says where it should be, that says so. */
const v1PlaceOf = ({ kind, path, v1Path }: ExperimentDifference): Html | string =>
  kind === 'missing' && v1Path !== null && !path.endsWith('[]')
    ? html`<span class="quiet">not there: <code>${v1Path}</code></span>`
    : place(v1Path)

/** Renders how often each change occurs: `400 → 406 × 3`. */
function details({ details: all }: ExperimentDifference): Html | '' {
  if (all === null) return ''
  return html`<ul class="plain">${Object.entries(all).map(([detail, times]) => html`<li>${detail} <small>× ${count(times)}</small></li>`)}</ul>`
}

function assumptionTable(assumptions: readonly AssumptionReport[]): Html {
  if (assumptions.length === 0) return html`<p class="empty">The mapping assumes nothing about the answers.</p>`
  return table({
    id: 'assumptions',
    caption: 'What the mapping assumes where the contract is silent, and whether the compared answers confirm it',
    columns: [
      { head: 'Legacy', cell: ({ legacy }) => place(legacy) },
      { head: 'v1', cell: ({ v1 }) => place(v1) },
      { head: 'Change', cell: ({ change }) => change },
      { head: 'Standing', cell: ({ standing }) => html`<span class="standing ${standing}">${standing}</span>` },
      numberColumn<AssumptionReport>('Matched', ({ matched }) => matched),
      numberColumn<AssumptionReport>('Differed', ({ differed }) => differed),
      { head: 'Why', kind: 'text', cell: ({ reason }) => reason ?? '' },
    ],
    rows: assumptions,
  })
}

/** Renders what is known about writes without sending them to v1; empty if nothing is. */
function writeChecks({ roundTrip, droppedMembers }: Experiment): Html | string {
  const dropped = Object.entries(droppedMembers)
  if (roundTrip === null && dropped.length === 0) return ''
  return html`<h2>Writes</h2>
${roundTrip === null ? '' : html`<p>${counted(roundTrip.checked, 'write')} made the round trip; ${count(roundTrip.differed)} of them differed: the gateway translates legacy’s answer to v1’s shape and back. This says nothing about what v1 answers.</p>`}
${dropped.length === 0 ? '' : html`<p>Not carried to v1: ${joined(dropped.map(([path, times]) => html`<code>${path}</code> (${count(times)})`))}.</p>`}`
}

/** Names what differs where a path does not say so. */
function wholeOf({ kind }: Pick<ExperimentDifference, 'kind'>): string {
  if (kind === 'dropped') return 'all further names'
  if (kind === 'status') return 'the status'
  return kind === 'failure' ? 'no answer' : 'the whole body'
}

/** Renders a section per difference: its mapping line, the rules that would excuse it, and the latest values with their calls. */
function differenceSections(
  operation: string,
  differences: readonly ExperimentDifference[],
  examples: readonly ShownExample[],
): readonly Html[] {
  return differences.map((difference, index) => {
    const { kind, path } = difference
    const shown = examples.filter((example) => example.kind === kind && example.path === path)
    const id = `examples-${index + 1}`
    return html`<section>
<h3 id="${id}">${place(path, wholeOf(difference))} <small>${kind}</small></h3>
${mappingLine(operation, difference)}
${shownBy(difference)}
${shown.length === 0 ? '' : exampleTable(id, shown)}
${excusing(difference)}
</section>`
  })
}

function mappingLine(operation: string, { mapping }: ExperimentDifference): Html | '' {
  if (mapping === null) return ''
  const { legacy, v1, change, reason } = mapping
  return html`<p>Its line in the <a href="/mappings/${encodeURIComponent(operation)}">mapping</a>: ${place(legacy)}, in v1 ${place(v1)}: ${change}.${reason === null ? '' : ` ${reason}`}</p>`
}

/** Renders who shows it, and what their requests have in common. What is common need not be the cause. */
function shownBy({ shownBy }: ExperimentDifference): Html | '' {
  const says = shownBy.flatMap((change) => change.says)
  return says.length === 0 ? '' : html`<ul class="shown-by">${says.map((text) => html`<li>${text}.</li>`)}</ul>`
}

/** Renders the rules to copy into the rollout file and what they would do, or why there are none. */
function excusing({ excusing }: ExperimentDifference): Html | '' {
  if (excusing === null) return ''
  const { rules, requests, without = [] } = excusing
  if (rules.length === 0) return html`<p>No rule excuses exactly this and nothing else. ${without.join(' ')}</p>`
  return html`<details><summary>The narrowest rule for it would excuse ${counted(requests, 'call')}</summary>
<p>${requests === 0 ? 'Every call that shows this difference also differs elsewhere.' : 'These calls show no other difference that counts.'} To ignore it, add this to <code>ignore</code> in the rollout file, and say why.</p>
<pre>${rules.map((rule) => JSON.stringify(rule)).join(',\n')}</pre>
${without.length === 0 ? '' : html`<p>Some of its changes have no rule that excuses nothing else. ${without.join(' ')}</p>`}
</details>`
}

const exampleTable = (id: string, examples: readonly ShownExample[]): Html =>
  table({
    id: `${id}-values`,
    caption: examples.length === 1 ? 'Latest example' : `Latest ${examples.length} examples`,
    columns: [
      { head: 'Time', cell: ({ at }) => time(at) },
      { head: 'Legacy', kind: 'text', cell: ({ control }) => value(control) },
      { head: 'v1, translated', kind: 'text', cell: ({ candidate }) => value(candidate) },
      {
        head: 'Call',
        kind: 'text',
        cell: ({ curl, legacyCurl, explain }) =>
          html`${explain === undefined ? '' : html`<a href="/explain?${explain}">Explain</a>`}<details><summary>as curl</summary><pre>${curl}</pre></details><details><summary>as curl, to the legacy service</summary><pre>${legacyCurl}</pre></details>`,
      },
    ],
    rows: examples,
  })

const value = (json: string | null): Html =>
  json === null ? html`<span class="quiet">nothing</span>` : html`<code>${clipped(json)}</code>`
