import { counted, inDuration, listed } from '../../common/figures.ts'
import { MINUTE_MS } from '../../common/time.ts'
import type { Plan } from '../../compare/rollout/plan.ts'
import type { Standing } from '../move.ts'
import type { Position } from '../position.ts'
import { inWords, isOpen, nextOpening } from './window.ts'

/** What the next step still lacks, in words. */
export interface Missing {
  /** `312 more calls`, `14 minutes`, `the verdict (insufficient data)`, `the window: Monday 09:00 Europe/Istanbul` */
  readonly waits: readonly string[]
  /** `an approval for 100 %` */
  readonly approval: string | undefined
}

/** Returns the percentage of the next step: the first above the plan's current one, even if its steps were changed; null if there is none. */
export const nextStep = (plan: Plan, { percent }: Pick<Position, 'percent'>): number | null =>
  plan.steps.find((step) => step > percent) ?? null

/** Returns what keeps a plan from its next step, apart from the brake. */
export function missingFor(next: number, standing: Standing): Missing {
  const { plan, position } = standing
  const isMissingApproval = plan.approve.includes(next) && position.approved !== next
  return {
    waits: [...missingCalls(standing), ...missingVerdict(standing), ...missingWindow(standing)],
    approval: isMissingApproval ? `an approval for ${next} %` : undefined,
  }
}

/** Returns what the current step still lacks: calls of v1, and minutes. Empty before the first step. */
export function missingCalls({ position, plan, v1, now }: Standing): readonly string[] {
  if (position.percent === 0) return []
  const calls = plan.calls - v1.calls
  const minutes = plan.minutes - minutesAt(position, now)
  return [...(calls > 0 ? [counted(calls, 'more call')] : []), ...(minutes > 0 ? [inDuration(minutes)] : [])]
}

/** How long a step has lasted. */
export const minutesAt = ({ since }: Pick<Position, 'since'>, now: Date): number =>
  (now.getTime() - Date.parse(since)) / MINUTE_MS

/** A plan can do without a verdict if it says why, but not if the verdict is `not ready`. */
function missingVerdict({ plan, verdict }: Standing): readonly string[] {
  const isEnough = verdict === 'ready' || (verdict === 'insufficient data' && plan.withoutVerdict !== undefined)
  return isEnough ? [] : [`the verdict (${verdict})`]
}

function missingWindow({ plan: { window }, now }: Standing): readonly string[] {
  if (window === undefined || isOpen(window, now)) return []
  const opens = nextOpening(window, now)
  return [opens === undefined ? 'the window' : `the window: ${inWords(opens, window.zone)}`]
}

/** `waits for 312 more calls and 14 minutes; needs an approval for 100 %` */
export const missingInWords = ({ waits, approval }: Missing): string =>
  [
    ...(waits.length > 0 ? [`waits for ${listed(waits)}`] : []),
    ...(approval === undefined ? [] : [`needs ${approval}`]),
  ].join('; ')
