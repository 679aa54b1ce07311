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
@page { size: A4; margin: 16mm 15mm 18mm; @bottom-right { content: counter(page) " / " counter(pages); font: 9pt sans-serif } }
@media print {
  :root { color-scheme: light }
  body { font-size: 9.5pt; line-height: 1.4 }
  p { margin: 4pt 0 }
  .alert, .empty { margin: 4pt 0 8pt; padding: 3pt 8pt }
  header { display: none }
  main { max-width: none; padding: 0 }
  h1 { margin-top: 0; font-size: 18pt }
  h2 { margin: 10pt 0 3pt; font-size: 13pt }
  table { font-size: 8.5pt; line-height: 1.35 }
  .scroll table { width: 100%; min-width: 0 }
  .scroll td.text, .scroll th.text, .scroll td.lines, .scroll th.lines { min-width: 0 }
  .scroll th, .scroll td { padding: 2pt 6pt 2pt 0; overflow-wrap: anywhere }
  .scroll thead th { font-size: 8pt; overflow-wrap: normal }
  .scroll td > code, .scroll th > code, .scroll td > a { width: auto; max-width: 100%; overflow-wrap: anywhere }
  .scroll td:first-child:has(> code) { min-width: 38mm }
  .scroll:not(:has(tbody tr:nth-child(9))) { break-inside: avoid }
  .scroll time { white-space: normal }
  .scroll td:has(> time) { min-width: 22mm }
  .verdict, .standing, .law { white-space: nowrap }
  .lead, .lead + p { break-after: avoid }
  .scroll tbody th { position: static }
  caption span { position: static; max-width: none }
  h2 + p, h2 + .lead, .lead + p { break-before: avoid }
}
`

/** Renders a page that stands alone, with this content. @param style the page's own rules. */
export const standingAlone = (title: string, content: Html, style = ''): string =>
  pageAlone(title, OWN_STYLE + style, content)

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
