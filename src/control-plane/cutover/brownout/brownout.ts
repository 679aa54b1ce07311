import type { Brownout } from '../../../planes/decisions.ts'
import type { BrownoutRule } from '../../rollout/brownout-rule.ts'
import { brownoutKey } from '../../rollout/brownout-rule.ts'

/** `ended`: someone ended it before its time. */
export type BrownoutState = 'to come' | 'under way' | 'over' | 'ended'

/** Reads the brownouts of a rollout file. @param endedAt when someone ended all that had begun; null if nobody did. */
export function brownoutsOf(rules: readonly BrownoutRule[], endedAt: number | null): readonly Brownout[] {
  return rules.map((rule, index) => {
    const [from, to] = [Date.parse(rule.from), Date.parse(rule.to)]
    const isEnded = endedAt !== null && from <= endedAt && endedAt < to
    return { n: index + 1, key: brownoutKey(rule), rule, from, until: isEnded ? endedAt : to }
  })
}

/** Of earlier ones, calls are neither counted nor shown. */
const MOST_BEGUN = 50

/** Returns the brownouts that have begun by a time, the 50 latest at most. */
export const latestBegun = (brownouts: readonly Brownout[], now: number): readonly Brownout[] =>
  brownouts
    .filter(({ from }) => from <= now)
    .sort((one, other) => one.from - other.from)
    .slice(-MOST_BEGUN)

/** Returns where a brownout stands at a time, in ms since the epoch. */
export function stateOf({ rule, from, until }: Brownout, now: number): BrownoutState {
  if (now < from) return 'to come'
  if (now < until) return 'under way'
  return until < Date.parse(rule.to) ? 'ended' : 'over'
}
