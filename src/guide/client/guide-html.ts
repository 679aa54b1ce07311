import { html } from 'hono/html'
import { pageAlone } from '../../common/page-alone.ts'
import { type Column, type Html, htmlTable } from '../../common/tables.ts'
import { basisInWords, changeInWords } from '../lines/explained-line.ts'
import type { Change, ClientGuide, OperationGuide } from './client-guide.ts'
import { callsOf, HEAD, httpOf, madeOf, partsOf, removal, useOf, valuesOf } from './guide-words.ts'

const OWN_STYLE = `
main { padding-bottom: 3rem }
h3 { margin-top: 1.25rem }
ol li, main > ul li { max-width: 56rem; margin: .25rem 0; overflow-wrap: anywhere }
.scroll td.text { min-width: 14rem }
details { margin: .25rem 0 }
@media print {
  header { display: none }
  details::details-content { content-visibility: visible; block-size: auto; opacity: 1 }
  pre { break-inside: avoid }
  .scroll { overflow: visible }
}
`

/** Renders a guide as one document that loads nothing, runs no script, fits a phone and can be printed. */
export const guideHtml = (guide: ClientGuide): string =>
  pageAlone(
    `Migration guide: ${guide.client}`,
    OWN_STYLE,
    html`<h1>Migration guide: ${guide.client}</h1>
<p class="lead">${madeOf(guide)}</p>
<p>${removal(guide)}${guide.v1 === null ? '' : html` v1: <code>${guide.v1}</code>.`}</p>
<h2>What to do</h2>
<ol>${guide.checklist.map((text) => html`<li>${inline(text)}</li>`)}</ol>
${guide.general.length === 0 ? '' : html`<h2>For all calls</h2>\n<ul>${guide.general.map((text) => html`<li>${inline(text)}</li>`)}</ul>`}
${guide.operations.map(operationHtml)}`,
  )

function operationHtml(guide: OperationGuide): Html {
  const { operation, legacy, v1, before, after, then } = guide
  return html`<h2 id="${operation}">${operation}</h2>
<p><code>${legacy.method} ${legacy.path}</code> ${v1 === null ? 'has no equivalent at v1.' : html`becomes <code>${v1.method} ${v1.path}</code>.`} ${useOf(guide)}</p>
${before === undefined ? '' : html`<h3>Before</h3>\n<p class="note">${valuesOf(guide)}</p>\n<pre>${httpOf(before)}</pre>`}
${after.length === 0 ? '' : html`<h3>At v1</h3>\n${after.map((call) => html`<pre>${httpOf(call)}</pre>`)}`}
${then === undefined ? '' : html`<p>${then}</p>`}
${after.slice(0, 1).map(({ snippets }) => snippets.map(snippetHtml))}
${partsOf(guide).map(([heading, changes]) => (changes.length === 0 ? '' : html`<h3>${heading}</h3>\n${htmlTable(COLUMNS, changes)}`))}`
}

const snippetHtml = ({ language, library, code }: OperationGuide['after'][number]['snippets'][number]): Html =>
  html`<details><summary>${library === language ? language : `${language}, ${library}`}</summary><pre>${code}</pre></details>\n`

const COLUMNS: readonly Column<Change>[] = [
  { head: HEAD[0], cell: ({ legacy }) => placeHtml(legacy) },
  { head: HEAD[1], cell: ({ v1 }) => placeHtml(v1) },
  { head: HEAD[2], kind: 'text', cell: changeInWords },
  { head: HEAD[3], kind: 'text', cell: basisInWords },
  { head: HEAD[4], kind: 'number', cell: callsOf },
]

const placeHtml = (place: string | null): Html => {
  if (place === null) return html`–`
  return place === '' ? html`(body)` : html`<code>${place}</code>`
}

/** A text in which code is between backticks. */
const inline = (text: string): readonly (Html | string)[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))
