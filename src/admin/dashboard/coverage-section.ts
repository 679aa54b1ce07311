import { html } from 'hono/html'
import { count, distinct, percent } from '../../common/figures.ts'
import type { ExercisedLine } from '../../compare/coverage/coverage.ts'
import type { NotSentMember } from '../../compare/coverage/not-sent.ts'
import type { Html } from './layout.ts'
import type { Experiment } from './sources.ts'
import { table } from './table.ts'

/** Renders which lines of the mapping the compared calls showed, starting with lines that were never seen, and what v1 did not get. */
export const coverageSection = (experiment: Pick<Experiment, 'coverage' | 'exercised'>): Html =>
  html`${linesSection(experiment)}
${experiment.coverage.notSent.length === 0 ? '' : notSentTable(experiment.coverage.notSent)}`

function linesSection({ coverage, exercised }: Pick<Experiment, 'coverage' | 'exercised'>): Html {
  if (exercised.length === 0) return html`<p class="empty">The mapping has no line that calls can show.</p>`
  const { lines, seen, share } = coverage
  const waived = exercised.flatMap((line) => (line.waived === null ? [] : [{ ...line, waived: line.waived }]))
  const toSee = exercised.filter((line) => line.waived === null)
  const unseen = toSee.filter(({ requests }) => requests === 0)
  const others = toSee.filter(({ requests }) => requests > 0)
  return html`<p>Seen: ${count(seen)} of ${count(lines)} lines of the mapping, ${percent(share)}.</p>
${unseen.length === 0 ? '' : neverSeen(unseen)}
${waived.length === 0 ? '' : waivedTable(waived)}
${others.length === 0 ? '' : seenTable(others)}`
}

const PLACE = [
  { head: 'Part', cell: ({ part }: ExercisedLine) => part },
  { head: 'Legacy', cell: ({ legacy }: ExercisedLine) => html`<code>${legacy}</code>` },
]

const COUNTS = [
  { head: 'Calls', kind: 'number' as const, cell: ({ requests }: ExercisedLine) => count(requests) },
  { head: 'Differed', kind: 'number' as const, cell: ({ differed }: ExercisedLine) => count(differed) },
]

const neverSeen = (lines: readonly ExercisedLine[]): Html =>
  table({
    id: 'never-seen',
    caption: 'Never seen: no compared call shows whether the two services agree there',
    columns: PLACE,
    rows: lines,
  })

type WaivedLine = ExercisedLine & { readonly waived: NonNullable<ExercisedLine['waived']> }

const waivedTable = (lines: readonly WaivedLine[]): Html =>
  table({
    id: 'waived',
    caption: 'Waived in the rollout file: need not be seen',
    columns: [
      ...PLACE,
      ...COUNTS,
      { head: 'Why', kind: 'text' as const, cell: ({ waived }: WaivedLine) => waived.why },
      { head: 'By', cell: ({ waived }: WaivedLine) => waived.by },
    ],
    rows: lines,
  })

const seenTable = (lines: readonly ExercisedLine[]): Html =>
  table({
    id: 'exercised',
    caption: 'How many compared calls showed each line, and in how many of them the answers differed there',
    columns: [...PLACE, ...COUNTS],
    rows: lines,
  })

const NAMES = {
  request: (legacy: string) => html`<code>${legacy}</code>`,
  value: (legacy: string) => html`some values of <code>${legacy}</code>`,
  other: () => html`all further names`,
} as const

const notSentTable = (members: readonly NotSentMember[]): Html =>
  table({
    id: 'not-sent',
    caption: 'Sent by clients, and never sent to v1: a comparison cannot show what it does, unless the answers differ',
    columns: [
      { head: 'Member', cell: ({ part, legacy }) => NAMES[part](legacy) },
      { head: 'Calls', kind: 'number', cell: ({ requests }) => count(requests) },
      { head: 'Clients', kind: 'number', cell: ({ clients }) => clientsOf(clients) },
      {
        head: 'Waived',
        kind: 'text',
        cell: ({ waived }) => (waived === null ? 'no' : `${waived.why} (${waived.by})`),
      },
    ],
    rows: members,
  })

const clientsOf = (clients: NotSentMember['clients']): string =>
  clients.distinct === 0 ? 'unknown' : distinct(clients)
