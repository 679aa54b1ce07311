import { html } from 'hono/html'
import { count } from '../../common/figures.ts'
import { type Html, htmlTable } from '../../common/tables.ts'
import { time } from '../report/standing-alone.ts'
import type { CutoverStep } from '../tally/stored-steps.ts'

/** The most decisions on the page; all of them are in `dossier.json`. */
const MOST_STEPS = 200

/** Renders who decided what about the cut-over, and why. @param steps newest first; null: they could not be read. */
export function historyOfCutover(steps: readonly CutoverStep[] | null): Html {
  if (steps === null) return html`<p class="empty">The audit could not be read when this was made.</p>`
  if (steps.length === 0) return html`<p class="empty">Nothing has been decided yet.</p>`
  return html`<p>From the audit.${steps.length <= MOST_STEPS ? '' : ` The JSON file lists all ${count(steps.length)}.`}</p>
${htmlTable(
  [
    { head: 'When', cell: ({ at }) => time(at) },
    { head: 'Operation', cell: ({ operation }) => (operation === '*' ? 'all' : operation) },
    { head: 'Event', cell: ({ event }) => event.replaceAll('-', ' ') },
    {
      head: 'Change',
      kind: 'lines',
      cell: ({ from, to }) => (from === to ? to : `${from || 'nothing'} → ${to || 'nothing'}`),
    },
    { head: 'By', cell: ({ by }) => (by === 'auto' ? 'the gateway' : by) },
    {
      head: 'Why',
      kind: 'text',
      cell: ({ why }) => html`${why.split('\n').map((line, at) => html`${at === 0 ? '' : html`<br>`}${line}`)}`,
    },
  ],
  steps.slice(0, MOST_STEPS),
  'Decisions about the cut-over, the latest first',
)}`
}
