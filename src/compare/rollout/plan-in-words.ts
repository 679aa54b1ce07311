import { chosenPercent, counted } from '../../common/figures.ts'
import type { Plan } from './plan.ts'
import { daysText } from './plan-window.ts'

/**
 * Returns a plan in words: `v1 for 1, 5, then 100 % of clients; each step lasts at least 100 calls of v1 and 10 minutes; …`.
 */
export function planInWords({ steps, calls, minutes, approve, window, brake, withoutVerdict }: Plan): string {
  const parts = [
    `v1 for ${listed(steps, ', then ')} % of clients`,
    `each step lasts at least ${counted(calls, 'call')} of v1 and ${counted(minutes, 'minute')}`,
    ...(approve.length > 0 ? [`someone approves ${listed(approve, ' and ')} %`] : []),
    ...(window ? [`steps are taken ${daysText(window.days)} from ${window.from} to ${window.to}, ${window.zone}`] : []),
    withoutVerdict === undefined ? 'only while the verdict is ready' : `without a verdict: ${withoutVerdict}`,
    `the brake trips if v1 fails ${chosenPercent(brake.errors)} more than legacy, or takes more than ${brake.slowdown} times as long`,
  ]
  return parts.join('; ')
}

const listed = (numbers: readonly number[], last: string): string =>
  [numbers.slice(0, -1).join(', '), String(numbers.at(-1))].filter((text) => text !== '').join(last)
