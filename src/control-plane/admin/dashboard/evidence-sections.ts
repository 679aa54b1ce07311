import { html } from 'hono/html'
import { chosenPercent, count, counted, distinct, percent } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import { NO_TURN } from '../../evidence/called-lists.ts'
import type { ExercisedLine } from '../../evidence/coverage/coverage.ts'
import type { NotSentMember } from '../../evidence/coverage/not-sent.ts'
import type { CallAccount } from '../../evidence/tally/call-account.ts'
import type { ClientsReport } from '../../usage/report-usage.ts'
import type { KnownUsage } from '../../usage/stored-usage.ts'
import { readMark, type ValueForm } from '../../usage/value-forms.ts'
import { unlessAway } from '../answers.ts'
import { callersOf } from './callers.ts'
import { type Column, folded, numberColumn, table } from './fragments.ts'
import type { Experiment } from './sources.ts'

/** The reason why some calls made no unit, or that they did. */
interface Cause {
  readonly says: string
  readonly calls: number
  readonly isEstimated?: boolean
}

/** The most causes that stand in the sentence. */
const MOST_CAUSES = 3

/** Says how many units the calls made and why the others made none, and folds what became of each call, in numbers that add up. */
export function accountSection({ account, shadow, units }: Experiment): Html {
  const made = { says: 'compared, and the first of its unit', calls: account.units, isEstimated: units.estimated }
  const causes = causesOf(account, shadow, units.estimated)
  const calls = count(account.calls)
  const others = causes.slice(0, MOST_CAUSES).map((cause) => ` ${shown(cause)} of ${calls}: ${cause.says}.`)
  return html`<p id="account">${counted(account.calls, 'call')} made ${units.estimated ? '≈ ' : ''}${counted(account.units, 'unit')}.${others}</p>
${folded(
  'What became of the calls',
  table({
    id: 'calls',
    caption:
      'Every call is in one row. Units are the evidence: equal calls of one client within an hour, which legacy answered with content',
    columns: [
      { head: 'What became of it', kind: 'text', cell: ({ says }) => says },
      { head: 'Calls', kind: 'number', cell: shown },
    ],
    rows: [made, ...causes, { says: 'All calls', calls: account.calls }],
  }),
)}`
}

/** Reasons for skipping, as they read beside the verdict. Others read as they are stored. */
const SKIPS: Readonly<Record<string, string>> = {
  [NO_TURN.lately]: 'the list was read for a comparison seconds before',
  [NO_TURN.waits]: 'another call for the same list was waiting to be compared',
}

/** Returns why calls made no unit, the most frequent cause first. */
function causesOf(account: CallAccount, shadow: number, isEstimated: boolean): readonly Cause[] {
  const { notDrawn, skips, unjudged, errors, empty, unitless, repeated } = account
  const all: readonly Cause[] = [
    { says: `not selected for comparison (shadow is ${chosenPercent(shadow)} now)`, calls: notDrawn },
    ...Object.entries(skips).map(([reason, calls]) => ({ says: SKIPS[reason] ?? `skipped: ${reason}`, calls })),
    ...Object.entries(unjudged).map(([reason, calls]) => ({ says: `not judged: ${reason}`, calls })),
    { says: 'compared: legacy answered an error', calls: errors },
    { says: 'compared: legacy’s answer was empty', calls: empty },
    { says: 'compared: no client’s call was sent to both services', calls: unitless },
    { says: 'compared: the same request of the same client within the same hour', calls: repeated, isEstimated },
  ]
  return all.filter(({ calls }) => calls > 0).sort((a, b) => b.calls - a.calls)
}

const shown = ({ calls, isEstimated = false }: Cause): string => `${isEstimated ? '≈ ' : ''}${count(calls)}`

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
${linesTable(`${counted(unseen.length, 'line was', 'lines were')} never seen`, 'never-seen', 'Never seen: no compared call shows whether the two services agree there', PLACE, unseen)}
${linesTable(`${counted(waived.length, 'line is', 'lines are')} waived`, 'waived', 'Waived in the rollout file: need not be seen', WAIVED, waived)}
${linesTable(`${counted(others.length, 'line was', 'lines were')} seen`, 'exercised', 'How many compared calls showed each line, and in how many of them the answers differed there', [...PLACE, ...COUNTS], others)}`
}

const linesTable = <Line>(
  summary: string,
  id: string,
  caption: string,
  columns: readonly Column<Line>[],
  rows: readonly Line[],
) => (rows.length === 0 ? '' : folded(summary, table({ id, caption, columns, rows })))

const PLACE: readonly Column<ExercisedLine>[] = [
  { head: 'Part', cell: ({ part }) => part },
  { head: 'Legacy', cell: ({ legacy }) => html`<code>${legacy}</code>` },
]

const COUNTS: readonly Column<ExercisedLine>[] = [
  numberColumn('Calls', ({ requests }) => requests),
  numberColumn('Differed', ({ differed }) => differed),
]

type WaivedLine = ExercisedLine & { readonly waived: NonNullable<ExercisedLine['waived']> }

const WAIVED: readonly Column<WaivedLine>[] = [
  ...PLACE,
  ...COUNTS,
  { head: 'Why', kind: 'text', cell: ({ waived }) => waived.why },
  { head: 'By', cell: ({ waived }) => waived.by },
]

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
      numberColumn<NotSentMember>('Calls', ({ requests }) => requests),
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

/** A form with the clients that sent it. */
interface SentForm extends ValueForm {
  readonly clients: { readonly client: string; readonly calls: number }[]
  calls: number
}

/** The number of days that are shown. */
const FORM_DAYS = 30
const MOST_FORMS = 50

const MEANINGS = {
  refused: 'refused with a 400: v1 is not asked',
  'not sent': 'not sent to v1',
  'sent as written': 'sent as written: v1 judges it',
  'sent as another day': 'its day in the zone of the mapping is not the day that it is written with',
} as const

/** Renders the forms of values that the mapping does not read; empty if the clients sent none. */
export async function valueFormsSection(usage: Pick<KnownUsage, 'report'>, operation: string): Promise<Html | ''> {
  const report = await unlessAway(usage.report(FORM_DAYS, operation))
  if (report === undefined) {
    return html`<p class="note">Forms of values that the mapping does not read are missing, because the usage cannot be read now.</p>`
  }
  return sectionOf(report, operation)
}

function sectionOf({ clients, incomplete }: ClientsReport, operation: string): Html | '' {
  const forms = new Map<string, SentForm>()
  let [seen, calls, uncounted] = [0, 0, 0]
  for (const { client, operations } of clients) {
    const used = operations[operation]
    if (used === undefined) continue
    seen += used.seen
    calls += used.calls
    for (const [mark, times] of Object.entries(used.forms ?? {})) {
      const form = readMark(mark)
      if (form === undefined) uncounted += times
      else {
        const sent = forms.get(mark) ?? { ...form, clients: [], calls: 0 }
        forms.set(mark, sent)
        sent.calls += times
        sent.clients.push({ client, calls: times })
      }
    }
  }
  if (forms.size === 0) return ''
  const rows = [...forms.values()].sort((a, b) => b.calls - a.calls)
  const more = rows.length - MOST_FORMS
  return html`<h2 id="value-forms">Values that the mapping does not read</h2>
<p class="note">Every digit is shown as 9, every letter as a. In ${count(seen)} of ${count(calls)} calls of the last ${FORM_DAYS} days, those that the gateway looked at, whichever side answered${incomplete === true ? '; the stored ones are missing, because the state cannot be read' : ''}. Where legacy reads such values and the gateway refuses them, the comparison shows <code>200 → 400</code>.${more > 0 ? ` ${count(more)} more forms are not shown.` : ''}${uncounted > 0 ? ` ${count(uncounted)} more times, a client sent a form beyond its first 29.` : ''}</p>
${table({
  id: 'value-forms-table',
  caption: 'Forms of values, what happens to them, and who sends them',
  columns: [
    { head: 'Member', cell: ({ member }) => html`<code>${member}</code>` },
    { head: 'Form', cell: ({ form }) => html`<code>${form}</code>` },
    { head: 'What happens', kind: 'text', cell: ({ fate }) => MEANINGS[fate] },
    { head: 'Calls', kind: 'number', cell: (row) => count(row.calls) },
    { head: 'Clients', kind: 'text', cell: (row) => callersOf(row.clients) },
  ],
  rows: rows.slice(0, MOST_FORMS),
})}`
}
