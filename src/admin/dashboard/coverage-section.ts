import { html } from 'hono/html'
import type { ExercisedLine, Experiment } from './experiment-sources.ts'
import { count, percent } from './format.ts'
import type { Html } from './layout.ts'
import { table } from './table.ts'

/** Renders which lines of the mapping the compared calls showed: what was never seen first. */
export function coverageSection({ coverage, exercised }: Pick<Experiment, 'coverage' | 'exercised'>): Html {
  if (exercised.length === 0) return html`<p class="empty">The mapping has no line that calls can show.</p>`
  const { lines, seen, share } = coverage
  const unseen = exercised.filter(({ requests, waived }) => requests === 0 && waived === null)
  const others = exercised.filter((line) => !unseen.includes(line))
  return html`<p>Seen: ${count(seen)} of ${count(lines)} lines of the mapping, ${percent(share)}.</p>
${unseen.length === 0 ? '' : neverSeen(unseen)}
${others.length === 0 ? '' : seenTable(others)}`
}

const neverSeen = (lines: readonly ExercisedLine[]): Html =>
  table({
    id: 'never-seen',
    caption: 'Never seen: whether the two services agree there, nobody knows',
    columns: [
      { head: 'Part', cell: ({ part }) => part },
      { head: 'Legacy', cell: ({ legacy }) => html`<code>${legacy}</code>` },
    ],
    rows: lines,
  })

const seenTable = (lines: readonly ExercisedLine[]): Html =>
  table({
    id: 'exercised',
    caption: 'In how many compared calls each line showed, and in how many of them the answers differed there',
    columns: [
      { head: 'Part', cell: ({ part }) => part },
      { head: 'Legacy', cell: ({ legacy }) => html`<code>${legacy}</code>` },
      { head: 'Calls', kind: 'number', cell: ({ requests }) => count(requests) },
      { head: 'Differed', kind: 'number', cell: ({ differed }) => count(differed) },
      ...(lines.some(({ waived }) => waived !== null)
        ? [{ head: 'Waived', kind: 'text' as const, cell: ({ waived }: ExercisedLine) => waivedBy(waived) }]
        : []),
    ],
    rows: lines,
  })

const waivedBy = (waived: ExercisedLine['waived']): string => (waived === null ? '' : `${waived.why} (${waived.by})`)
