import { html } from 'hono/html'
import { counted } from '../../common/figures.ts'
import type { Html } from '../../common/tables.ts'
import type { ShownExample } from '../../compare/examples.ts'
import { clipped, place, table, time } from './fragments.ts'
import type { ExperimentDifference } from './sources.ts'

/** Names what differs if a path does not say so; undefined if it does. */
export function wholeOf({ kind }: Pick<ExperimentDifference, 'kind'>): string {
  if (kind === 'status') return 'the status'
  return kind === 'failure' ? 'no answer' : 'the whole body'
}

/** Renders a section per difference: its mapping line, the rules that would excuse it, and the latest values with their calls. */
export function differenceSections(
  operation: string,
  differences: readonly ExperimentDifference[],
  examples: readonly ShownExample[],
): readonly Html[] {
  return differences.map((difference, index) => {
    const { kind, path } = difference
    const own = examples.filter((example) => example.kind === kind && example.path === path)
    const id = `examples-${index + 1}`
    return html`<section>
<h3 id="${id}">${place(path, wholeOf(difference))} <small>${kind}</small></h3>
${mappingLine(operation, difference)}
${shownBy(difference)}
${own.length === 0 ? '' : exampleTable(id, own)}
${excusing(difference)}
</section>`
  })
}

function mappingLine(operation: string, { mapping }: ExperimentDifference): Html | '' {
  if (mapping === null) return ''
  const { legacy, v1, change, reason } = mapping
  return html`<p>Its line in the <a href="/mappings/${encodeURIComponent(operation)}">mapping</a>: ${place(legacy)}, in v1 ${place(v1)}: ${change}.${reason === null ? '' : ` ${reason}`}</p>`
}

/** Renders who shows it, and what their requests have in common. What is common need not be the cause. */
function shownBy({ shownBy }: ExperimentDifference): Html | '' {
  const says = shownBy.flatMap((change) => change.says)
  return says.length === 0 ? '' : html`<ul class="shown-by">${says.map((text) => html`<li>${text}.</li>`)}</ul>`
}

/** Renders the rules to copy into the rollout file and what they would do, or why there are none. */
function excusing({ excusing }: ExperimentDifference): Html | '' {
  if (excusing === null) return ''
  const { rules, requests, without = [] } = excusing
  if (rules.length === 0) return html`<p>No rule excuses exactly this and nothing else. ${without.join(' ')}</p>`
  return html`<details><summary>The narrowest rule for it would excuse ${counted(requests, 'call')}</summary>
<p>${requests === 0 ? 'Every call that shows this difference also differs elsewhere.' : 'These calls show no other difference that counts.'} To ignore it, add this to <code>ignore</code> in the rollout file, and say why.</p>
<pre>${rules.map((rule) => JSON.stringify(rule)).join(',\n')}</pre>
${without.length === 0 ? '' : html`<p>Some of its changes have no rule that excuses nothing else. ${without.join(' ')}</p>`}
</details>`
}

const exampleTable = (id: string, own: readonly ShownExample[]): Html =>
  table({
    id: `${id}-values`,
    caption: own.length === 1 ? 'Latest example' : `Latest ${own.length} examples`,
    columns: [
      { head: 'Time', cell: ({ at }) => time(at) },
      { head: 'Legacy', kind: 'text', cell: ({ control }) => value(control) },
      { head: 'v1, translated', kind: 'text', cell: ({ candidate }) => value(candidate) },
      {
        head: 'Call',
        kind: 'text',
        cell: ({ curl, legacyCurl, explain }) =>
          html`${explain === undefined ? '' : html`<a href="/explain?${explain}">Explain</a>`}<details><summary>as curl</summary><pre>${curl}</pre></details><details><summary>as curl, to the legacy service</summary><pre>${legacyCurl}</pre></details>`,
      },
    ],
    rows: own,
  })

const value = (json: string | null): Html =>
  json === null ? html`<span class="quiet">nothing</span>` : html`<code>${clipped(json)}</code>`
