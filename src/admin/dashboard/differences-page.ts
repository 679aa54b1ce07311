import { html } from 'hono/html'
import { exampleSections } from './difference-examples.ts'
import { distinctInputs, matchRate, verdict } from './experiment-cells.ts'
import type { Experiment, ExperimentAssumption, ExperimentDifference } from './experiment-sources.ts'
import { count, percent, place } from './format.ts'
import type { Html, Page } from './layout.ts'
import type { DashboardSources } from './sources.ts'
import { table } from './table.ts'

/** What the two sides differ in, for one operation. Undefined: there is no such operation. */
export async function differencesPage(sources: DashboardSources, operation: string): Promise<Page | undefined> {
  const { operations } = await sources.experiments()
  const experiment = operations.find((one) => one.operation === operation)
  const known = sources.reference.find(({ id }) => id === operation)
  if (experiment === undefined && known === undefined) return undefined
  const content = html`<p class="back"><a href="/side-by-side"><span aria-hidden="true">← </span>Side by side</a></p>
<h1>${operation}</h1>
${known === undefined ? '' : html`<p class="lead">${known.says} <a href="/mappings/${encodeURIComponent(operation)}">Its mapping</a></p>`}
${
  experiment === undefined
    ? html`<p class="empty">None of its calls has been compared yet.${known?.effect === 'write' ? ' It is a write, which is never sent to a second side.' : ''}</p>`
    : results(experiment, sources)
}`
  return { title: `${operation}, side by side`, section: '/side-by-side', content }
}

function results(experiment: Experiment, { examples }: DashboardSources): Html {
  const { operation, differences, assumptions } = experiment
  const counting = differences.filter(({ ignored }) => ignored === null)
  const others = differences.filter(({ ignored }) => ignored !== null)
  return html`${summary(experiment)}
<h2>Differences</h2>
${
  counting.length === 0
    ? html`<p class="empty">${others.length === 0 ? 'None was found.' : 'None that counts.'}</p>`
    : differenceTable('counting', 'Differences that count: any of them makes the operation not ready', counting)
}
${others.length === 0 ? '' : differenceTable('not-counting', 'Differences that do not count', others)}
${counting.length === 0 ? '' : html`<p class="note">Examples of values are the latest ones, redacted, and kept in memory only: after a restart there are none until a difference shows again. Calls are commands that ask this gateway, with the token of a login there in <code>LEGACY_TOKEN</code>; to ask the legacy service itself, put its address and a token of its own in their place.</p>`}
${exampleSections(counting, examples(operation))}
<h2>Assumptions</h2>
${assumptionTable(assumptions)}`
}

function summary(experiment: Experiment): Html {
  const { totals, target, serve, shadow } = experiment
  const figure = (name: string, value: Html | string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  return html`<dl class="figures">
${figure('Verdict', verdict(experiment))}
${figure('Match rate', matchRate(experiment))}
${figure('Target', percent(target))}
${figure('Calls', count(totals.requests))}
${figure('Mismatched', count(totals.mismatched))}
${figure('Failed', count(totals.failed))}
${figure('Skipped', count(totals.skipped))}
${figure('Distinct inputs', distinctInputs(experiment))}
${figure('Served by', serve)}
${figure('Shadowed', percent(shadow))}
</dl>`
}

function differenceTable(id: string, caption: string, rows: readonly ExperimentDifference[]): Html {
  const whole = ({ kind }: ExperimentDifference): string => (kind === 'status' ? 'the status' : 'the whole body')
  return table({
    id,
    caption,
    columns: [
      { head: 'Legacy path', cell: (row) => place(row.path, whole(row)) },
      { head: 'Kind', cell: (row) => html`${row.kind}${details(row)}` },
      { head: 'v1 path', cell: ({ v1Path }) => place(v1Path) },
      { head: 'Calls', kind: 'number', cell: ({ requests }) => count(requests) },
      { head: 'Places', kind: 'number', cell: (row) => count(row.count) },
      { head: 'Noise', kind: 'number', cell: ({ noise }) => count(noise) },
      ...(rows.some(({ ignored }) => ignored !== null)
        ? [{ head: 'Why', kind: 'text' as const, cell: ({ ignored }: ExperimentDifference) => ignored ?? '' }]
        : []),
    ],
    rows,
  })
}

/** How often which: `400 → 406, 3 times`. */
function details({ details: all }: ExperimentDifference): Html | '' {
  if (all === null) return ''
  return html`<ul class="plain">${Object.entries(all).map(([detail, times]) => html`<li>${detail} <small>× ${count(times)}</small></li>`)}</ul>`
}

function assumptionTable(assumptions: readonly ExperimentAssumption[]): Html {
  if (assumptions.length === 0) return html`<p class="empty">Nothing about its answers is assumed.</p>`
  return table({
    id: 'assumptions',
    caption: 'What the contract does not say and the mapping assumes of answers, and what the answers say of it',
    columns: [
      { head: 'Legacy', cell: ({ legacy }) => place(legacy) },
      { head: 'v1', cell: ({ v1 }) => place(v1) },
      { head: 'What', cell: ({ change }) => change },
      { head: 'Standing', cell: ({ standing }) => html`<span class="standing ${standing}">${standing}</span>` },
      { head: 'Seen so', kind: 'number', cell: ({ matched }) => count(matched) },
      { head: 'Not so', kind: 'number', cell: ({ differed }) => count(differed) },
      { head: 'Why', kind: 'text', cell: ({ reason }) => reason ?? '' },
    ],
    rows: assumptions,
  })
}
