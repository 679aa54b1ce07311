import { html } from 'hono/html'
import { chosenPercent, count, counted, distinct, percent, quantiles } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import type { AssumptionReport } from '../../evidence/tally/operation-report.ts'
import { checkedInWords, isOnlyChecked } from '../../evidence/writes/dropped-members.ts'
import { differenceTable } from './difference-rows.ts'
import { accountSection, coverageSection, valueFormsSection } from './evidence-sections.ts'
import { exchangeTables } from './exchange-tables.ts'
import { isOneOfSeveral, resultsOfReplicas } from './fleet-page.ts'
import { back, figures, folded, joined, numberColumn, place, table, time } from './fragments.ts'
import type { Page } from './layout.ts'
import { proposalsSection } from './proposals-section.ts'
import { repeatedSection } from './repeated-writes.ts'
import { matchRate, unexcusedRate, units, unjudged, verdict } from './side-by-side-page.ts'
import type { DashboardSources, Experiment } from './sources.ts'
import { contentOf, countingIn, verdictSentence } from './verdict-sentence.ts'
import { word } from './words-page.ts'

/** Renders the differences between the two sides for one operation. Undefined if there is no such operation. */
export async function differencesPage(sources: DashboardSources, operation: string): Promise<Page | undefined> {
  const { operations } = await sources.experiments()
  const experiment = operations.find((experiment) => experiment.operation === operation)
  const mapped = sources.reference.find(({ id }) => id === operation)
  if (experiment === undefined && mapped === undefined) return undefined
  const forms = await valueFormsSection(sources.usage, operation)
  const proposals = proposalsSection(sources.proposals().operations.find((found) => found.operation === operation))
  const repeated = repeatedSection(sources.repeatedWrites(operation), isOneOfSeveral(sources.replicas()))
  const content = html`${back('/side-by-side', 'Side by side')}
<h1>${operation}</h1>
${mapped === undefined ? '' : html`<p class="lead">${mapped.says} <a href="/mappings/${encodeURIComponent(operation)}">See its mapping</a></p>`}
${
  experiment === undefined
    ? html`<p class="empty">No call of this operation has been compared yet.${mapped?.effect === 'write' ? ` ${writesIn(sources, operation)}` : ''}</p>`
    : standing(experiment, sources)
}
${proposals}
${experiment === undefined ? '' : differencesIn(experiment, sources)}
${repeated}
${forms}
${experiment === undefined ? '' : evidence(experiment)}`
  return { title: `${operation}, side by side`, section: '/side-by-side', content }
}

/** Says what becomes of an operation's writes. */
function writesIn({ rollout }: DashboardSources, operation: string): string {
  const row = rollout().operations.find((each) => each.operation === operation)
  return row?.shadowWrites === 'copy'
    ? 'It is a write: what legacy has answered is sent to the copy of v1.'
    : 'It is a write, and writes are never sent to both services.'
}

/** Renders the verdict, the figures behind it and why it is what it is. */
function standing(experiment: Experiment, { replicas }: DashboardSources): Html {
  const { totals, serve } = experiment
  return html`${resultsOfReplicas(replicas())}
${figures([
  [word('proven', 'Verdict'), verdict(experiment)],
  [word('match rate', 'Match rate'), matchRate(experiment)],
  [word('unit', 'Units'), units(experiment)],
  [word('difference', 'Mismatched'), count(totals.mismatched)],
  [word('not judged', 'Not judged'), unjudged(experiment)],
  ['Served by', serve],
])}
<p id="why">${verdictSentence(experiment)}</p>
${folded('All figures', figures(otherFigures(experiment)))}
${accountSection(experiment)}`
}

function differencesIn(experiment: Experiment, { examples, replicas }: DashboardSources): Html {
  const { operation, differences } = experiment
  const { compared } = contentOf(experiment)
  const counting = countingIn(experiment)
  const others = differences.filter(({ ignored }) => ignored !== null)
  const exchanges = exchangeTables(examples(operation), counting)
  return html`<h2>Differences</h2>
${
  counting.length === 0
    ? html`<p class="empty">${others.length > 0 ? 'No differences that count.' : compared > 0 ? 'No differences found.' : isOnlyChecked(experiment) ? 'No differences found in what was checked.' : 'None of its calls has been compared.'}</p>`
    : differenceTable('counting', 'Differences that count: each one makes the operation not ready', counting, {
        operation,
        compared,
      })
}
${others.length === 0 ? '' : folded(`${counted(others.length, 'difference does', 'differences do')} not count`, differenceTable('not-counting', 'Ignored differences, which do not count', others, { operation, compared }))}
${
  counting.length === 0
    ? ''
    : html`<h2>Exchanges</h2>
${exchanges}
${folded('About these exchanges', html`<p class="note">They are redacted and kept in memory only${isOneOfSeveral(replicas()) ? ', separately by each replica' : ''}: after a restart there are none until a difference occurs again. Of each difference the latest five are kept. The first curl command calls this gateway, which answers according to the rollout: set <code>LEGACY_TOKEN</code> to a token from its login. The second calls the legacy service itself: set <code>LEGACY_SERVICE_TOKEN</code> to a token from that service’s login. Explain shows the v1 call.</p>`, exchanges === '')}`
}`
}

/** Renders what the verdict rests on, beside the differences. */
const evidence = (experiment: Experiment): Html => html`<h2>${word('coverage', 'Coverage')}</h2>
${coverageSection(experiment)}
${writeChecks(experiment)}
<h2>${word('assumption', 'Assumptions')}</h2>
${assumptionTable(experiment.assumptions)}
<h2>Versions</h2>
${versions(experiment)}`

function otherFigures(experiment: Experiment): Parameters<typeof figures>[0] {
  const { totals, target, shadow, neverCompared, errors, empty, clients, durations, since, until } = experiment
  const { against, checked } = experiment
  const ofV1 = against === null ? 'v1' : 'Copy of v1'
  const ofCandidate = durations?.allPages ? `${ofV1}, all pages: p50, p95, p99` : `${ofV1} p50, p95, p99`
  return [
    [word('unexcused', 'Unexcused'), unexcusedRate(experiment)],
    ['Target', chosenPercent(target)],
    ['Calls', count(totals.requests)],
    ['Errors', count(errors.matched + errors.mismatched)],
    ['Empty', count(empty)],
    [word('skipped', 'Skipped'), count(totals.skipped)],
    ['Distinct inputs', distinct(experiment.inputs)],
    ['Clients', clientsOf(clients)],
    ...(checked === null ? [] : [[word('checked', 'Checked, not sent'), checkedInWords(checked)] as const]),
    ...(since === null ? [] : [['Compared', html`${time(since)} to ${time(until)}`] as const]),
    ...(durations === null
      ? []
      : ([
          ['Legacy p50, p95, p99', quantiles(durations.control)],
          [ofCandidate, quantiles(durations.candidate)],
        ] as const)),
    [word('shadow', 'Shadowed'), neverCompared === null ? chosenPercent(shadow) : `never: ${neverCompared}`],
  ]
}

/** Renders how many clients called: `3; one of them made 50 %`. */
function clientsOf(clients: Experiment['clients']): string {
  if (clients.distinct === 0) return 'unknown'
  return `${distinct(clients)}${clients.distinct === 1 ? '' : `; one of them made ${percent(clients.largestShare)}`}`
}

/** Renders the versions that the results belong to, and what was found for older versions. */
function versions({ lineage, begunBy, history }: Experiment): Html {
  const nowhere = html`<span class="quiet">not reported</span>`
  return html`<p>These results are for the mapping <code>${lineage.mapping}</code>, v1 ${lineage.v1 ?? nowhere}, legacy ${lineage.legacy ?? nowhere}. Results of older versions do not count. These versions are the ${word('lineage')} of the results.</p>
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

function assumptionTable(assumptions: readonly AssumptionReport[]): Html {
  if (assumptions.length === 0) return html`<p class="empty">The mapping assumes nothing about the answers.</p>`
  const standings = Map.groupBy(assumptions, ({ standing }) => standing)
  const says = ['refuted', 'untested', 'confirmed'].flatMap((standing) => {
    const { length } = standings.get(standing as AssumptionReport['standing']) ?? []
    return length === 0 ? [] : [`${count(length)} ${standing}`]
  })
  return folded(
    `${counted(assumptions.length, 'assumption')}: ${says.join(', ')}`,
    table({
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
    }),
  )
}

/** Renders what is known about writes without sending them to v1; empty if nothing is. */
function writeChecks({ roundTrip, droppedMembers }: Experiment): Html | string {
  const dropped = Object.entries(droppedMembers)
  if (roundTrip === null && dropped.length === 0) return ''
  return html`<h2>Writes</h2>
${roundTrip === null ? '' : html`<p>${counted(roundTrip.checked, 'write')} made the ${word('round trip')}; ${count(roundTrip.differed)} of them differed: the gateway translates legacy’s answer to v1’s shape and back. This says nothing about what v1 answers.</p>`}
${dropped.length === 0 ? '' : html`<p>Not carried to v1: ${joined(dropped.map(([path, times]) => html`<code>${path}</code> (${count(times)})`))}.</p>`}`
}
