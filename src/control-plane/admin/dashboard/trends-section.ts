import { html } from 'hono/html'
import { count, percent } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import { dayOf } from '../../../common/time.ts'
import type { ComparedDay } from '../../evidence/tally/compared-days.ts'
import type { DailyUsage, DayOfUsage } from '../../usage/daily-usage.ts'
import { table } from './fragments.ts'
import { CALLED_DAYS } from './known-clients.ts'
import { plot, plotted } from './plot.ts'
import { LEAST_WEEKS, zeroDay } from './zero-day.ts'

/**
 * Renders the calls of each day by side and how they compared, and when all of them reach zero at this pace.
 * @param daily undefined: usage cannot be read now. @param compared undefined: results cannot be read now.
 */
export function trendsSection(
  daily: DailyUsage | undefined,
  compared: readonly ComparedDay[] | undefined,
  now: number,
): Html {
  if (daily === undefined) return html`<p class="note">Usage cannot be read now.</p>`
  const today = dayOf(now)
  const days = daily.days.filter(({ day }) => day <= today)
  const [first] = days
  if (first === undefined) return html`<p class="empty">Nobody has called in the last ${CALLED_DAYS} days.</p>`
  const comparedBy = new Map(compared?.map((counted) => [counted.day, counted]))
  const drawn = { table: 'per-day', step: 'day', from: Date.parse(first.day), to: Date.parse(today) } as const
  return html`<p>${inWords('All calls of the legacy interface', days, now)}</p>
${
  first.day === today
    ? ''
    : html`<div class="plots">
${plot({ ...drawn, title: 'Calls per day by who answers', columns: [2, 3], missing: 'zero', unit: '' })}
${plot({ ...drawn, title: 'Share on v1, and match rate', columns: [4, 5], missing: 'gap', unit: '%' })}
</div>`
}
<details><summary>Numbers per day</summary>
${table({
  id: 'per-day',
  caption: `Days with calls (UTC) of the last ${CALLED_DAYS}, the latest first; today is not over`,
  columns: [
    { head: 'Day', cell: ({ day }) => html`<time datetime="${day}">${day}</time>` },
    { head: 'Calls', kind: 'number', cell: ({ calls }) => plotted(calls, count(calls)) },
    { head: 'By v1', kind: 'number', cell: ({ byV1 }) => plotted(byV1, count(byV1)) },
    { head: 'By legacy', kind: 'number', cell: ({ byLegacy }) => plotted(byLegacy, count(byLegacy)) },
    { head: 'Share on v1', kind: 'number', cell: shareOnV1 },
    { head: 'Match rate', kind: 'number', cell: ({ day }) => matchRateOf(comparedBy.get(day)) },
  ],
  rows: days.toReversed(),
})}
<p class="note">Match rate: of the compared calls of that day that legacy answered with content, by the rules of that day. <a href="/side-by-side">Side by side</a> judges all results by the rules of today.</p>
</details>
${compared === undefined ? html`<p class="note">Match rates cannot be read now.</p>` : ''}`
}

function shareOnV1({ byV1, byLegacy }: DayOfUsage): Html | string {
  const answered = byV1 + byLegacy
  return answered === 0 ? '–' : plotted((byV1 / answered) * 100, percent(byV1 / answered))
}

function matchRateOf(counted: ComparedDay | undefined): Html | string {
  if (counted === undefined) return '–'
  const rate = counted.matched / counted.compared
  return html`${plotted(rate * 100, percent(rate))} <small>of ${count(counted.compared)}</small>`
}

/** Says when the legacy service answers no more calls at this pace, or why there is no estimate. */
export const legacyInWords = ({ days }: DailyUsage, now: number): Html =>
  inWords(
    'Calls that the legacy service answers',
    days.map(({ day, byLegacy }) => ({ day, calls: byLegacy })),
    now,
  )

function inWords(what: string, days: readonly Pick<DayOfUsage, 'day' | 'calls'>[], now: number): Html {
  const zero = zeroDay(days, now)
  if (zero.kind === 'none left') return html`${what}: <strong>none</strong> in the last seven days.`
  if (zero.kind === 'too early') {
    return html`${what}: when they end can be estimated once the first is ${LEAST_WEEKS} full weeks ago, from <time datetime="${zero.until}">${zero.until}</time> on.`
  }
  const weeks = `${zero.weeks.map(count).join(', ')} in the last ${zero.weeks.length} weeks`
  if (zero.kind === 'unsteady') return html`${what}: no estimate, because they do not fall steadily (${weeks}).`
  const when =
    zero.day === undefined ? html`in more than a year` : html`on about <time datetime="${zero.day}">${zero.day}</time>`
  return html`${what} reach zero <strong>${when}</strong> at this pace: an estimate, which extends a straight line (${weeks}).`
}
