import { html } from 'hono/html'
import { count, counted, percent } from '../../common/figures.ts'
import { type Column, type Html, htmlTable } from '../../common/tables.ts'
import type { ExercisedLine } from '../coverage/coverage.ts'
import { type NotSentMember, nameInFull, seenIn } from '../coverage/not-sent-members.ts'
import type { ReplayedReport } from '../replay/replay-results.ts'

/** Renders the lines of the mapping and how many exchanges showed them, lines that were never seen first; then what v1 did not get. */
export function coverageSection({
  coverage,
  exercised,
}: Pick<ReplayedReport, 'coverage' | 'exercised'>): Html | string {
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
