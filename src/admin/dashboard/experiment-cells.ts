import { html } from 'hono/html'
import { count, distinct, percent } from '../../common/figures.ts'
import type { Html } from './layout.ts'
import type { Experiment } from './sources.ts'

/** Renders a verdict in its colour, and its details after a semicolon; in tables, beneath it. */
export const badge = (verdict: string, says: string): Html =>
  html`<span class="verdict ${verdict.replace(' ', '-')}">${verdict}</span>${says === verdict ? '' : html`<span class="says"><span class="and">; </span>${says.slice(verdict.length + 2)}</span>`}`

/** Renders the verdict; for `insufficient data`, also what is missing. Says so if a restart would lose the verdict. */
export function verdict(experiment: Experiment): Html {
  const { verdict: is, says, missing, totals, kept, roundTrip } = experiment
  // After a reset of the evidence there are no calls, so none was skipped either.
  const allSkipped = totals.skipped > 0 && totals.skipped === totals.requests && roundTrip === null
  const note = allSkipped ? 'all skipped' : missing.join(', ')
  return html`${badge(is, says)}
${is === 'insufficient data' && note !== '' ? html`<small>${note}</small>` : ''}${is === 'ready' && !kept ? html`<small>not kept</small>` : ''}`
}

export function matchRate(experiment: Experiment | undefined): Html | string {
  if (experiment === undefined) return ''
  if (!showsContent(experiment)) return '–'
  const { matchRate: rate, unexcusedRate: unexcused, lowerBound, target } = experiment
  return html`${percent(rate, target)} <small>≥ ${percent(lowerBound, target)}</small>${unexcused === rate ? '' : html`<br><small>unexcused ${percent(unexcused)}</small>`}`
}

/** Renders what the match rate would be if neither rules nor losses excused anything. */
export function unexcusedRate(experiment: Experiment | undefined): string {
  if (experiment === undefined) return ''
  return showsContent(experiment) ? percent(experiment.unexcusedRate) : '–'
}

export const units = (experiment: Experiment | undefined): string =>
  experiment === undefined ? '' : distinct(experiment.units)

/** Renders how many exchanges could not be judged, and why. */
export function unjudged(experiment: Experiment | undefined): Html | string {
  const reasons = Object.entries(experiment?.unjudged ?? {})
  const sum = reasons.reduce((total, [, times]) => total + times, 0)
  if (experiment === undefined) return ''
  return html`${count(sum)}${reasons.map(([reason, times]) => html`<br><small>${reason}: ${count(times)}</small>`)}`
}

/** Whether a success with content was compared. Only those have a match rate. */
function showsContent({ totals, errors, empty }: Experiment): boolean {
  const compared = totals.matched + totals.ignored + totals.mismatched
  return compared > errors.matched + errors.mismatched + empty
}
