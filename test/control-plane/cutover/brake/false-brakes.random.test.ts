import { describe, expect, it } from 'vitest'
import { oneTime } from '../../../../src/common/histogram.ts'
import { brakeReason } from '../../../../src/control-plane/cutover/brake/brake.ts'
import { recentAnswers } from '../../../../src/control-plane/cutover/brake/recent-answers.ts'
import type { SideAnswers } from '../../../../src/control-plane/cutover/position.ts'
import { runs } from '../../../support/random-runs.ts'
import { randomFrom } from '../../../support/simulate-ready.ts'
import { side, standing } from '../support/standing.ts'

const STEPS = runs(300)
const CALLS = 500
/** Three standard errors of the simulation itself. */
const ERROR = 3 * Math.sqrt((0.01 * 0.99) / STEPS)

/** How many calls of the legacy service there are before the step, and during it beside each of v1. */
const LEGACY = {
  'at 5 % of the clients': { before: 0, beside: 19 },
  'at 50 % of the clients': { before: 0, beside: 1 },
  'at 100 %, few of it from before': { before: 20, beside: 0 },
  'at 100 %, none of it from before': { before: 0, beside: 0 },
} as const

/** Returns after how many calls of v1 the brake trips; undefined: never in this step. It is asked after each of them. */
function brakedAfter(
  random: () => number,
  ofV1: number,
  ofLegacy: number,
  { before, beside }: { before: number; beside: number },
  errors: number,
) {
  const failures = (calls: number, share: number): number => {
    let failed = 0
    for (let call = 0; call < calls; call++) if (random() < share) failed++
    return failed
  }
  const v1 = { calls: 0, failures: 0, times: [] }
  const legacy = { calls: before, failures: failures(before, ofLegacy), times: [] }
  const given = standing({ v1, legacy, plan: { brake: { errors, slowdown: 2 } } })
  while (v1.calls < CALLS) {
    v1.calls++
    v1.failures += failures(1, ofV1)
    legacy.calls += beside
    legacy.failures += failures(beside, ofLegacy)
    if (brakeReason(given) !== undefined) return v1.calls
  }
  return undefined
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0

describe('of steps with equal services at most 1 % are braked, the brake being asked after each call', () => {
  const cases = [0.001, 0.02, 0.1, 0.5].flatMap((share) =>
    Object.entries(LEGACY).map(([name, legacy]) => [share, name, legacy] as const),
  )
  it.each(cases)('both fail %f, %s', (share, _, legacy) => {
    const random = randomFrom(share * 1_000 + legacy.before + legacy.beside)
    let braked = 0
    // No margin is the hardest: then the services are at the very limit.
    for (let step = 0; step < STEPS; step++) if (brakedAfter(random, share, share, legacy, 0) !== undefined) braked++
    expect(braked / STEPS).toBeLessThan(0.01 + ERROR)
  })
})

describe('a v1 that is worse is braked soon', () => {
  it.each([
    [0, 0.05, 400],
    [0.02, 0.1, 400],
    [0.1, 0.3, 150],
    [0.5, 0.9, 50],
  ])('legacy fails %f, v1 %f', (ofLegacy, ofV1, within) => {
    const random = randomFrom(ofV1 * 100)
    const legacy = { before: 500, beside: 3 }
    const calls = Array.from({ length: runs(100) }, () => brakedAfter(random, ofV1, ofLegacy, legacy, 0.01) ?? CALLS)
    expect(median(calls)).toBeLessThan(within)
  })
})

describe('of steps with equally slow services at most 1 % are braked', () => {
  it.each([
    ['that vary by little', 0.5, 1],
    ['that vary much', 1, 1],
    ['that vary extremely', 2, 2],
  ])('with times %s', (_, spread, slowdown) => {
    const random = randomFrom(spread * 10 + slowdown)
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const counted = () => {
      const times = new Map<number, number>()
      const add = (): void => {
        const [bucket = 0] = oneTime(300 * Math.exp(spread * normal()))[0] ?? []
        times.set(bucket, (times.get(bucket) ?? 0) + 1)
      }
      return { add, answers: (calls: number): SideAnswers => side(calls, 0, [...times]) }
    }
    let braked = 0
    for (let step = 0; step < STEPS; step++) {
      const [v1, legacy] = [counted(), counted()]
      for (let calls = 1; calls <= 500; calls++) {
        v1.add()
        legacy.add()
        if (calls < 200 || calls % 50 > 0) continue
        const given = {
          v1: v1.answers(calls),
          legacy: legacy.answers(calls),
          plan: { brake: { errors: 0.01, slowdown } },
        }
        if (brakeReason(standing(given)) === undefined) continue
        braked++
        break
      }
    }
    expect(braked / STEPS).toBeLessThan(0.01 + ERROR)
  })
})

it.each([0.001, 0.02, 0.5])('the last calls never brake equal services that fail %f, in 20,000 calls', (share) => {
  const random = randomFrom(share * 1_000)
  const recent = recentAnswers()
  const brake = { errors: 0, slowdown: 2 }
  const before = side(1_000, Math.round(share * 1_000))
  for (let call = 0; call < 20_000; call++) {
    const isFailure = random() < share
    recent.count('v1', { isFailure, milliseconds: 100, at: call })
    if (isFailure) expect(recent.brakeReason(brake, before)).toBeUndefined()
  }
})
