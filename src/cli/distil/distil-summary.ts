import type { DistilReport } from '../../distil/distilled.ts'
import { MOST_UNKNOWN } from '../../distil/walk-body.ts'
import { count, counted, percent } from '../../common/figures.ts'
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
    ...[one.read, one.kept].map(count),
    `${count(one.covered)} of ${count(one.elements)}`,
  ])
  const cases = exchanges.filter((one) => one.case !== null).length
  return [
    ...aligned([HEADINGS, ...rows], IS_NUMBER).map((cells) => cells.join('  ').trimEnd()),
    '',
    `kept ${count(kept)} of ${count(read)} exchanges (${percent(kept / read)}), ${percent(bytes.kept / bytes.read)} of their bytes: ${count(covered)} of ${count(elements)} elements`,
    ...(max !== null && covered < elements
      ? [
          `--max ${max} leaves ${counted(elements - covered, 'element')} uncovered (covered: ${percent(covered / elements)}).`,
        ]
      : []),
    ...(leftOut > 0 ? [`${counted(leftOut, 'exchange')} of other operations left out.`] : []),
    ...(unreadable.count > 0
      ? [
          `${counted(unreadable.count, 'line')} could not be read, or not kept as recorded: distil.json lists the first ones.`,
        ]
      : []),
    ...tooManyMembers.map(
      (operation) =>
        `${operation} has more than ${MOST_UNKNOWN} members that no mapping line knows: the rest count as one.`,
    ),
    ...(redacted > 0
      ? [`${counted(redacted, 'exchange')} redacted that no gateway had recorded.${hasKey ? '' : NO_KEY}`]
      : []),
    `Written to ${printable(directory)}: recording.ndjson, recording.har, ${counted(cases, 'golden case')} in cases/, distil.json.`,
    '',
  ].join('\n')
}
