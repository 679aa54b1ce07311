import { evidenceAgainst, type Share } from './evidence-against.ts'

/**
 * The highest share of failures assumed for the legacy service, unless more than half of its calls failed. Without this limit, if it had answered no call,
 * no share of v1's could ever be higher than its share.
 */
const UNKNOWN_SHARE = 0.5

/** How often to halve an interval of length 1: after that, no decision changes. */
const HALVINGS = 40

/** Whether the true share is surely above `limit`. If it is not, this is ever true with probability `doubt` at most, even if called after each call. */
export const isSurelyAbove = (seen: Share, limit: number, doubt: number): boolean =>
  seen.count > seen.of * limit && evidenceAgainst(limit, seen) >= -Math.log(doubt)

/**
 * Whether v1's true share is surely above the legacy service's plus `margin`, whatever the legacy service's is. If it is not, this is ever true with
 * probability `doubt` at most, even if called after each call of either (docs/decisions/0076).
 */
export function isSurelyMore(v1: Share, legacy: Share, margin: number, doubt: number): boolean {
  const seen = legacy.of === 0 ? 0 : legacy.count / legacy.of
  if (v1.count <= v1.of * (seen + margin)) return false
  const evidence = (share: number): number =>
    evidenceAgainst(Math.min(share + margin, 1), v1) + evidenceAgainst(share, legacy)
  const needed = -Math.log(doubt)
  // In almost all cases the evidence at `seen` is already too little, so there is no need to search for its minimum.
  if (legacy.of > 0 && seen + margin < 1 && evidence(seen) < needed) return false
  return evidence(weakest(v1, legacy, margin)) >= needed
}

/** Returns the legacy service's share that best explains what was seen of both, if v1's share is that plus `margin`. */
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

/** The slope of the evidence. The sum of both is convex, so it has one minimum. */
const slopeAt = (share: number, { count, of }: Share): number => (of - count) / (1 - share) - count / share
