import { describe, expect, it } from 'vitest'
import { Histogram } from '../../../../src/common/histogram.ts'
import { allowedFor, brakeReason } from '../../../../src/control-plane/cutover/brake/brake.ts'
import { PairCounter } from '../../../../src/control-plane/cutover/brake/pairs.ts'
import { recentAnswers } from '../../../../src/control-plane/cutover/brake/recent-answers.ts'
import { runs } from '../../../support/random-runs.ts'
import { randomFrom } from '../../../support/simulate-ready.ts'
import { side, standing } from '../support/standing.ts'

/** Steps at 5 % of the clients: beside each call of v1, nineteen clients call legacy. */
const STEPS = runs(200)
const BESIDE = 19
const CALLS = 1_000
const SLOWDOWN = 2
/** Three standard errors of the simulation itself. */
const ERROR = 3 * Math.sqrt((0.01 * 0.99) / STEPS)

interface Step {
  /** Of the calls of v1, how many are of the client that asks for pages of 5,000 rows. */
  readonly heavy: number
  /** How long a call of v1 takes, where it takes legacy so long, apart from chance; ms. */
  readonly v1: (legacyMs: number) => number
  /** The share of calls that are compared. */
  readonly shadow: number
  /** How much times vary: the standard deviation of their logarithms. */
  readonly spread?: number
  /** Of the plan. */
  readonly slowdown?: number
  /** Whether that client's calls are too large to be compared. */
  readonly isTooLarge?: boolean
}

/** Returns after how many calls of v1 the brake trips for slowness; undefined: never in this step. It is asked after every tenth call. */
function brakedAfter(random: () => number, step: Step) {
  const { heavy, v1, shadow, spread = 0.5, slowdown = SLOWDOWN, isTooLarge = false } = step
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const varied = (milliseconds: number): number => milliseconds * Math.exp(spread * normal())
  const ofClient = (isHeavy: boolean): number => (isHeavy ? 3_000 : 100)
  const [v1Times, legacyTimes, pairs] = [new Histogram(), new Histogram(), new PairCounter()]
  const recent = recentAnswers()
  const brake = { errors: 0.01, slowdown }
  for (let call = 1; call <= CALLS; call++) {
    for (let other = 0; other < BESIDE; other++) {
      const milliseconds = varied(ofClient(false))
      legacyTimes.add(milliseconds)
      recent.count('legacy', { isFailure: false, milliseconds, at: call })
    }
    const isHeavy = random() < heavy
    const legacyMs = ofClient(isHeavy)
    const milliseconds = varied(v1(legacyMs))
    v1Times.add(milliseconds)
    recent.count('v1', { isFailure: false, milliseconds, at: call })
    if (random() < shadow && !(isHeavy && isTooLarge)) {
      const legacy = varied(legacyMs)
      const pair = { v1: milliseconds, legacy, isSlower: milliseconds > allowedFor(legacy, slowdown) }
      pairs.add(pair)
      recent.countPair(pair)
    }
    if (call % 10 > 0) continue
    const of = {
      v1: side(call, 0, v1Times.counts()),
      legacy: side(call * BESIDE, 0, legacyTimes.counts()),
      pairs: pairs.now(),
    }
    const reason = brakeReason(standing({ ...of, plan: { brake } })) ?? recent.brakeReason(brake, of.legacy)
    if (reason !== undefined) return call
  }
  return undefined
}

const EQUAL = (legacyMs: number): number => legacyMs
const of = (step: Step, seed: number): readonly (number | undefined)[] => {
  const random = randomFrom(seed)
  return Array.from({ length: STEPS }, () => brakedAfter(random, step))
}
const shareOf = (braked: readonly (number | undefined)[]): number =>
  braked.filter((calls) => calls !== undefined).length / braked.length
const slowest = (braked: readonly (number | undefined)[]): number =>
  Math.max(...braked.map((calls) => calls ?? Number.POSITIVE_INFINITY))

describe('one client with pages of 5,000 rows among the first 5 %, of services that are equal', () => {
  it.each([
    ['a tenth of the calls', 0.1, 1, 0.5],
    ['a third of the calls', 1 / 3, 1, 0.5],
    ['nearly all calls', 0.9, 1, 0.5],
    ['a third of the calls, whose times vary much', 1 / 3, 1, 1],
    ['a third of the calls, of which a quarter is compared', 1 / 3, 0.25, 0.5],
  ])('does not trip the brake with %s', (_, heavy, shadow, spread) => {
    expect(shareOf(of({ heavy, v1: EQUAL, shadow, spread }, heavy * 100 + spread))).toBeLessThan(0.01 + ERROR)
  })

  it('trips it where nothing is compared, in all steps', () => {
    expect(shareOf(of({ heavy: 1 / 3, v1: EQUAL, shadow: 0 }, 7))).toBe(1)
  })

  it('does not trip it either where v1 takes all the time that the plan allows', () => {
    const allowed = (legacyMs: number): number => allowedFor(legacyMs, SLOWDOWN)
    expect(shareOf(of({ heavy: 1 / 3, v1: allowed, shadow: 1, spread: 0.1 }, 8))).toBeLessThan(0.01 + ERROR)
  })
})

describe('a v1 that takes twice as long as allowed is braked', () => {
  const twice = (legacyMs: number): number => 2 * allowedFor(legacyMs, SLOWDOWN)

  it.each([
    ['without such a client', 0, 1, 250],
    ['with one', 1 / 3, 1, 250],
    ['with one that makes nearly all calls', 0.9, 1, 250],
    ['with one, where a quarter is compared', 1 / 3, 0.25, 500],
    ['with one, where a tenth is compared', 1 / 3, 0.1, 600],
    ['with one, where nothing is compared', 1 / 3, 0, 250],
  ])('%s', (_, heavy, shadow, within) => {
    expect(slowest(of({ heavy, v1: twice, shadow }, heavy * 100 + shadow))).toBeLessThanOrEqual(within)
  })

  it.each([
    ['without such a client', 0],
    ['with one', 1 / 3],
  ])('as is one that takes twice as long as legacy where the plan allows 1.5 times, %s', (_, heavy) => {
    const braked = of({ heavy, v1: (legacyMs) => 2 * legacyMs, shadow: 1, slowdown: 1.5 }, heavy * 100)
    expect(shareOf(braked)).toBeGreaterThan(0.95)
    expect(braked.filter((calls) => calls !== undefined && calls <= 500).length / STEPS).toBeGreaterThan(0.5)
  })

  it.each([
    ['each of its calls takes 500 ms longer', (legacyMs: number) => legacyMs + 500],
    ['it is slow for all but the large pages', (legacyMs: number) => (legacyMs > 1_000 ? legacyMs : 10 * legacyMs)],
  ])('also if %s, beside such a client', (_, v1) => {
    expect(slowest(of({ heavy: 1 / 3, v1, shadow: 1 }, 9))).toBeLessThanOrEqual(600)
  })
})

it('a v1 that is slow for calls that are too large to be compared is braked, however equal the others are', () => {
  const slowForLarge = (legacyMs: number): number => (legacyMs > 1_000 ? 10 * legacyMs : legacyMs)
  expect(slowest(of({ heavy: 0.2, v1: slowForLarge, shadow: 1, isTooLarge: true }, 11))).toBeLessThanOrEqual(400)
})
