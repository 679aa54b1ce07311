import { html } from 'hono/html'
import { chosenPercent, count, counted, distinct, percent, quantiles } from '../../../common/figures.ts'
import { type Html, htmlTable } from '../../../common/tables.ts'
import { notSentTable } from '../report/report-html-operation.ts'
import { shareOfContent } from '../report/report-words.ts'
import { badge, facts, place, time } from '../report/standing-alone.ts'
import type { ToldReset } from '../tally/resets.ts'
import { checkedInWords, isOnlyChecked } from '../writes/dropped-members.ts'
import type { DossierOperation } from './dossier.ts'
import type { DossierReport } from './dossier-words.ts'

type Route = NonNullable<DossierOperation['v1']>
const route = ({ method, path }: Route): Html => html`<code>${method} ${path}</code>`

/** Renders one operation: verdict, versions, figures, then everything that weakens the verdict. */
export function operationSection(operation: DossierOperation): Html {
  const { report, losses, rules, expiredRules, waived, says, legacy, v1, verdict, serve, v1Percent, shadow } = operation
  const { neverCompared, laws } = operation
  const answers = serve === 'v1' ? 'v1' : v1Percent > 0 ? `legacy; v1 for ${v1Percent} % of clients` : 'legacy'
  return html`<h2 id="${operation.operation}">${operation.operation}</h2>
<p class="lead">${says}</p>
<p>${report === null ? '' : badge(report.verdict, report.says)} ${verdict}</p>
${facts({
  Legacy: route(legacy),
  v1: v1 === null ? 'none' : route(v1),
  'Answered by': answers,
  Compared: neverCompared === null ? `${chosenPercent(shadow)} of calls` : `never: ${neverCompared}`,
  ...(report === null ? {} : figuresOf(report)),
})}
${htmlTable(
  [
    { head: 'Legacy', cell: ({ legacy }) => place(legacy) },
    { head: 'Part', cell: ({ part }) => part },
    { head: 'Why', kind: 'text', cell: ({ reason }) => reason ?? '' },
  ],
  losses,
  'Losses: v1 no longer has this, and clients will notice',
)}
${ruleTable('Rules: the differences that they cover do not count', rules)}
${ruleTable('Expired rules, which no longer hold', expiredRules)}
${htmlTable(
  [
    { head: 'Legacy', cell: ({ legacy }) => place(legacy) },
    { head: 'Part', cell: ({ part }) => part },
    { head: 'By', cell: ({ by }) => by },
    { head: 'Why', kind: 'text', cell: ({ why }) => why },
  ],
  waived,
  'Waived: lines of the mapping that need not be seen',
)}
${report === null ? '' : findings(report)}
${htmlTable(
  [
    { head: 'There and back', cell: ({ law }) => html`<span class="law">${law}</span>` },
    { head: 'Result', kind: 'text', cell: ({ says }) => says },
  ],
  laws,
  'Laws: what the mapping translates there and back is the same, tried with made-up values',
)}`
}

const ruleTable = (caption: string, rules: DossierOperation['rules']): Html | '' =>
  htmlTable(
    [
      { head: 'Path', cell: ({ path }) => place(path) },
      { head: 'Kind', cell: ({ kind }) => kind ?? 'any' },
      { head: 'Only', cell: onlyOf },
      { head: 'Why', kind: 'text', cell: ({ why }) => why },
    ],
    rules,
    caption,
  )

/** Renders a rule's other conditions, and until when it holds. */
function onlyOf({
  operation: _,
  path: __,
  kind: ___,
  why: ____,
  when = {},
  ...others
}: DossierOperation['rules'][number]): string {
  return [
    ...Object.entries(when).map(([member, isSent]) => `${isSent ? 'with' : 'without'} ${member}`),
    ...Object.entries(others).map(([name, value]) => `${name} ${value}`),
  ].join(', ')
}

function figuresOf(report: DossierReport): Readonly<Record<string, Html | string | null>> {
  const { lineage, begunBy, units, clients, inputs, errors, empty, unjudged, since, until, durations } = report
  const reasons = Object.entries(unjudged).map(([reason, times]) => `${reason}: ${count(times)}`)
  const versions = {
    Versions: html`mapping <code>${lineage.mapping}</code>, v1 ${lineage.v1 ?? 'not reported'}, legacy ${lineage.legacy ?? 'not reported'}`,
    Reset: begunBy === null ? null : resetOf(begunBy),
    'Not judged': reasons.join(', '),
    'Checked, not sent': report.checked && checkedInWords(report.checked),
    'Round trip of writes': roundTripOf(report),
    'Not carried to v1': Object.entries(report.droppedMembers ?? {})
      .map(([path, writes]) => `${path} (${counted(writes, 'write')})`)
      .join(', '),
  }
  const { matched, ignored, mismatched } = report.totals
  if (matched + ignored + mismatched === 0 || isOnlyChecked(report)) return versions
  return {
    ...versions,
    Seen: since === null || until === null ? null : html`${time(since)} to ${time(until)}`,
    'Match rate': rateOf(report),
    Units: `${distinct(units)}, ${count(units.mismatched)} of them mismatched; target ${chosenPercent(report.target)}, at least ${shareOfContent(report, report.lowerBound)}`,
    Clients:
      clients.distinct === 0 ? 'unknown' : `${distinct(clients)}; the largest made ${percent(clients.largestShare)}`,
    'Different inputs': distinct(inputs),
    'Errors, empty answers': `${count(errors.matched)} equal and ${count(errors.mismatched)} different errors, ${count(empty)} empty answers: they prove no match`,
    Speed: durations === null ? null : speedOf(durations),
  }
}

function rateOf(report: DossierReport): string {
  const rate = shareOfContent(report, report.matchRate)
  return rate === '–' ? rate : `${rate}; ${percent(report.unexcusedRate)} without rules and losses`
}

const resetOf = ({ at, by, why }: ToldReset): Html => html`${time(at)}, by ${by}: ${why}`

type Durations = NonNullable<DossierReport['durations']>
const speedOf = ({ control, candidate, slowdown, allPages }: Durations): string =>
  `p50, p95, p99: legacy ${quantiles(control)}; v1 ${quantiles(candidate)} (p95 ${slowdown.p95} times)${allPages ? '; v1 answers a whole list in pages, and is given the time of all of them' : ''}`

const roundTripOf = ({ roundTrip }: DossierReport): string | null =>
  roundTrip === null ? null : `${count(roundTrip.checked)} checked, ${count(roundTrip.differed)} came back different`

/** Renders differences, assumptions, lines never seen, what v1 did not get, and older versions. */
function findings(report: DossierReport): Html {
  const { totals, differences, assumptions, coverage, history } = report
  const tested = assumptions.filter(({ standing }) => standing !== 'untested')
  // An operation that is never compared cannot show any line.
  const unseen = totals.skipped < totals.requests && !isOnlyChecked(report) ? coverage.unseen : []
  return html`${htmlTable(
    [
      { head: 'Legacy path', cell: ({ path }) => place(path) },
      { head: 'Kind', cell: ({ kind }) => kind },
      { head: 'Exchanges', kind: 'number', cell: ({ requests }) => count(requests) },
      { head: 'Counts', kind: 'text', cell: ({ ignored }) => (ignored === null ? 'yes' : `no: ${ignored}`) },
      { head: 'Shown by', kind: 'text', cell: ({ shownBy }) => shownBy.flatMap(({ says }) => says).join('; ') },
    ],
    differences,
    'Differences',
  )}
${unseen.length === 0 ? '' : html`<h3>Never seen</h3>\n<ul class="names">${unseen.map(({ part, legacy }) => html`<li>${part} ${place(legacy)}</li>`)}</ul>`}
${notSentTable(coverage.notSent)}
${htmlTable(
  [
    { head: 'Legacy', cell: ({ legacy }) => place(legacy) },
    { head: 'Standing', cell: ({ standing }) => html`<span class="standing ${standing}">${standing}</span>` },
    { head: 'Held', kind: 'number', cell: ({ matched }) => count(matched) },
    { head: 'Differed', kind: 'number', cell: ({ differed }) => count(differed) },
    {
      head: 'Assumed',
      kind: 'text',
      cell: ({ change, reason }) => (reason === null ? change : `${change}: ${reason}`),
    },
  ],
  tested,
  `Assumptions where the contract is silent${tested.length === assumptions.length ? '' : `; ${counted(assumptions.length - tested.length, 'other')} could not be tested`}`,
)}
${htmlTable(
  [
    { head: 'Mapping', cell: ({ lineage }) => html`<code>${lineage.mapping}</code>` },
    { head: 'v1', cell: ({ lineage }) => lineage.v1 ?? 'not reported' },
    { head: 'Legacy', cell: ({ lineage }) => lineage.legacy ?? 'not reported' },
    { head: 'To', cell: ({ until }) => (until === null ? '–' : time(until)) },
    { head: 'Verdict', cell: (past) => past.verdict },
    { head: 'Exchanges', kind: 'number', cell: ({ requests }) => count(requests) },
    {
      head: 'Ended by',
      kind: 'text',
      cell: ({ endedBy }) => (endedBy === null ? 'another version' : resetOf(endedBy)),
    },
  ],
  history,
  'Older versions, whose results do not count',
)}`
}
