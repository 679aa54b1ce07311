import { html } from 'hono/html'
import { count, counted, percent } from '../../common/figures.ts'
import type { ExercisedLine } from '../coverage/coverage.ts'
import { type NotSentMember, nameInFull, seenIn } from '../coverage/not-sent-members.ts'
import type { ReplayedReport } from '../replay/replay-results.ts'
import { type Html, table } from './standing-alone.ts'

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
<div class="scroll"><table>
<thead><tr><th>Part</th><th>Legacy</th><th class="number">Exchanges</th><th class="number">Differed</th><th>Waived</th></tr></thead>
<tbody>
${inOrder.map(
  ({ part, legacy, requests, differed, waived }) => html`<tr>
<td>${part}</td><td><code>${legacy}</code></td>
<td class="number">${requests === 0 ? 'never seen' : count(requests)}</td><td class="number">${count(differed)}</td>
<td>${waived === null ? '' : `${waived.why} (${waived.by})`}</td>
</tr>
`,
)}</tbody>
</table></div>
</details>
${notSentTable(notSent)}`
}

/** Renders what requests had and v1 did not get; empty: nothing. */
export const notSentTable = (members: readonly NotSentMember[]): Html | '' =>
  table(
    'In requests, and never sent to v1: a comparison cannot show what it does, unless the answers differ',
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
  )
