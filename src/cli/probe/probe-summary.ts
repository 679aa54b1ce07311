import type { ReplayedReport } from '../../compare/replay/replay-results.ts'
import type { ProbeReport, Report } from '../../compare/report/report-json.ts'
import { count, counted } from '../../common/figures.ts'
import { aligned } from '../aligned.ts'
import type { Style } from '../explain/write-lines.ts'
import { printable } from '../printable.ts'
import { describe, MOST, nothingFirst, outcomesInWords } from '../replay/replay-summary.ts'
import { unreachedLines } from './unreached.ts'

const HEADINGS = ['operation', 'exchanges', 'with content', 'empty', 'errors', 'mismatched', 'failed'] as const
const IS_NUMBER = [false, true, true, true, true, true, true] as const
/** The most requests to show per difference. */
const REQUESTS = 3

/** Writes the report of a probe as text for a terminal: what was compared, what differs in which requests, and `advice`. */
export function writeProbeSummary(report: Report, advice: readonly string[], style: Style): string {
  const { operations, totals, complete } = report
  const probe = report.probe ?? { control: 0, candidate: 0, isCut: false, asked: [] }
  return [
    ...nothingFirst(report, style),
    ...tableOf(operations, style),
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

function tableOf(operations: readonly ReplayedReport[], style: Style): readonly string[] {
  const rows = operations.map(({ operation, totals, errors, empty }) => {
    const { requests, mismatched, failed, skipped } = totals
    const ofErrors = errors.matched + errors.mismatched
    const content = requests - failed - skipped - ofErrors - empty
    return [operation, ...[requests, content, empty, ofErrors, mismatched, failed].map(count)]
  })
  const [headings = [], ...lines] = aligned([HEADINGS, ...rows], IS_NUMBER)
  const colourOf = ({ totals }: ReplayedReport | undefined = operations[0] as ReplayedReport) =>
    totals.mismatched + totals.failed > 0 ? 'red' : 'green'
  return [
    style('dim', headings.join('  ')),
    ...lines.map(([name = '', ...counts], at) => [style(colourOf(operations[at]), name), ...counts].join('  ')),
  ]
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
