import { plural } from '../../compare/report/report-words.ts'
import type { DistilReport } from '../../distil/distilled.ts'
import { MOST_UNKNOWN } from '../../distil/member-table.ts'
import { aligned } from '../aligned.ts'
import { printable } from '../printable.ts'

const HEADINGS = ['operation', 'exchanges', 'kept', 'covered'] as const
const NO_KEY = ' TOKEN_KEY is not set: every run makes different pseudonyms.'
const IS_NUMBER = [false, true, true, true] as const

/** Writes a summary of what was kept, as text for a terminal. */
export function writeDistilSummary(report: DistilReport, directory: string, hasKey: boolean): string {
  const { read, kept, elements, covered, bytes, max, leftOut, redacted, tooManyMembers, unreadable, exchanges } = report
  const rows = report.operations.map((one) => [
    one.operation,
    ...[one.read, one.kept].map(grouped),
    `${grouped(one.covered)} of ${grouped(one.elements)}`,
  ])
  const cases = exchanges.filter((one) => one.case !== null).length
  return [
    ...aligned([HEADINGS, ...rows], IS_NUMBER).map((cells) => cells.join('  ').trimEnd()),
    '',
    `kept ${grouped(kept)} of ${grouped(read)} exchanges (${shareOf(kept, read)}), ${shareOf(bytes.kept, bytes.read)} of their bytes: ${grouped(covered)} of ${grouped(elements)} elements`,
    ...(max !== null && covered < elements
      ? [
          `--max ${max} leaves ${plural(elements - covered, 'element')} uncovered (covered: ${shareOf(covered, elements)}).`,
        ]
      : []),
    ...(leftOut > 0 ? [`${plural(leftOut, 'exchange')} of other operations left out.`] : []),
    ...(unreadable.count > 0
      ? [
          `${plural(unreadable.count, 'line')} could not be read, or not kept as recorded: distil.json lists the first ones.`,
        ]
      : []),
    ...tooManyMembers.map(
      (operation) =>
        `${operation} has more than ${MOST_UNKNOWN} members that no mapping line knows: the rest count as one.`,
    ),
    ...(redacted > 0
      ? [`${plural(redacted, 'exchange')} redacted that no gateway had recorded.${hasKey ? '' : NO_KEY}`]
      : []),
    `Written to ${printable(directory)}: recording.ndjson, recording.har, ${plural(cases, 'golden case')} in cases/, distil.json.`,
    '',
  ].join('\n')
}

const grouped = (count: number): string => count.toLocaleString('en-US')

/** Rounds down, so that only the whole is 100 %. */
const shareOf = (part: number, whole: number): string => `${(Math.floor((part / whole) * 1000) / 10).toFixed(1)} %`
