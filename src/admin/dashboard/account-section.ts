import { html } from 'hono/html'
import { chosenPercent, count, counted } from '../../common/figures.ts'
import type { CallAccount } from '../../compare/tally/call-account.ts'
import type { Html } from './layout.ts'
import type { Experiment } from './sources.ts'
import { table } from './table.ts'

/** What became of some calls. */
interface Cause {
  readonly says: string
  readonly calls: number
  readonly isEstimated?: boolean
}

/** Renders what became of each call, in numbers that add up; empty if that is unknown. */
export function accountSection({ account, shadow, units }: Experiment): Html {
  const made = { says: 'compared, and the first of its unit', calls: account.units, isEstimated: units.estimated }
  const causes = causesOf(account, shadow, units.estimated)
  const [most] = causes
  return html`<h2>What became of the calls</h2>
<p>${counted(account.calls, 'call')}, ${units.estimated ? '≈ ' : ''}${counted(account.units, 'unit')}.${most === undefined ? '' : ` Most of the others: ${most.says} (${shown(most)}).`}</p>
${table({
  id: 'calls',
  caption:
    'Every call is in one row. Units are the evidence: equal calls of one client within an hour, which legacy answered with content',
  columns: [
    { head: 'What became of it', kind: 'text', cell: ({ says }) => says },
    { head: 'Calls', kind: 'number', cell: shown },
  ],
  rows: [made, ...causes, { says: 'All calls', calls: account.calls }],
})}`
}

/** Returns why calls made no unit, the most frequent cause first. */
function causesOf(account: CallAccount, shadow: number, isEstimated: boolean): readonly Cause[] {
  const { notDrawn, skips, unjudged, errors, empty, unitless, repeated } = account
  const named = (sums: Readonly<Record<string, number>>, outcome: string): readonly Cause[] =>
    Object.entries(sums).map(([reason, calls]) => ({ says: `${outcome}: ${reason}`, calls }))
  const all: readonly Cause[] = [
    { says: `not selected for comparison (shadow is ${chosenPercent(shadow)} now)`, calls: notDrawn },
    ...named(skips, 'skipped'),
    ...named(unjudged, 'not judged'),
    { says: 'compared: legacy answered an error', calls: errors },
    { says: 'compared: legacy’s answer was empty', calls: empty },
    { says: 'compared: no client’s call was sent to both services', calls: unitless },
    { says: 'compared: the same request of the same client within the same hour', calls: repeated, isEstimated },
  ]
  return all.filter(({ calls }) => calls > 0).sort((a, b) => b.calls - a.calls)
}

const shown = ({ calls, isEstimated = false }: Cause): string => `${isEstimated ? '≈ ' : ''}${count(calls)}`
