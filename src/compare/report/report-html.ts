import { html } from 'hono/html'
import { type Html, operationSection } from './report-html-operation.ts'
import { STYLE } from './report-html-style.ts'
import type { Report } from './report-json.ts'
import { asChosen, percent, plural } from './report-words.ts'

/** Renders a report as one HTML page. It loads nothing, runs no script, and fits a phone. */
export function reportHtml(report: Report): string {
  const { startedAt, finishedAt, operations } = report
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Side by side: ${headlineOf(report)}</title>
${STYLE}
</head>
<body>
<main>
<header>
<p class="quiet">Side by side</p>
<h1>${headlineOf(report)}</h1>
<p class="quiet"><time datetime="${startedAt}">${shown(startedAt)}</time> to <time datetime="${finishedAt}">${shown(finishedAt)}</time></p>
</header>
${notes(report)}
${overall(report)}
${tiles(report)}
${verdicts(report)}
${operations.map(operationSection)}
</main>
</body>
</html>
`.toString()
}

/** Names the worst result: mismatches first, then failures, which are no proof either way. */
function headlineOf({ totals }: Report): string {
  const { matched, ignored, mismatched, failed } = totals
  const compared = matched + ignored + mismatched
  if (mismatched > 0) return `${mismatched} of ${plural(compared, 'compared exchange')} differ`
  if (failed > 0) return `${plural(failed, 'exchange')} failed`
  if (compared === 0) return 'Nothing was compared'
  return compared === 1 ? 'The compared exchange matches' : `All ${compared} compared exchanges match`
}

const shown = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`

function notes({ complete, unreadable: { count, first } }: Report): readonly Html[] {
  return [
    ...(complete ? [] : [html`<p class="note">Stopped before the end of the recording.</p>`]),
    ...(count === 0
      ? []
      : [
          html`<details class="note"><summary>${plural(count, 'line')} of the recording could not be read</summary>
<ul>${first.map(({ line, problem }) => html`<li>Line ${line}: ${problem}</li>`)}${count > first.length ? html`<li>…</li>` : ''}</ul>
</details>`,
        ]),
  ]
}

/** The verdict on all operations together comes first: it is what somebody signs. */
function overall({ overall: { verdict, says, confidence, ready, of, missing } }: Report): Html {
  return html`<p>All together, with ${asChosen(confidence)} confidence: <span class="verdict ${verdict.replaceAll(' ', '-')}">${says}</span>
${ready} of the ${plural(of, 'operation')} that can be compared are proven.</p>
${missing.length === 0 ? '' : html`<details class="note"><summary>What is missing</summary><ul>${missing.map((text) => html`<li>${text}</li>`)}</ul></details>`}`
}

function tiles({ totals }: Report): Html {
  const names = ['matched', 'ignored', 'mismatched', 'failed', 'skipped'] as const
  return html`<dl class="tiles">
<div><dt>exchanges</dt><dd>${totals.requests}</dd></div>
${names.map((name) => html`<div class="${totals[name] === 0 ? 'none' : name}"><dt>${name}</dt><dd>${totals[name]}</dd></div>`)}
</dl>`
}

function verdicts({ operations }: Report): Html {
  return html`<div class="wide"><table>
<thead><tr><th>Operation</th><th>Verdict</th><th class="number">Exchanges</th><th class="number">Match rate</th>
<th class="number">At least</th><th class="number">Target</th><th class="number">Units</th><th class="number">Errors</th><th class="number">Empty</th>
<th>Missing</th></tr></thead>
<tbody>
${operations.map(
  ({ operation, verdict, says, totals, matchRate, lowerBound, target, units, errors, empty, missing }) => html`<tr>
<td><a href="#${operation}">${operation}</a></td><td><span class="verdict ${verdict.replaceAll(' ', '-')}">${says}</span></td>
<td class="number">${totals.requests}</td><td class="number">${isCompared(totals) ? percent(matchRate) : '–'}</td>
<td class="number">${isCompared(totals) ? percent(lowerBound) : '–'}</td><td class="number">${percent(target)}</td>
<td class="number">${units.estimated ? '≈ ' : ''}${units.distinct}</td><td class="number">${errors.matched + errors.mismatched}</td><td class="number">${empty}</td>
<td>${missing.join(', ')}</td>
</tr>
`,
)}</tbody>
</table></div>`
}

const isCompared = ({ matched, ignored, mismatched }: Report['totals']): boolean => matched + ignored + mismatched > 0
