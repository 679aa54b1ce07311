import { type Share, shareAlwaysAbove, shareAlwaysBelow } from './always-valid.ts'

/** With how much probability, over a whole step, either side's share may be thought wrong. */
export interface Doubt {
  readonly v1: number
  readonly legacy: number
}

/**
 * The legacy service is trusted to do no worse than this until it has shown what it does: without a call of it nothing could ever be
 * more than its own share.
 */
const UNKNOWN_SHARE = 0.5

/**
 * Returns the share that v1's must surely be above: the most that the legacy service's own can be, and `margin`.
 * @param doubt with which probability the legacy service's own share is ever more than what this assumes, however often it is asked.
 */
export function mostAllowed(legacy: Share, margin: number, doubt: number): number {
  const most = shareAlwaysBelow(legacy, doubt)
  const isShown = legacy.count * 2 > legacy.of
  return (isShown ? most : Math.min(most, UNKNOWN_SHARE)) + margin
}

/** Whether v1's share is more than the legacy service's own and `margin`; it may be asked after each call (docs/decisions/0076). */
export const isSurelyMore = (v1: Share, legacy: Share, margin: number, doubt: Doubt): boolean =>
  shareAlwaysAbove(v1, mostAllowed(legacy, margin, doubt.legacy), doubt.v1)
