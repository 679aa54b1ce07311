import { html } from 'hono/html'
import { count, counted, distinctInWords, percent } from '../../../common/figures.ts'
import { type Column, type Html, htmlTable } from '../../../common/tables.ts'
import type { ReplayedReport, Uncompared } from '../../../recordings/replay/replay-results.ts'
import type { ExercisedLine } from '../coverage/coverage.ts'
import { type NotSentMember, nameInFull, seenIn } from '../coverage/not-sent.ts'
import { accountInWords } from '../tally/call-account.ts'
import type { AssumptionReport } from '../tally/operation-report.ts'
import type { DifferenceReport } from '../tally/report-differences.ts'
import type { WritesReport } from '../tally/results-of.ts'
import { comparedOf, linesOf } from './report-words.ts'
import { place } from './standing-alone.ts'

/** Renders one operation: differences that count, exchanges not compared, ignored differences, tested assumptions. */
export function operationSection(report: ReplayedReport): Html {
  const { operation, differences, inputs, lineage } = report
  const counting = differences.filter(({ ignored }) => ignored === null)
  const others = differences.filter(({ ignored }) => ignored !== null)
  const tested = report.assumptions.filter(({ standing }) => standing !== 'untested')
  const compared = comparedOf(report)
  return html`<section>
<h2 id="${operation}">${operation}</h2>
<p class="quiet">${counted(compared, 'exchange')} compared${compared === 0 ? '' : `, ${distinctInWords(inputs, 'different request')}`}. Mapping <code>${lineage.mapping}</code>, v1 ${lineage.v1 ?? 'not reported'}, legacy ${lineage.legacy ?? 'not reported'}.</p>
<p class="quiet">${accountInWords(report.account)}</p>
${writesLine(report)}
${htmlTable(DIFFERENCE_COLUMNS, counting)}
${htmlTable(UNCOMPARED_COLUMNS, report.uncompared)}
${folded(others.length, 'ignored difference', htmlTable(DIFFERENCE_COLUMNS, others))}
${folded(tested.length, 'tested assumption', htmlTable(ASSUMPTION_COLUMNS, tested))}
${coverageSection(report)}
</section>
`
}

/** Says what is known about writes without sending them to v1. */
function writesLine({ roundTrip, droppedMembers }: WritesReport): Html | '' {
  const dropped = Object.entries(droppedMembers).map(([path, times]) => `${path} (${counted(times, 'write')})`)
  const sentences = [
    ...(roundTrip === null
      ? []
      : [`${counted(roundTrip.checked, 'write')} made the round trip; ${count(roundTrip.differed)} of them differed.`]),
    ...(dropped.length === 0 ? [] : [`Not carried to v1: ${dropped.join(', ')}.`]),
  ]
  return sentences.length === 0 ? '' : html`<p class="quiet">${sentences.join(' ')}</p>`
}

/** Puts a table into a collapsed section, so that it does not hide what counts. */
function folded(many: number, noun: string, table: Html | ''): Html | string {
  return many === 0
    ? ''
    : html`<details><summary>${counted(many, noun)}</summary>
${table}
</details>`
}

const notes = (texts: readonly string[]): readonly Html[] => texts.map((text) => html`<br><small>${text}</small>`)

const DIFFERENCE_COLUMNS: readonly Column<DifferenceReport>[] = [
  {
    head: 'Difference',
    cell: ({ kind, from, details }) =>
      html`${kind}${notes(Object.entries(details ?? {}).map(([detail, times]) => `${detail}: ${count(times)}`))}${notes(from === undefined ? [] : [from])}`,
  },
  {
    head: 'Legacy path',
    cell: ({ kind, path, ignored }) =>
      html`${wholeOf({ kind, path }) ?? place(path)}${notes(ignored === null ? [] : [ignored])}`,
  },
  { head: 'v1 path', cell: ({ v1Path }) => place(v1Path) },
  { head: 'Exchanges', kind: 'number', cell: ({ requests }) => count(requests) },
  { head: 'Places', kind: 'number', cell: (difference) => count(difference.count) },
  { head: 'Drift', kind: 'number', cell: ({ drift }) => (drift === null ? 'unknown' : count(drift)) },
  {
    head: 'Where',
    kind: 'lines',
    cell: (difference) =>
      html`${linesOf(difference)}${difference.shownBy.flatMap(({ says }) => says).map((text) => html`<br>${text}`)}`,
  },
]

/** Names what differs where a path does not say so; undefined: the path does. */
function wholeOf({ kind, path }: Pick<DifferenceReport, 'kind' | 'path'>): string | undefined {
  if (kind === 'status' || kind === 'failure') return '(status)'
  return kind === 'dropped' && path === '' ? '(all further names)' : undefined
}

const UNCOMPARED_COLUMNS: readonly Column<Uncompared>[] = [
  { head: 'Not compared', cell: ({ outcome }) => outcome },
  { head: 'Why', cell: ({ reason }) => reason },
  { head: 'Exchanges', kind: 'number', cell: ({ requests }) => count(requests) },
  { head: 'Where', kind: 'lines', cell: linesOf },
]

const ASSUMPTION_COLUMNS: readonly Column<AssumptionReport>[] = [
  { head: 'Legacy path', cell: ({ legacy }) => place(legacy) },
  { head: 'v1 path', cell: ({ v1 }) => place(v1) },
  { head: 'Assumed', cell: ({ change, reason }) => html`${change}${notes(reason === null ? [] : [reason])}` },
  { head: 'Held', kind: 'number', cell: ({ matched }) => count(matched) },
  { head: 'Differed', kind: 'number', cell: ({ differed }) => count(differed) },
  { head: 'Standing', cell: ({ standing }) => html`<span class="standing ${standing}">${standing}</span>` },
]

/** Renders the lines of the mapping and how many exchanges showed them, lines that were never seen first; then what v1 did not get. */
function coverageSection({ coverage, exercised }: Pick<ReplayedReport, 'coverage' | 'exercised'>): Html | string {
  if (exercised.length === 0 && coverage.notSent.length === 0) return ''
  const { lines, seen, share, notSent } = coverage
  const isUnseen = ({ requests, waived }: ExercisedLine): boolean => requests === 0 && waived === null
  const inOrder = [...exercised.filter(isUnseen), ...exercised.filter((line) => !isUnseen(line))]
  return html`<details><summary>${seen} of ${counted(lines, 'line')} of the mapping seen, ${percent(share)}</summary>
${htmlTable(LINE_COLUMNS, inOrder)}
</details>
${notSentTable(notSent)}`
}

const LINE_COLUMNS: readonly Column<ExercisedLine>[] = [
  { head: 'Part', cell: ({ part }) => part },
  { head: 'Legacy', cell: ({ legacy }) => html`<code>${legacy}</code>` },
  { head: 'Exchanges', kind: 'number', cell: ({ requests }) => (requests === 0 ? 'never seen' : count(requests)) },
  { head: 'Differed', kind: 'number', cell: ({ differed }) => count(differed) },
  { head: 'Waived', cell: ({ waived }) => (waived === null ? '' : `${waived.why} (${waived.by})`) },
]

/** Renders what requests had and v1 did not get; empty: nothing. */
export const notSentTable = (members: readonly NotSentMember[]): Html | '' =>
  htmlTable(
    [
      { head: 'Member', cell: (member) => html`<code>${nameInFull(member)}</code>` },
      { head: 'Seen', cell: seenIn },
      {
        head: 'Waived',
        kind: 'text',
        cell: ({ waived }) => (waived === null ? 'no' : `${waived.why} (${waived.by})`),
      },
    ],
    members,
    'In requests, and never sent to v1: a comparison cannot show what it does, unless the answers differ',
  )
