import { count, duration } from '../../common/figures.ts'
import { Histogram, timeOf } from '../../common/histogram.ts'
import type { SideAnswers } from '../answered.ts'
import type { Standing } from '../move.ts'
import type { Share } from './evidence-against.ts'
import { isSurelyAbove, isSurelyMore } from './surely-more.ts'

/** The brake does not judge failures on fewer calls of v1 than this. */
export const LEAST_CALLS = 20
/** The brake does not judge times on fewer calls of either side than this. */
const LEAST_TIMED = 200
/** A time that exceeds the legacy service's by no more than this is not slow, whatever the ratio; ms. */
const ALWAYS_MS = 20
/** The share of calls that is slower than the p95. */
const SLOWEST = 0.05

/** Adds up with the doubt of times to the 1 % per step (docs/decisions/0076). */
const DOUBT_OF_FAILURES = 0.009
/** The doubt for each of the 10 or so buckets that the limit may fall into during a step. */
const DOUBT_OF_TIMES = 0.000_1

/** Returns why the brake must trip, in words; undefined if it need not. It never trips at 0 %. */
export function brakeReason(standing: Standing): string | undefined {
  const { position, plan, verdict, v1, legacy } = standing
  if (position.percent === 0) return undefined
  return (
    failuresReason(v1, legacy, plan.brake.errors) ??
    verdictReason(verdict) ??
    slowReason(v1, legacy, plan.brake.slowdown)
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
export function slowFrom(legacy: SideAnswers, slowdown: number): number | undefined {
  const p95 = p95Of(legacy)
  return p95 === undefined ? undefined : p95 * slowdown + ALWAYS_MS
}

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

function slowReason(v1: SideAnswers, legacy: SideAnswers, slowdown: number): string | undefined {
  const p95 = p95Of(v1)
  const slow = slowFrom(legacy, slowdown)
  if (p95 === undefined || slow === undefined || p95 <= slow) return undefined
  if (!isSurelySlower(slowerThan(v1, slow), slowerThan(legacy, slow), DOUBT_OF_TIMES)) return undefined
  return `the p95 of v1 is ${duration(p95)} at this step; the legacy service's p95 allows ${duration(slow)}`
}

/** The share of a side's calls that failed. */
export const failuresOf = ({ calls, failures }: SideAnswers): Share => ({ count: failures, of: calls })

const timed = ({ times }: SideAnswers): number => times.reduce((sum, [, count]) => sum + count, 0)

/** Undefined if there are too few calls. */
function p95Of(side: SideAnswers): number | undefined {
  if (timed(side) < LEAST_TIMED) return undefined
  const histogram = new Histogram()
  histogram.addAll(side.times)
  return histogram.quantiles()?.p95
}

/** The share of a side's calls that took longer than this. */
export const slowerThan = (side: SideAnswers, milliseconds: number): Share => ({
  count: side.times.reduce((sum, [bucket, count]) => sum + (timeOf(bucket) > milliseconds ? count : 0), 0),
  of: timed(side),
})
