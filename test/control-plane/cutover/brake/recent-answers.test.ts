import { describe, expect, it } from 'vitest'
import { brakeReason } from '../../../../src/control-plane/cutover/brake/brake.ts'
import { type RecentAnswers, recentAnswers } from '../../../../src/control-plane/cutover/brake/recent-answers.ts'
import { randomFrom } from '../../../support/simulate-ready.ts'
import { at, side, standing, timed } from '../support/standing.ts'

const BRAKE = { errors: 0.01, slowdown: 2 }
const LEGACY = timed(5_000, 100)

/** Returns after how many calls the brake trips; undefined: it does not. */
function brakedAfter(
  recent: RecentAnswers,
  calls: number,
  failing: (call: number) => boolean,
  milliseconds = 100,
  legacy = LEGACY,
) {
  for (let call = 1; call <= calls; call++) {
    recent.count('v1', { isFailure: failing(call), milliseconds, at: 1_000_000 + call })
    if (recent.brakeReason(BRAKE, legacy) !== undefined) return call
  }
  return undefined
}

/** The last calls after 100,000 that went well. */
function afterGoodOnes(): RecentAnswers {
  const recent = recentAnswers()
  for (let call = 0; call < 100_000; call++) recent.count('v1', { isFailure: false, milliseconds: 100, at: call })
  return recent
}

describe('after 100,000 calls that went well', () => {
  it('a v1 that fails everything is braked within 20 calls, which all counts together do not show', () => {
    const recent = afterGoodOnes()
    expect(brakedAfter(recent, 20, () => true)).toBe(11)
    expect(recent.brakeReason(BRAKE, LEGACY)).toBe(
      'v1 failed 11 of its last 20 calls; the legacy service answered none meanwhile',
    )
    const all = { position: at(100, { state: 'done' }), v1: side(100_020, 20), legacy: side(5_000) }
    expect(brakeReason(standing(all))).toBeUndefined()
  })

  it('a v1 that fails a fifth of its calls is braked within 300 calls', () => {
    const random = randomFrom(1)
    expect(brakedAfter(afterGoodOnes(), 1_000, () => random() < 0.2)).toBeLessThan(300)
  })

  it('a v1 that is three times as slow is braked within 200 calls', () => {
    const recent = afterGoodOnes()
    expect(brakedAfter(recent, 200, () => false, 300)).toBeLessThan(100)
    expect(recent.brakeReason(BRAKE, LEGACY)).toMatch(/^\d+ of the last 200 calls of v1 took more than the 214 ms that/)
  })

  it('a few failures are no reason', () => {
    expect(brakedAfter(afterGoodOnes(), 1_000, (call) => call % 50 < 3)).toBeUndefined()
  })
})

describe('failures of the legacy service', () => {
  const outage = { isFailure: true, milliseconds: 0 }

  it('at the same time excuse those of v1', () => {
    const recent = afterGoodOnes()
    for (let call = 0; call < 200; call++) {
      recent.count('legacy', { ...outage, at: 1_000_000 + call })
      recent.count('v1', { ...outage, at: 1_000_000 + call })
      expect(recent.brakeReason(BRAKE, LEGACY)).toBeUndefined()
    }
  })

  it('that are over excuse nothing', () => {
    const recent = afterGoodOnes()
    for (let call = 0; call < 200; call++) recent.count('legacy', { ...outage, at: 50_000 })
    expect(brakedAfter(recent, 20, () => true)).toBe(11)
  })
})

it('fewer than 20 calls are no reason', () => {
  expect(brakedAfter(recentAnswers(), 19, () => true)).toBeUndefined()
})
