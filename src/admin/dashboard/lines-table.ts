import { html } from 'hono/html'
import type { ExplainedLine } from '../../guide/lines/explained-line.ts'
import { place } from './format.ts'
import type { Html } from './layout.ts'
import { table } from './table.ts'

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
    const own = lines.filter((line) => line.part === part)
    if (own.length === 0) return []
    const changed = own.filter((line) => !isSame(line))
    const same = own.filter(isSame)
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
      { head: 'Why', kind: 'text', cell: ({ reason }) => reason ?? '' },
    ],
    rows,
  })
}

/** Renders the place that a line is about: a status, or a path. */
const at = (part: ExplainedLine['part'], path: string | null, change: string): Html =>
  change === 'status' && path !== null
    ? html`<span class="status">${path}</span>`
    : place(path, part === 'request' ? 'the body or query' : 'the whole body')

const isSame = ({ change, says, basis }: ExplainedLine): boolean =>
  change === 'same' && says === null && basis === 'documented'
