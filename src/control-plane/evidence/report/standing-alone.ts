import { html } from 'hono/html'
import { timeInWords } from '../../../common/figures.ts'
import { pageAlone } from '../../../common/page-alone.ts'
import type { Html } from '../../../common/tables.ts'

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

/** Renders names with their values; names without a value are left out. */
export const facts = (all: Readonly<Record<string, Html | string | null>>): Html =>
  html`<dl class="facts">${Object.entries(all).map(([name, value]) => (value === null || value === '' ? '' : html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`))}</dl>`

/** Renders a verdict in its colour, then the rest of `says` after a semicolon; in tables, beneath it. */
export const badge = (verdict: string, says = verdict): Html =>
  html`<span class="verdict ${verdict.replaceAll(' ', '-')}">${verdict}</span>${says === verdict ? '' : html`<span class="says"><span class="and">; </span>${says.slice(verdict.length + 2)}</span>`}`

/** Renders a time in UTC. */
export const time = (iso: string): Html => html`<time datetime="${iso}">${timeInWords(iso)} UTC</time>`

/** Renders a path in a body. */
export const place = (path: string | null): Html => {
  if (path === null) return html`–`
  return path === '' ? html`(body)` : html`<code>${path}</code>`
}
