import { html } from 'hono/html'
import { count, counted, distinctInWords } from '../../common/figures.ts'
import type { ReplayedReport, Uncompared } from '../replay/replay-results.ts'
import type { AssumptionReport } from '../tally/operation-report.ts'
import type { DifferenceReport } from '../tally/report-differences.ts'
import { coverageSection } from './report-html-coverage.ts'
import { accountInWords, linesOf } from './report-words.ts'
import type { Html } from './standing-alone.ts'

/** Renders one operation: differences that count, exchanges not compared, ignored differences, tested assumptions. */
export function operationSection({
  operation,
  totals,
  account,
  roundTrip,
  droppedMembers,
  differences,
  inputs,
  assumptions,
  uncompared,
  coverage,
  exercised,
  lineage,
}: ReplayedReport): Html {
  const { matched, ignored, mismatched } = totals
  const counting = differences.filter((difference) => difference.ignored === null)
  const others = differences.filter((difference) => difference.ignored !== null)
  const tested = assumptions.filter(({ standing }) => standing !== 'untested')
  const compared = matched + ignored + mismatched
  return html`<section>
<h2 id="${operation}">${operation}</h2>
<p class="quiet">${counted(compared, 'exchange')} compared${compared === 0 ? '' : `, ${distinctInWords(inputs, 'different request')}`}. Mapping <code>${lineage.mapping}</code>, v1 ${lineage.v1 ?? 'not reported'}, legacy ${lineage.legacy ?? 'not reported'}.</p>
<p class="quiet">${accountInWords(account)}</p>
${writesLine(roundTrip, droppedMembers)}
${counting.length === 0 ? '' : differenceTable(counting)}
${uncompared.length === 0 ? '' : uncomparedTable(uncompared)}
${folded(others.length, 'ignored difference', () => differenceTable(others))}
${folded(tested.length, 'tested assumption', () => assumptionTable(tested))}
${coverageSection({ coverage, exercised })}
</section>
`
}

/** Says what is known about writes without sending them to v1. */
function writesLine(
  roundTrip: ReplayedReport['roundTrip'],
  droppedMembers: ReplayedReport['droppedMembers'],
): Html | string {
  const dropped = Object.entries(droppedMembers).map(([path, times]) => `${path} (${counted(times, 'write')})`)
  if (roundTrip === null && dropped.length === 0) return ''
  const trips =
    roundTrip === null
      ? ''
      : `${counted(roundTrip.checked, 'write')} made the round trip; ${count(roundTrip.differed)} of them differed. `
  return html`<p class="quiet">${trips}${dropped.length === 0 ? '' : `Not carried to v1: ${dropped.join(', ')}.`}</p>`
}

/** Puts a table into a collapsed section, so that it does not hide what counts. */
function folded(many: number, noun: string, table: () => Html): Html | string {
  return many === 0
    ? ''
    : html`<details><summary>${counted(many, noun)}</summary>
${table()}
</details>`
}

function differenceTable(differences: readonly DifferenceReport[]): Html {
  return html`<div class="scroll"><table>
<thead><tr><th>Difference</th><th>Legacy path</th><th>v1 path</th><th class="number">Exchanges</th><th class="number">Places</th>
<th class="number">Drift</th><th>Where</th></tr></thead>
<tbody>
${differences.map(
  ({ kind, path, from, v1Path, requests, drift, ignored, details, shownBy, ...others }) => html`<tr>
<td>${kind}${Object.entries(details ?? {}).map(([detail, times]) => html`<br><small>${detail}: ${count(times)}</small>`)}${from === undefined ? '' : html`<br><small>${from}</small>`}</td>
<td><code>${path === '' ? (kind === 'status' || kind === 'failure' ? '(status)' : '(body)') : path}</code>${ignored === null ? '' : html`<br><small>${ignored}</small>`}</td>
<td>${v1Path === null ? '–' : html`<code>${v1Path === '' ? '(body)' : v1Path}</code>`}</td>
<td class="number">${count(requests)}</td><td class="number">${count(others.count)}</td><td class="number">${count(drift)}</td>
<td class="lines">${linesOf({ ...others, requests })}${shownBy.flatMap(({ says }) => says).map((text) => html`<br>${text}`)}</td>
</tr>
`,
)}</tbody>
</table></div>`
}

function uncomparedTable(uncompared: readonly Uncompared[]): Html {
  return html`<div class="scroll"><table>
<thead><tr><th>Not compared</th><th>Why</th><th class="number">Exchanges</th><th>Where</th></tr></thead>
<tbody>
${uncompared.map(
  ({ outcome, reason, requests, lines, places }) => html`<tr>
<td>${outcome}</td><td>${reason}</td><td class="number">${count(requests)}</td><td class="lines">${linesOf({ lines, places, requests })}</td>
</tr>
`,
)}</tbody>
</table></div>`
}

function assumptionTable(assumptions: readonly AssumptionReport[]): Html {
  return html`<div class="scroll"><table>
<thead><tr><th>Legacy path</th><th>v1 path</th><th>Assumed</th><th class="number">Held</th><th class="number">Differed</th><th>Standing</th></tr></thead>
<tbody>
${assumptions.map(
  ({ legacy, v1, change, reason, matched, differed, standing }) => html`<tr>
<td><code>${legacy === '' ? '(body)' : legacy}</code></td><td>${v1 === null ? '–' : html`<code>${v1 === '' ? '(body)' : v1}</code>`}</td>
<td>${change}${reason === null ? '' : html`<br><small>${reason}</small>`}</td>
<td class="number">${count(matched)}</td><td class="number">${count(differed)}</td><td><span class="standing ${standing}">${standing}</span></td>
</tr>
`,
)}</tbody>
</table></div>`
}
