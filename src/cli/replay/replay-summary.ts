import { count, counted, provenInWords } from '../../common/figures.ts'
import { type Style, type TerminalColumn, terminalTable } from '../../common/tables.ts'
import { notSentInWords } from '../../compare/coverage/not-sent-members.ts'
import type { ReplayedReport } from '../../compare/replay/replay-results.ts'
import { provesNothing } from '../../compare/report/proves-nothing.ts'
import type { Report } from '../../compare/report/report-json.ts'
import { shareOfContent } from '../../compare/report/report-words.ts'
import type { DifferenceReport } from '../../compare/tally/report-differences.ts'
import { printable } from '../printable.ts'

const COLOURS = { ready: 'green', 'not ready': 'red', 'insufficient data': 'yellow' } as const
const COLUMNS: readonly TerminalColumn<ReplayedReport>[] = [
  { head: 'operation', cell: ({ operation }) => operation },
  { head: 'exchanges', kind: 'number', cell: ({ totals }) => count(totals.requests) },
  { head: 'match rate', kind: 'number', cell: (report) => shareOfContent(report, report.matchRate) },
  { head: 'at least', kind: 'number', cell: (report) => shareOfContent(report, report.lowerBound) },
  { head: 'verdict', cell: ({ says }) => says, format: ({ verdict }) => COLOURS[verdict] },
  { head: 'units needed', kind: 'number', cell: ({ needed }) => count(needed) },
]
/** The most differences and reasons to show per operation. The reports have all of them. */
export const MOST = 5

/**
 * Writes a report as text for a terminal: the verdicts, the reasons, and `advice` at the end, one sentence per line.
 */
export function writeSummary(report: Report, advice: readonly string[], style: Style): string {
  const { operations, overall, totals, complete, unreadable } = report
  const { requests } = totals
  return [
    ...nothingFirst(report, style),
    ...terminalTable(COLUMNS, operations, style),
    '',
    ...operations.flatMap(whyOf),
    inAll(overall),
    `${counted(requests, 'exchange')}: ${outcomesInWords(totals)}.`,
    ...(unreadable.count === 0 ? [] : [`${counted(unreadable.count, 'line')} could not be read.`]),
    ...(complete ? [] : ['Stopped before the end of the recording.']),
    ...advice,
    '',
  ].join('\n')
}

/** Says first which answers look like matches and prove nothing. */
export function nothingFirst(report: Report, style: Style): readonly string[] {
  const says = provesNothing(report)
  return says.length === 0 ? [] : [...says.map((text) => style('yellow', text)), '']
}

/** `98 matched, 0 ignored, 1 mismatched, 0 failed, 1 skipped` */
export const outcomesInWords = (totals: Report['totals']): string =>
  (['matched', 'ignored', 'mismatched', 'failed', 'skipped'] as const)
    .map((outcome) => `${count(totals[outcome])} ${outcome}`)
    .join(', ')

/** The verdict on all operations together. */
const inAll = (overall: Report['overall']): string => `All together: ${overall.says}. ${provenInWords(overall)}`

function whyOf({ operation, differences, uncompared, missing, verdict, coverage }: ReplayedReport): readonly string[] {
  const counting = differences
    .filter(({ ignored }) => ignored === null)
    .map((found) => [describe(found), ...found.shownBy.flatMap(({ says }) => says)].join('\n    '))
  const reasons = uncompared.map(({ outcome, reason, requests }) => `${outcome} (${reason}): ${count(requests)}`)
  const lacks = verdict === 'insufficient data' ? missing.map((text) => `missing: ${text}`) : []
  // `ready` says so itself.
  const notSent = verdict === 'ready' ? [] : notSentInWords(coverage.notSent)
  const all = [...counting, ...reasons, ...lacks, ...notSent]
  if (all.length === 0) return []
  const more = all.length > MOST ? [`and ${all.length - MOST} more`] : []
  return [`${operation}:`, ...[...all.slice(0, MOST), ...more].map(indented), '']
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${printable(line)}`)
    .join('\n')

/** Writes a difference in one line. */
export function describe({ kind, path, v1Path, requests, details }: DifferenceReport): string {
  const which = Object.entries(details ?? {}).map(([detail, times]) => `${detail}: ${count(times)}`)
  const from = v1Path === null || v1Path === path ? '' : ` (v1: ${v1Path})`
  const of = which.length === 0 ? '' : ` [${which.join(', ')}]`
  return `${kind}${path === '' ? '' : ` ${path}`}${from}${of}, in ${counted(requests, 'exchange')}`
}
