import { evidenceAgainst, type Share } from './evidence-against.ts'

/**
 * No share of failures above this is assumed of the legacy service unless more than half of its calls failed: without a call of it nothing could ever be
 * more than its own share.
 */
const UNKNOWN_SHARE = 0.5

/** Halvings of an interval of length 1, after which no decision changes. */
const HALVINGS = 40

/** Whether the true share is above `limit`. If it is not, this is ever true with probability `doubt` at most, even if asked after each call. */
export const isSurelyAbove = (seen: Share, limit: number, doubt: number): boolean =>
  seen.count > seen.of * limit && evidenceAgainst(limit, seen) >= -Math.log(doubt)

/**
 * Whether v1's true share is above the legacy service's and `margin`, whatever the latter's is. If it is not, this is ever true with probability `doubt` at
 * most, even if asked after each call of either (docs/decisions/0076).
 */
export function isSurelyMore(v1: Share, legacy: Share, margin: number, doubt: number): boolean {
  const seen = legacy.of === 0 ? 0 : legacy.count / legacy.of
  if (v1.count <= v1.of * (seen + margin)) return false
  const evidence = (share: number): number =>
    evidenceAgainst(Math.min(share + margin, 1), v1) + evidenceAgainst(share, legacy)
  const needed = -Math.log(doubt)
  // At almost all calls the evidence at `seen` is too little already, so that its minimum need not be looked for.
  if (legacy.of > 0 && seen + margin < 1 && evidence(seen) < needed) return false
  return evidence(weakest(v1, legacy, margin)) >= needed
}

/** Returns the legacy service's share that best explains what was seen of both, if v1's is that and `margin`. */
function weakest(v1: Share, legacy: Share, margin: number): number {
  const most = legacy.count * 2 > legacy.of ? 1 : UNKNOWN_SHARE
  let [low, high] = [0, Math.min(most, 1 - margin)]
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2
    const slope = slopeAt(middle + margin, v1) + slopeAt(middle, legacy)
    if (slope > 0) high = middle
    else low = middle
  }
  return high
}

/** Of the evidence, whose sum has one lowest place, since it is convex. */
const slopeAt = (share: number, { count, of }: Share): number => (of - count) / (1 - share) - count / share
