import { count, counted } from '../../common/figures.ts'
import { type Style, type TerminalColumn, terminalTable } from '../../common/tables.ts'
import type { ReplayedReport } from '../../compare/replay/replay-results.ts'
import type { ProbeReport, Report } from '../../compare/report/report-json.ts'
import { printable } from '../printable.ts'
import { describe, MOST, nothingFirst, outcomesInWords } from '../replay/replay-summary.ts'
import { unreachedLines } from './unreached.ts'

const errorsOf = ({ errors }: ReplayedReport): number => errors.matched + errors.mismatched
const contentOf = (report: ReplayedReport): number =>
  report.totals.requests - report.totals.failed - report.totals.skipped - errorsOf(report) - report.empty

const COLUMNS: readonly TerminalColumn<ReplayedReport>[] = [
  {
    head: 'operation',
    cell: ({ operation }) => operation,
    format: ({ totals }) => (totals.mismatched + totals.failed > 0 ? 'red' : 'green'),
  },
  { head: 'exchanges', kind: 'number', cell: ({ totals }) => count(totals.requests) },
  { head: 'with content', kind: 'number', cell: (report) => count(contentOf(report)) },
  { head: 'empty', kind: 'number', cell: ({ empty }) => count(empty) },
  { head: 'errors', kind: 'number', cell: (report) => count(errorsOf(report)) },
  { head: 'mismatched', kind: 'number', cell: ({ totals }) => count(totals.mismatched) },
  { head: 'failed', kind: 'number', cell: ({ totals }) => count(totals.failed) },
]
/** The most requests to show per difference. */
const REQUESTS = 3

/** Writes the report of a probe as text for a terminal: what was compared, what differs in which requests, and `advice`. */
export function writeProbeSummary(report: Report, advice: readonly string[], style: Style): string {
  const { operations, totals, complete } = report
  const probe = report.probe ?? { control: 0, candidate: 0, isCut: false, asked: [] }
  return [
    ...nothingFirst(report, style),
    ...terminalTable(COLUMNS, operations, style),
    '',
    ...operations.flatMap((operation) => whyOf(operation, probe)),
    ...unreachedLines(report),
    `${counted(totals.requests, 'exchange')}: ${outcomesInWords(totals)}.`,
    `${counted(probe.control, 'call')} to the legacy service, ${count(probe.candidate)} to v1.${probe.isCut ? ' There is more to probe: raise --budget.' : ''}`,
    ...(complete ? [] : ['Stopped before the end.']),
    'A probe finds differences, but makes no operation ready: only client calls do.',
    ...advice,
    '',
  ].join('\n')
}

function whyOf({ operation, differences, uncompared }: ReplayedReport, { asked }: ProbeReport): readonly string[] {
  const requestsOf = (lines: readonly number[]): readonly string[] =>
    lines.slice(0, REQUESTS).flatMap((line) => {
      const text = asked[line - 1]
      return text === undefined ? [] : [`    with ${text.slice(operation.length + 2)}`]
    })
  const counting = differences.filter(({ ignored }) => ignored === null)
  const all = [
    ...counting.map((difference) => [`  ${describe(difference)}`, ...requestsOf(difference.lines)]),
    ...uncompared.map(({ outcome, reason, requests, lines }) => [
      `  ${outcome} (${reason}): ${count(requests)}`,
      ...requestsOf(lines),
    ]),
  ]
  if (all.length === 0) return []
  const more = all.length > MOST ? [`  and ${all.length - MOST} more`] : []
  return [`${operation}:`, ...[...all.slice(0, MOST).flat(), ...more].map(printable), '']
}
