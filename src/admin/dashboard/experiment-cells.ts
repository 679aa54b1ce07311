import { html } from 'hono/html'
import type { Experiment } from './experiment-sources.ts'
import { count, percent } from './format.ts'
import type { Html } from './layout.ts'

/** Renders the verdict; for `insufficient data`, with the number of calls still needed. */
export function verdict(experiment: Experiment): Html {
  const { verdict: is, needed, totals } = experiment
  const note = totals.skipped === totals.requests ? 'all skipped' : needed === 0 ? '' : `${count(needed)} more needed`
  return html`<span class="verdict ${is.replace(' ', '-')}">${is}</span>
${is === 'insufficient data' && note !== '' ? html`<small>${note}</small>` : ''}`
}

export function matchRate(experiment: Experiment | undefined): Html | string {
  if (experiment === undefined) return ''
  if (comparedOf(experiment) === 0) return '–'
  return html`${percent(experiment.matchRate)} <small>≥ ${percent(experiment.lowerBound)}</small>`
}

export function distinctInputs(experiment: Experiment | undefined): string {
  if (experiment === undefined) return ''
  const { distinct, atLeast } = experiment.inputs
  return `${atLeast ? '≥ ' : ''}${count(distinct)}`
}

const comparedOf = ({ totals }: Experiment): number => totals.matched + totals.ignored + totals.mismatched
