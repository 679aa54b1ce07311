import { html } from 'hono/html'
import type { DifferenceExample, ExperimentDifference } from './experiment-sources.ts'
import { clipped, place, time } from './format.ts'
import type { Html } from './layout.ts'
import { table } from './table.ts'

/** Renders a section per difference that has examples: the latest values and the calls that showed them. */
export function exampleSections(
  differences: readonly ExperimentDifference[],
  examples: readonly DifferenceExample[],
): readonly Html[] {
  return differences.flatMap(({ kind, path }, index) => {
    const own = examples.filter((example) => example.kind === kind && example.path === path)
    if (own.length === 0) return []
    const id = `examples-${index + 1}`
    return [
      html`<section>
<h3 id="${id}">${kind === 'status' ? 'The status' : html`${place(path)} <small>${kind}</small>`}</h3>
${table({
  id: `${id}-values`,
  caption: own.length === 1 ? 'Latest example' : `Latest ${own.length} examples`,
  columns: [
    { head: 'Time', cell: ({ at }) => time(at) },
    { head: 'Legacy', kind: 'text', cell: ({ control }) => value(control) },
    { head: 'v1, translated', kind: 'text', cell: ({ candidate }) => value(candidate) },
    {
      head: 'Call',
      kind: 'text',
      cell: ({ curl }) => html`<details><summary>as curl</summary><pre>${curl}</pre></details>`,
    },
  ],
  rows: own,
})}
</section>`,
    ]
  })
}

const value = (json: string | null): Html =>
  json === null ? html`<span class="quiet">nothing</span>` : html`<code>${clipped(json)}</code>`
