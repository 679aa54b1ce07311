import { html } from 'hono/html'
import { count } from '../../common/figures.ts'
import type { Html } from '../../common/tables.ts'
import { inSlices } from '../../observe/in-slices.ts'
import type { ClientsReport } from '../../usage/report-usage.ts'
import type { KnownUsage } from '../../usage/stored-usage.ts'
import { readMark, type ValueForm } from '../../usage/value-forms.ts'
import { unlessAway } from '../answers.ts'
import { callersOf } from './callers.ts'
import { table } from './fragments.ts'

/** A form with the clients that sent it. */
interface SentForm extends ValueForm {
  readonly clients: { readonly client: string; readonly calls: number }[]
  calls: number
}

/** How many days are shown. */
const FORM_DAYS = 30
const MOST_ROWS = 50

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

async function sectionOf({ clients, incomplete }: ClientsReport, operation: string): Promise<Html | ''> {
  const found = new Map<string, SentForm>()
  let [seen, calls, uncounted] = [0, 0, 0]
  await inSlices(clients, ({ client, operations }) => {
    const used = operations[operation]
    if (used === undefined) return
    seen += used.seen
    calls += used.calls
    for (const [mark, times] of Object.entries(used.forms ?? {})) {
      const form = readMark(mark)
      if (form === undefined) uncounted += times
      else {
        const sent = found.get(mark) ?? { ...form, clients: [], calls: 0 }
        found.set(mark, sent)
        sent.calls += times
        sent.clients.push({ client, calls: times })
      }
    }
  })
  if (found.size === 0) return ''
  const rows = [...found.values()].sort((a, b) => b.calls - a.calls)
  const more = rows.length - MOST_ROWS
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
  rows: rows.slice(0, MOST_ROWS),
})}`
}
