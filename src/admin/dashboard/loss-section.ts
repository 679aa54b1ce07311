import { html } from 'hono/html'
import { count } from '../../common/figures.ts'
import type { Html } from '../../common/tables.ts'
import type { ExplainedLine } from '../../guide/lines/explained-line.ts'
import { place, table } from './fragments.ts'
import type { Experiment, ReferenceOperation } from './sources.ts'

interface Loss extends ExplainedLine {
  readonly operation: string
  /** How many of the compared calls showed it; undefined if that cannot be known, or nothing was compared. */
  readonly seen: { readonly calls: number; readonly compared: number } | undefined
}

/** Renders the declared losses: what v1 cannot give back, and where it was seen. */
export function lossSection(reference: readonly ReferenceOperation[], experiments: readonly Experiment[]): Html {
  const losses = reference.flatMap(({ id, lines }) => {
    const experiment = experiments.find(({ operation }) => operation === id)
    return lines
      .filter(({ basis }) => basis === 'lost')
      .map((line): Loss => ({ ...line, operation: id, seen: seenIn(experiment, line) }))
  })
  if (losses.length === 0) return html`<p class="empty">Nothing: the mappings declare no loss.</p>`
  losses.sort((a, b) => (b.seen?.calls ?? -1) - (a.seen?.calls ?? -1))
  return html`<p>What v1 no longer has. These differences never count against a verdict, so tell the clients about them.</p>
${table({
  id: 'losses-declared',
  caption: 'Losses that the mappings declare, the most seen first',
  columns: [
    {
      head: 'Operation',
      cell: ({ operation }) => html`<a href="/mappings/${encodeURIComponent(operation)}">${operation}</a>`,
    },
    { head: 'Legacy', cell: ({ legacy }) => place(legacy) },
    {
      head: 'In v1',
      kind: 'text',
      cell: ({ says, change, reason }) =>
        html`${says ?? change}${reason === null ? '' : html` <small>${reason}</small>`}`,
    },
    { head: 'Seen in', kind: 'text', cell: seenText },
  ],
  rows: losses,
})}`
}

function seenText({ seen, part }: Loss): Html | string {
  if (seen === undefined)
    return html`<span class="quiet">${part === 'answer' ? 'not compared' : 'no answer shows it'}</span>`
  return `${count(seen.calls)} of ${count(seen.compared)} calls`
}

/** Looks up a loss in what was compared, among the differences that a declared loss excuses. */
function seenIn(experiment: Experiment | undefined, { legacy, part }: ExplainedLine): Loss['seen'] {
  // The loss of something that is not sent to v1 cannot be seen in an answer.
  if (experiment === undefined || part !== 'answer') return undefined
  const { matched, ignored, mismatched } = experiment.totals
  const compared = matched + ignored + mismatched
  if (compared === 0) return undefined
  const own = experiment.differences.filter(
    ({ ignored: why, mapping, path }) => why?.startsWith('loss') === true && (mapping?.legacy ?? path) === legacy,
  )
  return { calls: Math.max(0, ...own.map(({ requests }) => requests)), compared }
}
