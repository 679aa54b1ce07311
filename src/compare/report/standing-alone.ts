import { timeInWords } from '../../common/figures.ts'
import { html } from 'hono/html'
import { pageAlone } from '../../common/page-alone.ts'

/** A fragment of a page; interpolated values are escaped. */
export type Html = ReturnType<typeof html>

/** Makes facts wider than on the dashboard. */
const OWN_STYLE = `
main { padding-bottom: 3rem }
.facts div { grid-template-columns: 13rem 1fr }
.scroll td.text { min-width: 20rem }
.scroll td.lines { min-width: 14rem; white-space: normal; color: var(--quiet) }
@media (max-width: 40rem) { .facts div { grid-template-columns: 1fr } }
`

/** Renders a page that stands alone, with this content. */
export const standingAlone = (title: string, content: Html): string => pageAlone(title, OWN_STYLE, content)

export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => Html | string
  /** `number`: right-aligned digits. `text`: sentences, which get more room. `lines`: short texts that may wrap. */
  readonly kind?: 'number' | 'text' | 'lines'
}

/** Renders a table as the dashboard does; empty: there are no rows. */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html | '' {
  if (rows.length === 0) return ''
  return html`<div class="scroll" tabindex="0"><table>
<caption><span>${caption}</span></caption>
<thead><tr>${columns.map(({ head, kind }) => html`<th scope="col" class="${kind}">${head}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${columns.map(({ cell, kind }) => html`<td class="${kind}">${cell(row)}</td>`)}</tr>\n`)}</tbody>
</table></div>`
}

/** Renders names with their values; names without a value are left out. */
export const facts = (all: Readonly<Record<string, Html | string | null>>): Html =>
  html`<dl class="facts">${Object.entries(all).map(([name, value]) => (value === null || value === '' ? '' : html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`))}</dl>`

/** Renders a verdict in its colour, then the rest of `says` after a semicolon; in tables, beneath it. */
export const badge = (verdict: string, says = verdict): Html =>
  html`<span class="verdict ${verdict.replaceAll(' ', '-')}">${verdict}</span>${says === verdict ? '' : html`<span class="says"><span class="and">; </span>${says.slice(verdict.length + 2)}</span>`}`

/** Renders a time in UTC. */
export const time = (iso: string): Html =>
  html`<time datetime="${iso}">${timeInWords(iso)} UTC</time>`

/** Renders a path in a body. */
export const place = (path: string | null): Html => {
  if (path === null) return html`–`
  return path === '' ? html`(body)` : html`<code>${path}</code>`
}
