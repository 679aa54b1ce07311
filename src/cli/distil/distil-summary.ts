import { count, counted, percent } from '../../common/figures.ts'
import { type TerminalColumn, terminalTable } from '../../common/tables.ts'
import type { DistilReport } from '../../distil/distilled.ts'
import { MOST_UNKNOWN } from '../../distil/walk-body.ts'
import { printable } from '../printable.ts'

const NO_KEY = ' TOKEN_KEY is not set: every run makes different pseudonyms.'

const COLUMNS: readonly TerminalColumn<DistilReport['operations'][number]>[] = [
  { head: 'operation', cell: ({ operation }) => operation },
  { head: 'exchanges', kind: 'number', cell: ({ read }) => count(read) },
  { head: 'kept', kind: 'number', cell: ({ kept }) => count(kept) },
  { head: 'covered', kind: 'number', cell: ({ covered, elements }) => `${count(covered)} of ${count(elements)}` },
]

/** Writes a summary of what was kept, as text for a terminal. */
export function writeDistilSummary(report: DistilReport, directory: string, hasKey: boolean): string {
  const { read, kept, elements, covered, bytes, max, leftOut, redacted, tooManyMembers, unreadable, exchanges } = report
  const cases = exchanges.filter((one) => one.case !== null).length
  return [
    ...terminalTable(COLUMNS, report.operations),
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
