import { html } from 'hono/html'
import { counted } from '../../common/figures.ts'
import { pageAlone } from '../../common/page-alone.ts'
import type { Html } from '../../common/tables.ts'
import { SNIPPET_LANGUAGES, type SnippetLanguage } from '../../exchange/guide-form.ts'
import { piecesOf } from '../markdown.ts'
import type { ClientGuide, CommonPart, OperationGuide } from './client-guide.ts'
import { linkTo, titleOf } from './common-changes.ts'
import { GUIDE_STYLE } from './guide-style.ts'
import { type ChangeLine, httpOf, madeOf, nextOf, partsOf, removal, useOf, valuesOf } from './guide-words.ts'

/**
 * Renders a guide as one document that loads nothing, runs no script, fits a phone and can be printed. Its reader chooses the language of
 * all programs at once.
 * @param language of the programs that are shown first.
 */
export function guideHtml(guide: ClientGuide, language: SnippetLanguage): string {
  const { client, common, operations, checklist } = guide
  return pageAlone(
    `Migration guide: ${client}`,
    GUIDE_STYLE,
    html`<h1>Migration guide: ${client}</h1>
${summaryHtml(guide)}
<h2 id="steps">Steps</h2>
<ol>${checklist.map((text) => html`<li>${inline(text)}</li>`)}</ol>
${common.length === 0 ? '' : html`<h2 id="for-all-calls">For all calls</h2>\n<div class="common">${common.map(commonHtml)}</div>`}
${operations.some(({ after }) => after.length > 0) ? languagesHtml(language) : ''}
${operations.map(operationHtml)}`,
  )
}

function summaryHtml(guide: ClientGuide): Html {
  const { summary, v1 } = guide
  return html`<p class="verdict-sentence">${inline(summary.inShort)}</p>
<p>${removal(guide)}${v1 === null ? '' : html` v1: <code>${v1}</code>.`}</p>
${summary.first.length === 0 ? '' : html`<div class="wanted"><p>Work first on:</p>\n<ul>${summary.first.map((text) => html`<li>${inline(text)}</li>`)}</ul></div>`}
${summary.others.map((text) => html`<p>${inline(text)}</p>\n`)}<p class="note">${madeOf(guide)}</p>`
}

const commonHtml = ({ topic, title, says }: CommonPart): Html =>
  html`<div><h3 id="${topic}">${title}</h3>\n<p>${says.map((text) => html`${inline(text)} `)}</p></div>\n`

const languagesHtml = (chosen: SnippetLanguage): Html => html`<fieldset class="languages"><legend>Programs in</legend>
${SNIPPET_LANGUAGES.map((language) => html`<label><input type="radio" name="snippets" id="in-${language}"${language === chosen ? html` checked` : ''}> ${language}</label>\n`)}</fieldset>`

function operationHtml(guide: OperationGuide): Html {
  const { operation, says, legacy, v1, before, after } = guide
  const [first] = after
  return html`<section class="operation" id="${operation}">
<h2>${operation}</h2>
<p><code>${legacy.method} ${legacy.path}</code> ${v1 === null ? 'has no equivalent at v1.' : html`becomes <code>${v1.method} ${v1.path}</code>.`} ${useOf(guide)} ${says}</p>
${
  before === undefined || first === undefined
    ? ''
    : html`<div class="pair">
<div><h3>Before <small>${valuesOf(guide)}</small></h3>\n<pre>${httpOf(before)}</pre></div>
<div><h3>At v1</h3>
${first.snippets.map(snippetHtml)}${nextOf(guide).map((text) => html`<p>${inline(text)}</p>`)}</div>
</div>`
}
${partsOf(guide).map(([heading, lines]) => (lines.length === 0 ? '' : html`<h3>${heading}</h3>\n<dl class="lines">${lines.map(lineHtml)}</dl>`))}
<p class="note"><a href="#steps">Back to the steps</a></p>
</section>
`
}

const snippetHtml = ({ language, library, code }: OperationGuide['after'][number]['snippets'][number]): Html =>
  html`<div class="program" data-in="${language}">${library === language ? '' : html`<p class="note">with ${library}</p>`}<pre>${code}</pre></div>\n`

function lineHtml({ places, says, why, topic }: ChangeLine): Html {
  const isBare = says === '' && why === '' && topic === undefined
  const common = topic === undefined ? '' : html`${inline(linkTo(topic, titleOf(topic)))}`
  return html`<div${isBare ? html` class="bare"` : ''}><dt>${places.map(
    ({ legacy, v1, calls }) =>
      html`<span class="place">${legacy === null ? '' : placeHtml(legacy)}${legacy === null || v1 === null ? '' : ' → '}${v1 === null ? '' : placeHtml(v1)}${calls === undefined ? '' : html` <small>${counted(calls, 'call')}</small>`}</span>`,
  )}</dt><dd>${says}${common}${why === '' ? '' : html` <span class="why">${why}</span>`}</dd></div>\n`
}

const placeHtml = (place: string): Html => (place === '' ? html`(body)` : html`<code>${place}</code>`)

/** A text that has code between backticks, and links to parts of the guide. */
const inline = (text: string): readonly (Html | string)[] =>
  piecesOf(text).map((piece) => {
    if (piece.kind === 'code') return html`<code>${piece.text}</code>`
    return piece.kind === 'link' ? html`<a href="#${piece.to}">${piece.text}</a>` : piece.text
  })
