import { count, duration } from '../../../common/figures.ts'
import { Histogram, timeOf } from '../../../common/histogram.ts'
import type { Pairs, SideAnswers, Standing } from '../position.ts'
import { callsIn, LEAST_PAIRS, standingOf } from './pairs.ts'

/** The brake does not judge failures on fewer calls of v1 than this. */
export const LEAST_CALLS = 20
/** The brake does not judge times on fewer calls of either side than this. */
const LEAST_TIMED = 200
/** A time that exceeds the legacy service's by no more than this is not slow, whatever the ratio; ms. */
const ALWAYS_MS = 20
/** The share of calls that is slower than the p95. */
export const SLOWEST = 0.05

/** Adds up with the doubt of times to the 1 % per step (docs/decisions/0076). */
const DOUBT_OF_FAILURES = 0.009
/** The doubt for each of the 10 or so buckets that the limit may fall into during a step. */
const DOUBT_OF_TIMES = 0.000_1

/** Returns why the brake must trip, in words; undefined if it need not. It never trips at 0 %. */
export function brakeReason(standing: Standing): string | undefined {
  const { position, plan, verdict, v1, legacy, pairs } = standing
  if (position.percent === 0) return undefined
  return (
    failuresReason(v1, legacy, plan.brake.errors) ??
    verdictReason(verdict) ??
    slowReason(v1, legacy, pairs, plan.brake.slowdown)
  )
}

/** Returns how many failures trip the brake, out of v1's calls so far but at least 20. One more than the calls means that it cannot trip. */
export function limitOf({ plan, v1, legacy }: Standing): number {
  const of = Math.max(v1.calls, LEAST_CALLS)
  let [low, high] = [0, of + 1]
  while (low < high) {
    const count = Math.floor((low + high) / 2)
    if (isSurelyMore({ count, of }, failuresOf(legacy), plan.brake.errors, DOUBT_OF_FAILURES)) high = count
    else low = count + 1
  }
  return low
}

/** Returns the time above which a call of v1 is slow, in ms; undefined if the legacy service has answered too few calls. */
export function slowFrom(legacy: SideAnswers, slowdown: number, least = LEAST_TIMED): number | undefined {
  const p95 = p95Of(legacy, least)
  return p95 === undefined ? undefined : allowedFor(p95, slowdown)
}

/** Returns how long v1 may take where legacy takes so long; ms. */
export const allowedFor = (legacyMs: number, slowdown: number): number => legacyMs * slowdown + ALWAYS_MS

/** Whether v1 surely has more slow calls than the legacy service's p95 allows, and more than the legacy service itself. */
export const isSurelySlower = (v1: Share, legacy: Share, doubt: number): boolean =>
  isSurelyAbove(v1, SLOWEST, doubt) && isSurelyMore(v1, legacy, 0, doubt)

function failuresReason(v1: SideAnswers, legacy: SideAnswers, errors: number): string | undefined {
  if (v1.calls < LEAST_CALLS || !isSurelyMore(failuresOf(v1), failuresOf(legacy), errors, DOUBT_OF_FAILURES))
    return undefined
  return `v1 failed ${count(v1.failures)} of ${count(v1.calls)} calls at this step; ${ofLegacy(legacy)}`
}

/** `the legacy service 0 of 380` */
export const ofLegacy = ({ calls, failures }: Pick<SideAnswers, 'calls' | 'failures'>): string =>
  calls === 0 ? 'the legacy service answered none' : `the legacy service ${count(failures)} of ${count(calls)}`

const verdictReason = (verdict: Standing['verdict']): string | undefined =>
  verdict === 'not ready' ? 'the verdict has become not ready' : undefined

function slowReason(
  v1: SideAnswers,
  legacy: SideAnswers,
  pairs: Pairs | undefined,
  slowdown: number,
): string | undefined {
  const p95 = p95Of(v1)
  const slow = slowFrom(legacy, slowdown)
  if (p95 === undefined || slow === undefined || p95 <= slow) return undefined
  if (!isSurelySlower(slowerThan(v1, slow), slowerThan(legacy, slow), DOUBT_OF_TIMES)) return undefined
  const asked = standingOf(pairs === undefined ? 0 : callsIn(pairs.v1), timed(v1))
  if (asked === 'awaited' || (asked === 'asked' && areExcuse(pairs as Pairs, v1, slow, slowdown))) return undefined
  return `the p95 of v1 is ${duration(p95)} at this step; the legacy service's p95 allows ${duration(slow)}`
}

/** The share of a side's calls that failed. */
export const failuresOf = ({ calls, failures }: SideAnswers): Share => ({ count: failures, of: calls })

/** Whether pairs excuse a v1 that seems slow: it is not slow for the same calls, and these stand for all of its calls. */
const areExcuse = (pairs: Pairs, v1: SideAnswers, slow: number, slowdown: number): boolean =>
  !areSlowToo(pairs, slowdown) &&
  !isSurelyMore(slowerThan(v1, slow), slowerThan({ ...v1, times: pairs.v1 }, slow), 0, DOUBT_OF_TIMES)

/**
 * Whether v1 is slow for the calls that legacy answered too, so that the calls are no excuse: by the p95 of the same calls, or because it takes
 * longer than allowed for most of them. If v1 takes no longer than allowed for any call, it does so for at most half of them, however
 * much times vary.
 */
function areSlowToo(pairs: Pairs, slowdown: number): boolean {
  const [v1, legacy] = [pairs.v1, pairs.legacy].map((times) => ({ calls: 0, failures: 0, times })) as [
    SideAnswers,
    SideAnswers,
  ]
  const [p95, slow] = [p95Of(v1, LEAST_PAIRS), slowFrom(legacy, slowdown, LEAST_PAIRS)]
  if (p95 === undefined || slow === undefined) return false
  if (p95 > slow && isSurelySlower(slowerThan(v1, slow), slowerThan(legacy, slow), DOUBT_OF_TIMES)) return true
  return isMostlySlower({ count: pairs.slower, of: timed(v1) }, DOUBT_OF_TIMES)
}

/** Whether v1 surely takes longer than allowed for more than half of the calls. */
export const isMostlySlower = (slower: Share, doubt: number): boolean => isSurelyAbove(slower, 1 / 2, doubt)

const timed = ({ times }: SideAnswers): number => callsIn(times)

/** Undefined if there are too few calls. */
function p95Of(side: SideAnswers, least = LEAST_TIMED): number | undefined {
  if (timed(side) < least) return undefined
  const histogram = new Histogram()
  histogram.addAll(side.times)
  return histogram.quantiles()?.p95
}

/** The share of a side's calls that took longer than this. */
export const slowerThan = (side: SideAnswers, milliseconds: number): Share => ({
  count: side.times.reduce((sum, [bucket, count]) => sum + (timeOf(bucket) > milliseconds ? count : 0), 0),
  of: timed(side),
})

/** A count out of a total. */
export interface Share {
  readonly count: number
  readonly of: number
}

/**
 * Returns the logarithm of the evidence against a true share, given what was seen: how many times as likely the sequence is under Jeffreys' mixture of
 * all shares as under this one. For independent trials with that share it is a martingale that begins at 1. So it ever reaches x with probability 1 / x
 * at most, however often one looks (J. Ville, 1939; H. Robbins, 1970). For independent sequences the logarithms add up.
 */
function evidenceAgainst(share: number, { count, of }: Share): number {
  const others = of - count
  const mixture = logGamma(count + 0.5) + logGamma(others + 0.5) - logGamma(of + 1) - LOG_PI
  return mixture - times(count, Math.log(share)) - times(others, Math.log1p(-share))
}

const LOG_PI = Math.log(Math.PI)

/** Zero times infinity counts as zero. */
const times = (count: number, logarithm: number): number => (count === 0 ? 0 : count * logarithm)

/** The logarithm of the gamma function, by Stirling's series, which is accurate to 10 digits from 8 upwards. */
function logGamma(number: number): number {
  let [at, less] = [number, 1]
  while (at < 8) less *= at++
  const inverse = 1 / at
  const rest = inverse / 12 - inverse ** 3 / 360 + inverse ** 5 / 1260
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + rest - Math.log(less)
}

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
