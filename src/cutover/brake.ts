import { Histogram, timeOf } from '../compare/tally/histogram.ts'
import { type Share, shareAlwaysAbove } from './always-valid.ts'
import type { SideAnswers } from './answered.ts'
import type { Standing } from './move.ts'
import { type Doubt, isSurelyMore, mostAllowed } from './surely-more.ts'
import { inNumbers, inTime } from './words.ts'

/** With fewer calls of v1 the brake does not judge failures. */
export const LEAST_CALLS = 20
/** With fewer calls of either side the brake does not judge times. */
const LEAST_TIMED = 200
/** What takes no longer than this above the legacy service's is not slow, however many times as long it is; ms. */
const ALWAYS_MS = 20
/** The share of calls that is slower than the p95. */
const SLOWEST = 0.05

/** Together with that of times they are the 1 % of a step (docs/decisions/0076). */
const OF_FAILURES: Doubt = { v1: 0.008, legacy: 0.001 }
/** For each of the buckets that the limit may be in while the step lasts; there are fewer than 20. */
const OF_TIMES: Doubt = { v1: 0.000_02, legacy: 0.000_02 }

/** Returns why the brake must go on, in words; undefined: it need not. It never goes on at 0 %. */
export function brakeReason(standing: Standing): string | undefined {
  const { position, plan, verdict, v1, legacy } = standing
  if (position.percent === 0) return undefined
  return (
    failuresReason(v1, legacy, plan.brake.errors) ??
    verdictReason(verdict) ??
    slowReason(v1, legacy, plan.brake.slowdown)
  )
}

/** Returns with how many failures of the present number of v1's calls, at least 20, the brake goes on; one more than the calls: it cannot. */
export function limitOf({ plan, v1, legacy }: Standing): number {
  const of = Math.max(v1.calls, LEAST_CALLS)
  const allowed = allowedFailures(legacy, plan.brake.errors)
  let [low, high] = [0, of + 1]
  while (low < high) {
    const count = Math.floor((low + high) / 2)
    if (shareAlwaysAbove({ count, of }, allowed, OF_FAILURES.v1)) high = count
    else low = count + 1
  }
  return low
}

/** Returns what share of v1's calls may fail. */
export const allowedFailures = (legacy: SideAnswers, errors: number): number =>
  mostAllowed(failuresOf(legacy), errors, OF_FAILURES.legacy)

/** Returns above which time a call of v1 is slow, in ms; undefined: too few calls of the legacy service tell. */
export function slowFrom(legacy: SideAnswers, slowdown: number): number | undefined {
  const p95 = p95Of(legacy)
  return p95 === undefined ? undefined : p95 * slowdown + ALWAYS_MS
}

/** Returns what share of v1's calls may be slower than that. */
export const allowedSlow = (legacy: SideAnswers, slow: number): number =>
  Math.max(SLOWEST, mostAllowed(slowerThan(legacy, slow), 0, OF_TIMES.legacy))

function failuresReason(v1: SideAnswers, legacy: SideAnswers, errors: number): string | undefined {
  if (v1.calls < LEAST_CALLS || !isSurelyMore(failuresOf(v1), failuresOf(legacy), errors, OF_FAILURES)) return undefined
  return `v1 failed ${inNumbers(v1.failures)} of ${inNumbers(v1.calls)} calls at this step; ${ofLegacy(legacy)}`
}

const ofLegacy = ({ calls, failures }: SideAnswers): string =>
  calls === 0
    ? 'the legacy service answered none to compare with'
    : `the legacy service ${inNumbers(failures)} of ${inNumbers(calls)}`

const verdictReason = (verdict: Standing['verdict']): string | undefined =>
  verdict === 'not ready' ? 'the verdict has become not ready' : undefined

function slowReason(v1: SideAnswers, legacy: SideAnswers, slowdown: number): string | undefined {
  const p95 = p95Of(v1)
  const slow = slowFrom(legacy, slowdown)
  if (p95 === undefined || slow === undefined || p95 <= slow) return undefined
  if (!shareAlwaysAbove(slowerThan(v1, slow), allowedSlow(legacy, slow), OF_TIMES.v1)) return undefined
  return `the p95 of v1 is ${inTime(p95)} at this step; ${inTime(slow)} is allowed by that of the legacy service`
}

const failuresOf = ({ calls, failures }: SideAnswers): Share => ({ count: failures, of: calls })

const timed = ({ times }: SideAnswers): number => times.reduce((sum, [, count]) => sum + count, 0)

/** Undefined: there are too few. */
function p95Of(side: SideAnswers): number | undefined {
  if (timed(side) < LEAST_TIMED) return undefined
  const histogram = new Histogram()
  histogram.addAll(side.times)
  return histogram.quantiles()?.p95
}

const slowerThan = (side: SideAnswers, milliseconds: number): Share => ({
  count: side.times.reduce((sum, [bucket, count]) => sum + (timeOf(bucket) > milliseconds ? count : 0), 0),
  of: timed(side),
})
