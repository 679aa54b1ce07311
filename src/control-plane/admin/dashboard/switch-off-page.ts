import { html } from 'hono/html'
import { count, counted, provenInWords } from '../../../common/figures.ts'
import { isLoss } from '../../../common/line-basis.ts'
import type { Html } from '../../../common/tables.ts'
import { DAY_MS } from '../../../common/time.ts'
import type { ExplainedLine } from '../../../guide/lines/explained-line.ts'
import { type RecordedWord, recordedWord } from '../../cutover/audit.ts'
import { comparedOf } from '../../evidence/report/report-words.ts'
import { unlessAway } from '../answers.ts'
import { brownoutSection } from './brownouts-page.ts'
import { clientSection, knownCallers, unknownSection, withoutEquivalentSection } from './callers.ts'
import { resultsOfReplicas } from './fleet-page.ts'
import { folded, place, table, time } from './fragments.ts'
import { numbersInWords } from './known-clients.ts'
import type { Page } from './layout.ts'
import { needsBar, switchedOffInWords } from './needs-bar.ts'
import { type OperationStage, operationStages } from './operation-stages.ts'
import { orderPath, sentence } from './order-page.ts'
import { planTables } from './plan-table.ts'
import { readSince } from './since-choice.ts'
import { sinceSection } from './since-section.ts'
import type { DashboardSources, Experiment, ReferenceOperation } from './sources.ts'
import { taskList } from './task-list.ts'
import { legacyInWords, trendsSection } from './trends-section.ts'
import { word } from './words-page.ts'

/**
 * Renders how far the legacy service is from being switched off: what is done, what waits for what, what has changed, and who still calls.
 * @param asked since when to tell changes, and the cookie of earlier visits. @returns the cookie to set as well.
 */
export async function switchOffPage(
  sources: DashboardSources,
  asked: { readonly since: string | undefined; readonly visits: string | undefined },
): Promise<Page & { readonly visits: string }> {
  const [{ operations, overall }, state] = await Promise.all([sources.experiments(), sources.state()])
  const { traffic, reference, rollout, replicas, cutover, brownouts } = sources
  const snapshot = traffic()
  const [callers, ahead, compared] = await Promise.all([
    knownCallers(sources),
    brownouts(),
    unlessAway(sources.comparedDays()),
  ])
  const facts = {
    ...{ reference, experiments: operations, rollout: rollout().operations, plans: cutover.reports() },
    proposals: sources.proposals(),
    hasLegacy: state.legacy !== undefined,
  }
  const words = await recordedWords(cutover, operationStages(facts))
  const stages = operationStages({ ...facts, words })
  const report = replicas()
  const since = readSince(asked.since, asked.visits, snapshot.now)
  const content = html`<h1>Switch-off</h1>
${needsBar(stages)}
<p class="verdict-sentence">${switchedOffInWords(stages)}</p>
<ul class="plain lead wide">
<li>${untilSunset(cutover.sunset, snapshot.now)}</li>
${callers.daily === undefined || callers.daily.days.length === 0 ? '' : html`<li>${legacyInWords(callers.daily, snapshot.now)}</li>`}
${callers.numbers === undefined ? '' : html`<li><a href="#clients">${numbersInWords(callers.numbers)}</a></li>`}
<li>${provenInWords(overall)} <a href="/side-by-side">The evidence</a>, and what ${word('proven')} means</li>
</ul>
${stopped(stages)}
${toApprove(stages)}
<div class="morning">
<section><h2 id="tasks">What to do</h2>
${taskList(stages, callers, snapshot.now)}</section>
<section>${await sinceSection(sources, callers, operations, since, snapshot.now)}</section>
</div>
<h2 id="trends">Trends</h2>
${trendsSection(callers.daily, compared, snapshot.now)}
<h2 id="operations">Operations</h2>
${resultsOfReplicas(report)}
${planTables(stages, callers)}
<h2 id="clients">Clients that still call</h2>
${clientSection(callers, report)}
<h2 id="unknown-paths">Paths that no mapping knows</h2>
${unknownSection(snapshot, report)}
<h2 id="without-v1">Operations without an equivalent in v1</h2>
${withoutEquivalentSection(reference, callers)}
<h2 id="losses">What clients will notice</h2>
${lossSection(reference, operations)}
<h2 id="brownouts">Brownouts</h2>
${brownoutSection(ahead)}`
  return { title: 'Switch-off', section: '/', content, visits: since.cookie }
}

/** How many entries of an operation to look through for its last step. */
const LOOKED_AT = 200

/** Reads on whose word v1 answers operations that no verdict proves; `away`: the audit cannot be read now. */
async function recordedWords(
  { audit }: DashboardSources['cutover'],
  stages: readonly OperationStage[],
): Promise<ReadonlyMap<string, RecordedWord> | 'away'> {
  const unfounded = stages.filter(({ percent, proof, ground }) => percent === 100 && proof === 'open' && !ground)
  const reading = unfounded.map(async ({ operation }) => {
    const word = recordedWord(await audit({ operation, limit: LOOKED_AT }))
    return word === undefined ? [] : [[operation, word] as const]
  })
  const words = await unlessAway(Promise.all(reading))
  return words === undefined ? 'away' : new Map(words.flat())
}

/** Says how long the legacy interface still lives, and what its clients learn about that. */
function untilSunset(sunset: Date | undefined, now: number): Html {
  if (sunset === undefined) {
    return html`<code>SUNSET</code> is not set, so clients do not learn when the legacy interface ends. Once that day is known, set it: every answer then names it.`
  }
  const days = Math.ceil((sunset.getTime() - now) / DAY_MS)
  const at = time(sunset.getTime())
  if (days <= 0) {
    return html`<strong>The legacy interface ended on ${at}</strong>, as every answer says (<code>SUNSET</code>). Switch it off, or set another day.`
  }
  return html`<strong>${counted(days, 'day')}</strong> ${days === 1 ? 'is' : 'are'} left until ${at}, when the legacy interface ends, as every answer says (<code>SUNSET</code>).`
}

/** Renders what is stopped, and why; empty if nothing is. */
function stopped(stages: readonly OperationStage[]): Html | '' {
  const all = stages.filter(({ standing }) => standing === 'stopped')
  if (all.length === 0) return ''
  return html`<div class="alert stopped">${all.map(
    ({ operation, waitsFor }) => html`<p><strong>${operation} is stopped.</strong> ${sentence(waitsFor.join('; '))}
The legacy service answers all its clients. <a href="/side-by-side/${encodeURIComponent(operation)}">What differs</a>,
<a href="/audit?operation=${encodeURIComponent(operation)}">what was decided</a>, <a href="${orderPath(operation, 'resume')}">resume</a></p>`,
  )}</div>`
}

/** Renders the steps that wait only for an approval; empty if there are none. */
function toApprove(stages: readonly OperationStage[]): Html | '' {
  const all = stages.flatMap(({ operation, plan }) =>
    plan?.state === 'awaiting approval' ? [{ operation, next: plan.next }] : [],
  )
  if (all.length === 0) return ''
  return html`<div class="wanted">${all.map(
    ({ operation, next }) =>
      html`<p><strong>${operation} awaits approval</strong>${next === null ? '' : ` of ${next} %`}. <a href="${orderPath(operation, 'approve')}">Approve</a></p>`,
  )}</div>`
}

interface Loss extends ExplainedLine {
  readonly operation: string
  /** How many of the compared calls showed it; undefined if that cannot be known, or nothing was compared. */
  readonly seen: { readonly calls: number; readonly compared: number } | undefined
}

/** Renders the declared losses: what v1 cannot give back, and where it was seen. */
function lossSection(reference: readonly ReferenceOperation[], experiments: readonly Experiment[]): Html {
  const losses = reference.flatMap(({ id, lines }) => {
    const experiment = experiments.find(({ operation }) => operation === id)
    return lines.filter(isLoss).map((line): Loss => ({ ...line, operation: id, seen: seenIn(experiment, line) }))
  })
  if (losses.length === 0) return html`<p class="empty">Nothing: the mappings declare no loss.</p>`
  losses.sort((a, b) => (b.seen?.calls ?? -1) - (a.seen?.calls ?? -1))
  return html`<p>What v1 no longer has. A ${word('declared loss')} never counts against a verdict, so tell the clients about them.</p>
${folded(
  `${counted(losses.length, 'loss', 'losses')}, ${count(losses.filter(({ seen }) => (seen?.calls ?? 0) > 0).length)} of them seen in compared calls`,
  table({
    id: 'losses-declared',
    caption: 'Losses that the mappings declare, the most seen first',
    columns: [
      {
        head: 'Operation',
        cell: ({ operation }) => html`<a href="/mappings/${encodeURIComponent(operation)}">${operation}</a>`,
      },
      { head: 'Legacy', cell: ({ legacy }) => place(legacy) },
      {
        head: 'In v1',
        kind: 'text',
        cell: ({ says, change, reason }) =>
          html`${says ?? change}${reason === null ? '' : html` <small>${reason}</small>`}`,
      },
      { head: 'Seen in', kind: 'text', cell: seenText },
    ],
    rows: losses,
  }),
)}`
}

function seenText({ seen, part }: Loss): Html | string {
  if (seen === undefined)
    return html`<span class="quiet">${part === 'answer' ? 'not compared' : 'no answer shows it'}</span>`
  return `${count(seen.calls)} of ${count(seen.compared)} calls`
}

/** Looks up a loss in what was compared, among the differences that a declared loss excuses. */
function seenIn(experiment: Experiment | undefined, { legacy, part }: ExplainedLine): Loss['seen'] {
  // The loss of something that is not sent to v1 cannot be seen in an answer.
  if (experiment === undefined || part !== 'answer') return undefined
  const compared = comparedOf(experiment)
  if (compared === 0) return undefined
  const excused = experiment.differences.filter(
    ({ ignored: why, mapping, path }) => why?.startsWith('loss') === true && (mapping?.legacy ?? path) === legacy,
  )
  return { calls: Math.max(0, ...excused.map(({ requests }) => requests)), compared }
}
