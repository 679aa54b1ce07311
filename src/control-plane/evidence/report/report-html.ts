import { html } from 'hono/html'
import { chosenPercent, count, counted, distinct, provenInWords } from '../../../common/figures.ts'
import { type Column, type Html, htmlTable } from '../../../common/tables.ts'
import type { ReplayedReport } from '../../../recordings/replay/replay-results.ts'
import { byTypeInWords } from './recorded-answers.ts'
import { operationSection } from './report-html-operation.ts'
import type { ProbeReport, Report } from './report-json.ts'
import { comparedOf, provesNothing, shareOfContent } from './report-words.ts'
import { badge, facts, standingAlone, time } from './standing-alone.ts'

/** Renders a report as one HTML page. It opens with the verdict on all operations together, which is what people sign. */
export function reportHtml(report: Report): string {
  const { overall, operations, probe } = report
  return standingAlone(
    `Side by side: ${overall.verdict}. ${headlineOf(report)}`,
    html`<h1>All together: ${overall.verdict}</h1>
${provesNothing(report).map((text) => html`<p class="alert">${text}</p>`)}
<p class="lead">${headlineOf(report)}.</p>
${probeNote(probe)}
${together(report)}
${notes(report)}
${about(report)}
${tiles(report)}
${htmlTable(VERDICT_COLUMNS, operations)}
${operations.map(operationSection)}
${askedSection(probe)}`,
  )
}

/** Names the worst result: mismatches first, then failures, which are no proof either way. */
function headlineOf(report: Report): string {
  const { mismatched, failed } = report.totals
  const compared = comparedOf(report)
  if (mismatched > 0) return `${count(mismatched)} of ${counted(compared, 'compared exchange')} differ`
  if (failed > 0) return `${counted(failed, 'exchange')} failed`
  if (compared === 0) return 'Nothing was compared'
  return compared === 1 ? 'The compared exchange matches' : `All ${count(compared)} compared exchanges match`
}

function notes({ complete, probe, recorded, unreadable: { count, first } }: Report): readonly Html[] {
  const byType = recorded && byTypeInWords(recorded)
  return [
    ...(byType === undefined ? [] : [html`<p class="note">${byType}</p>`]),
    ...(complete
      ? []
      : [html`<p class="alert">Stopped before the end of the ${probe === undefined ? 'recording' : 'probe'}.</p>`]),
    ...(count === 0
      ? []
      : [
          html`<details class="alert"><summary>${counted(count, 'line')} of the recording could not be read</summary>
<ul>${first.map(({ file, line, problem }) => html`<li>${file === undefined ? `Line ${line}` : `${file}:${line}`}: ${problem}</li>`)}${count > first.length ? html`<li>…</li>` : ''}</ul>
</details>`,
        ]),
  ]
}

function together({ overall }: Report): Html {
  const { missing } = overall
  return html`<p>${badge(overall.verdict, overall.says)} ${provenInWords(overall)}</p>
${missing.length === 0 ? '' : html`<details><summary>What is missing for all at once</summary><ul>${missing.map((text) => html`<li>${text}</li>`)}</ul></details>`}`
}

/** Says what was replayed, when, against which services and how. */
function about({ startedAt, finishedAt, replayed }: Report): Html {
  const when = { Replayed: html`${time(startedAt)} to ${time(finishedAt)}` }
  if (replayed === undefined) return facts(when)
  const { file, files, legacy, v1, options, gateway } = replayed
  return facts({
    ...when,
    Recording:
      file === null
        ? null
        : html`<code>${file}</code>${files === undefined ? '' : ` (${counted(files.length, 'file')})`}`,
    Legacy: legacy === null ? 'the answers in the recording' : html`<code>${legacy}</code>`,
    v1: html`<code>${v1}</code>`,
    Options: html`<code>${options.join(' ')}</code>`,
    Gateway: gateway,
  })
}

function tiles({ totals }: Report): Html {
  const names = ['matched', 'ignored', 'mismatched', 'failed', 'skipped'] as const
  return html`<dl class="figures">
<div><dt>exchanges</dt><dd>${count(totals.requests)}</dd></div>
${names.map((name) => html`<div class="${totals[name] === 0 ? 'none' : name}"><dt>${name}</dt><dd>${count(totals[name])}</dd></div>`)}
</dl>`
}

const VERDICT_COLUMNS: readonly Column<ReplayedReport>[] = [
  { head: 'Operation', cell: ({ operation }) => html`<a href="#${operation}">${operation}</a>` },
  { head: 'Verdict', cell: ({ verdict, says }) => badge(verdict, says) },
  { head: 'Exchanges', kind: 'number', cell: ({ totals }) => count(totals.requests) },
  { head: 'Match rate', kind: 'number', cell: (report) => shareOfContent(report, report.matchRate) },
  { head: 'At least', kind: 'number', cell: (report) => shareOfContent(report, report.lowerBound) },
  { head: 'Target', kind: 'number', cell: ({ target }) => chosenPercent(target) },
  { head: 'Units', kind: 'number', cell: ({ units }) => distinct(units) },
  { head: 'Errors', kind: 'number', cell: ({ errors }) => count(errors.matched + errors.mismatched) },
  { head: 'Empty', kind: 'number', cell: ({ empty }) => count(empty) },
  { head: 'Missing', cell: ({ missing }) => missing.join(', ') },
]

/** Says what a probe is; empty if the requests come from a recording. */
const probeNote = (probe: ProbeReport | undefined): Html | string =>
  probe === undefined
    ? ''
    : html`<p class="note">This is a probe: the gateway made up these requests from its mappings. They do not count as units, and make no operation
ready. It made ${counted(probe.control, 'call')} to the legacy service and ${count(probe.candidate)} to v1.${probe.isCut ? ' There was more to ask than the budget allows.' : ''}
Lines are the numbers of <a href="#asked">the requests</a>.</p>`

/** Lists what a probe asked, in order. */
const askedSection = (probe: ProbeReport | undefined): Html | string =>
  probe === undefined
    ? ''
    : html`<section id="asked">
<h2>What was asked</h2>
<p class="quiet">${'<name>'} stands for a value of the member ${'name'} from an earlier answer of the legacy service.</p>
<details><summary>${counted(probe.asked.length, 'request')}</summary>
<ol>${probe.asked.map((text) => html`<li>${text}</li>`)}</ol>
</details>
</section>`
