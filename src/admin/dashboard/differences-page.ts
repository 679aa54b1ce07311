import { html } from 'hono/html'
import { chosenPercent, count, distinct, percent, quantiles } from '../../common/figures.ts'
import type { AssumptionReport } from '../../compare/tally/operation-report.ts'
import { differenceSections, wholeOf } from './difference-sections.ts'
import { accountSection, coverageSection } from './evidence-sections.ts'
import { isOneOfSeveral, resultsOfReplicas } from './fleet-page.ts'
import { place, table, time } from './fragments.ts'
import type { Html, Page } from './layout.ts'
import { matchRate, unexcusedRate, units, unjudged, verdict } from './side-by-side-page.ts'
import type { DashboardSources, Experiment, ExperimentDifference } from './sources.ts'
import { valueFormsSection } from './value-forms-section.ts'

/** Renders the differences between the two sides for one operation. Undefined if there is no such operation. */
export async function differencesPage(sources: DashboardSources, operation: string): Promise<Page | undefined> {
  const { operations } = await sources.experiments()
  const experiment = operations.find((one) => one.operation === operation)
  const mapped = sources.reference.find(({ id }) => id === operation)
  if (experiment === undefined && mapped === undefined) return undefined
  const forms = await valueFormsSection(sources.usage, operation)
  const content = html`<p class="back"><a href="/side-by-side"><span aria-hidden="true">← </span>Side by side</a></p>
<h1>${operation}</h1>
${mapped === undefined ? '' : html`<p class="lead">${mapped.says} <a href="/mappings/${encodeURIComponent(operation)}">See its mapping</a></p>`}
${
  experiment === undefined
    ? html`<p class="empty">No call of this operation has been compared yet.${mapped?.effect === 'write' ? ' It is a write, and writes are never sent to both services.' : ''}</p>`
    : results(experiment, sources, forms)
}
${experiment === undefined ? forms : ''}`
  return { title: `${operation}, side by side`, section: '/side-by-side', content }
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
    ? html`<p class="empty">${others.length > 0 ? 'No differences that count.' : isCompared ? 'No differences found.' : 'None of its calls has been compared.'}</p>`
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
  const figure = (name: string, value: Html | string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  return html`<dl class="figures">
${figure('Verdict', verdict(experiment))}
${figure('Match rate', matchRate(experiment))}
${figure('Without rules and losses', unexcusedRate(experiment))}
${figure('Target', chosenPercent(target))}
${figure('Calls', count(totals.requests))}
${figure('Mismatched', count(totals.mismatched))}
${figure('Units', units(experiment))}
${figure('Errors', count(errors.matched + errors.mismatched))}
${figure('Empty', count(empty))}
${figure('Not judged', unjudged(experiment))}
${figure('Skipped', count(totals.skipped))}
${figure('Distinct inputs', distinct(experiment.inputs))}
${figure('Clients', clientsOf(clients))}
${since === null || until === null ? '' : figure('Compared', html`${time(since)} to ${time(until)}`)}
${durations === null ? '' : html`${figure('Legacy p50, p95, p99', quantiles(durations.control))}${figure(durations.allPages ? 'v1, all pages: p50, p95, p99' : 'v1 p50, p95, p99', quantiles(durations.candidate))}`}
${figure('Served by', serve)}
${figure('Shadowed', neverCompared === null ? chosenPercent(shadow) : `never: ${neverCompared}`)}
</dl>`
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
          { head: 'From', cell: ({ since }) => (since === null ? '–' : time(since)) },
          { head: 'To', cell: ({ until }) => (until === null ? '–' : time(until)) },
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
      { head: 'v1 path', cell: ({ v1Path }) => place(v1Path) },
      { head: 'Calls', kind: 'number', cell: ({ requests }) => count(requests) },
      { head: 'Places', kind: 'number', cell: (row) => count(row.count) },
      { head: 'Drift', kind: 'number', cell: ({ drift }) => count(drift) },
      {
        head: 'Clients',
        kind: 'number',
        cell: ({ clients }) => distinct(clients),
      },
      { head: 'First seen', cell: ({ since }) => (since === null ? '–' : time(since)) },
      { head: 'Last seen', cell: ({ until }) => (until === null ? '–' : time(until)) },
      ...(rows.some(({ ignored }) => ignored !== null)
        ? [{ head: 'Why', kind: 'text' as const, cell: ({ ignored }: ExperimentDifference) => ignored ?? '' }]
        : []),
    ],
    rows,
  })
}

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
      { head: 'Matched', kind: 'number', cell: ({ matched }) => count(matched) },
      { head: 'Differed', kind: 'number', cell: ({ differed }) => count(differed) },
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
${roundTrip === null ? '' : html`<p>${trips(roundTrip)}: the gateway translates legacy’s answer to v1’s shape and back. This says nothing about what v1 answers.</p>`}
${dropped.length === 0 ? '' : html`<p>Not carried to v1: ${dropped.map(([path, times], index) => html`${index === 0 ? '' : ', '}<code>${path}</code> (${count(times)})`)}.</p>`}`
}

const trips = ({ checked, differed }: NonNullable<Experiment['roundTrip']>): string =>
  `${count(checked)} ${checked === 1 ? 'write' : 'writes'} made the round trip; ${count(differed)} of them differed`
