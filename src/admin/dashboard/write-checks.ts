import { html } from 'hono/html'
import { count } from '../../common/figures.ts'
import type { Html } from './layout.ts'
import type { Experiment } from './sources.ts'

/** Renders what is known about writes without sending them to v1; empty if nothing is. */
export function writeChecks({ roundTrip, droppedMembers }: Experiment): Html | string {
  const dropped = Object.entries(droppedMembers)
  if (roundTrip === null && dropped.length === 0) return ''
  return html`<h2>Writes</h2>
${roundTrip === null ? '' : html`<p>${trips(roundTrip)}: the gateway translates legacy’s answer to v1’s shape and back. This says nothing about what v1 answers.</p>`}
${dropped.length === 0 ? '' : html`<p>Not carried to v1: ${dropped.map(([path, times], index) => html`${index === 0 ? '' : ', '}<code>${path}</code> (${count(times)})`)}.</p>`}`
}

const trips = ({ checked, differed }: NonNullable<Experiment['roundTrip']>): string =>
  `${count(checked)} ${checked === 1 ? 'write' : 'writes'} made the round trip; ${count(differed)} of them differed`
