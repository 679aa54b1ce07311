import { html } from 'hono/html'
import { count } from '../../../common/figures.ts'
import { whyInWords } from '../../../common/line-basis.ts'
import type { Html } from '../../../common/tables.ts'
import type { Translated } from '../../../guide/examples/translated.ts'
import type { ExplainedLine } from '../../../guide/lines/explained-line.ts'
import type { Route } from '../../../mapping/operation.ts'
import { back, place, table } from './fragments.ts'
import type { Page } from './layout.ts'
import type { DashboardSources, ReferenceOperation } from './sources.ts'
import type { Word } from './words-page.ts'

/** Renders the list of operations with their v1 equivalents. */
export function mappingsPage({ reference }: DashboardSources): Page {
  const lines = (head: string, basis: 'assumed' | 'lost', word: Word) => ({
    ...{ head, word },
    kind: 'number' as const,
    cell: (operation: ReferenceOperation): string => (operation.v1 === undefined ? '–' : count(operation[basis])),
  })
  const content = html`<h1>Mappings</h1>
<p class="lead">The v1 equivalent of every legacy operation, and what to change in a program that calls it.</p>
<p>Downloads: the v1 calls as a <a href="/postman.json">Postman collection</a>, and the
OpenAPI descriptions of <a href="/openapi-v1.json">v1</a> and of the <a href="/openapi.json">legacy interface</a>.</p>
${table({
  id: 'mappings',
  caption:
    'Legacy operations, and how many of their own lines are assumed or lost. Lines that hold for all operations are not counted',
  columns: [
    { head: 'Operation', cell: ({ id }) => html`<a href="/mappings/${encodeURIComponent(id)}">${id}</a>` },
    { head: 'Legacy', cell: ({ legacy }) => route(legacy) },
    { head: 'v1', cell: ({ v1 }) => (v1 === undefined ? html`<span class="quiet">no equivalent</span>` : route(v1)) },
    { head: 'Effect', cell: ({ effect }) => effect },
    lines('Assumed', 'assumed', 'assumption'),
    lines('Lost', 'lost', 'declared loss'),
  ],
  rows: reference,
})}`
  return { title: 'Mappings', section: '/mappings', content }
}

const route = ({ method, path }: Route) => html`<code>${method} ${path}</code>`

/** Renders the mapping of one operation. Undefined if there is no such operation. */
export function mappingPage({ reference }: DashboardSources, id: string): Page | undefined {
  const operation = reference.find((mapping) => mapping.id === id)
  if (operation === undefined) return undefined
  const { says, legacy, v1, effect, authorization, lines, examples } = operation
  const content = html`${back('/mappings', 'Mappings')}
<h1>${id}</h1>
<p class="lead">${says}</p>
<dl class="facts">
<div><dt>Legacy</dt><dd>${route(legacy)}</dd></div>
<div><dt>v1</dt><dd>${v1 === undefined ? 'no equivalent: passed on to the legacy service while it runs' : route(v1)}</dd></div>
<div><dt>Stated in</dt><dd><code>mappings/${id}.ts</code>${operation.corrections === undefined ? '' : html`, corrected by ${MAPPING_FILE}`}</dd></div>
<div><dt>Effect</dt><dd>${effect}</dd></div>
<div><dt>Token</dt><dd>${authorization === 'token' ? 'needed' : 'not needed'}</dd></div>
</dl>
<p><a href="/explain?operation=${encodeURIComponent(id)}">Explain a call</a> · <a href="/side-by-side/${encodeURIComponent(id)}">Side by side</a></p>
${lines.length === 0 ? '' : html`<h2>Changes, field by field</h2>\n${linesTables(lines)}`}
${
  examples.request === undefined && examples.answer === undefined
    ? ''
    : html`<h2>Examples</h2>
<p class="note">Generated from the lines above, with every member they list, and translated by the gateway itself. The values are made up.</p>`
}
${example('Request', examples.request)}
${example('Answer', examples.answer)}`
  return { title: `${id}, mapping`, section: '/mappings', content }
}

function example(title: string, translated: Translated | undefined): Html | '' {
  if (translated === undefined) return ''
  const side = (name: string, { line, body }: Translated['legacy']): Html => html`<section>
<h4>${name}</h4>
<pre>${[line, body ?? ''].filter((text) => text !== '').join('\n\n') || 'no body'}</pre>
</section>`
  return html`<details><summary><h3>${title}</h3></summary>
<div class="beside">
${side('Legacy', translated.legacy)}
${side('v1', translated.v1)}
</div>
</details>`
}

/** The parts of a mapping. The last two are nearly the same for all operations, so they are collapsed. */
const PARTS = [
  ['request', 'Request', 'open'],
  ['answer', 'Answer', 'open'],
  ['header', 'Headers', 'closed'],
  ['error', 'Errors', 'closed'],
] as const

/** Renders the mapping lines: for each part, a table of the changes and a list of the unchanged members. */
export function linesTables(lines: readonly ExplainedLine[]): readonly Html[] {
  return PARTS.flatMap(([part, title, state]) => {
    const ofPart = lines.filter((line) => line.part === part)
    if (ofPart.length === 0) return []
    const changed = ofPart.filter((line) => !isSame(line))
    const same = ofPart.filter(isSame)
    return [
      html`<details${state === 'open' ? html` open` : ''}><summary><h3>${title}</h3></summary>
${changed.length === 0 ? '' : changes(part, title, changed)}
${
  same.length === 0
    ? ''
    : html`<p class="note">Unchanged in v1:</p>
<ul class="names">${same.map(({ legacy }) => html`<li><code>${legacy}</code></li>`)}</ul>`
}
</details>`,
    ]
  })
}

function changes(part: ExplainedLine['part'], title: string, rows: readonly ExplainedLine[]): Html {
  return table({
    id: `lines-${part}`,
    caption: `${title}: legacy and v1`,
    columns: [
      { head: 'Legacy', cell: ({ legacy, change }) => at(part, legacy, change) },
      { head: 'v1', cell: ({ v1, change }) => at(part, v1, change) },
      {
        head: 'Change',
        kind: 'text',
        cell: ({ change, says }) => (says === null ? change : `${change}: ${says}`),
      },
      { head: 'Basis', cell: ({ basis }) => html`<span class="basis ${basis}">${basis}</span>` },
      { head: 'Why', kind: 'text', cell: (line) => whyInWords(line) ?? '' },
      { head: 'From', kind: 'text', cell: from },
    ],
    rows,
  })
}

const MAPPING_FILE = html`<code>MAPPING_FILE</code>`

/** Renders where a line is stated: in the mapping file, or in a shape; empty for lines that need none. */
function from({ basis, shape, part }: ExplainedLine): Html | string {
  if (basis === 'corrected') return MAPPING_FILE
  if (shape !== undefined) return html`shape ${shape}`
  return part === 'request' || part === 'answer' ? 'the mapping' : ''
}

/** Renders the place that a line is about: a status, or a path. */
const at = (part: ExplainedLine['part'], path: string | null, change: string): Html =>
  change === 'status' && path !== null
    ? html`<span class="status">${path}</span>`
    : place(path, part === 'request' ? 'the body or query' : 'the whole body')

const isSame = ({ change, says, basis }: ExplainedLine): boolean =>
  change === 'same' && says === null && basis === 'documented'
