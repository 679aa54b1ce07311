import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brakeReason, limitOf } from '../../../../src/control-plane/cutover/brake/brake.ts'
import { at, side, standing, timed } from '../support/standing.ts'

describe('a v1 that fails everything', () => {
  it.each([
    ['many calls of a legacy service without failures', side(380), 'the legacy service 0 of 380'],
    ['few', side(3), 'the legacy service 0 of 3'],
    ['none', side(0), 'the legacy service answered none'],
    ['many, of which half fail', side(1_000, 500), 'the legacy service 500 of 1,000'],
  ])('is braked at exactly 20 calls, beside %s', (_, legacy, words) => {
    expect(brakeReason(standing({ v1: side(19, 19), legacy }))).toBeUndefined()
    expect(brakeReason(standing({ v1: side(20, 20), legacy }))).toBe(`v1 failed 20 of 20 calls at this step; ${words}`)
  })

  it('is not braked if the legacy service does so too', () => {
    expect(brakeReason(standing({ v1: side(500, 500), legacy: side(500, 500) }))).toBeUndefined()
  })
})

describe('failures', () => {
  it('are allowed as far as the legacy service has them, and the margin', () => {
    const legacy = side(100_000, 10_000)
    expect(brakeReason(standing({ v1: side(10_000, 1_100), legacy }))).toBeUndefined()
    expect(brakeReason(standing({ v1: side(10_000, 1_300), legacy }))).toBe(
      'v1 failed 1,300 of 10,000 calls at this step; the legacy service 10,000 of 100,000',
    )
    const wider = { plan: { brake: { errors: 0.05, slowdown: 2 } } }
    expect(brakeReason(standing({ v1: side(10_000, 1_300), legacy, ...wider }))).toBeUndefined()
  })

  it('never brake at 0 %', () => {
    expect(brakeReason(standing({ position: at(0), verdict: 'not ready', v1: side(20, 20) }))).toBeUndefined()
  })
})

describe('the limit', () => {
  it.each([
    [0, side(10_000), 5],
    [20, side(10_000), 5],
    [20, side(380), 5],
    [20, side(0), 18],
    [1_000, side(10_000), 31],
    [20, side(20, 20), 21],
  ])('at %i calls', (calls, legacy, limit) => {
    expect(limitOf(standing({ v1: side(calls), legacy }))).toBe(limit)
  })

  it('is where the brake trips, for all counts', () => {
    const counts = fc.tuple(
      fc.integer({ min: 20, max: 3_000 }),
      fc.nat(5_000),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    fc.assert(
      fc.property(counts, fc.double({ min: 0, max: 1, noNaN: true }), ([calls, asked, share], errors) => {
        const given = { legacy: side(asked, Math.floor(asked * share)), plan: { brake: { errors, slowdown: 2 } } }
        const limit = limitOf(standing({ v1: side(calls), ...given }))
        const isBraked = (failures: number) =>
          brakeReason(standing({ v1: side(calls, failures), ...given })) !== undefined
        return !isBraked(limit - 1) && (limit > calls || isBraked(limit)) && limit <= calls + 1
      }),
      { numRuns: 300, seed: 21 },
    )
  })
})

it('a verdict that has become not ready brakes, also a plan that needs none', () => {
  expect(brakeReason(standing({ verdict: 'not ready' }))).toBe('the verdict has become not ready')
  expect(brakeReason(standing({ verdict: 'not ready', plan: { withoutVerdict: 'it writes' } }))).toBeDefined()
})

describe('slowness', () => {
  const legacy = timed(200, 100)
  it.each([
    [
      'three times as slow',
      timed(200, 300),
      "the p95 of v1 is 304 ms at this step; the legacy service's p95 allows 214 ms",
    ],
    ['within twice and 20 ms', timed(200, 200), undefined],
    ['too few calls', timed(199, 300), undefined],
  ])('%s', (_, v1, reason) => {
    expect(brakeReason(standing({ v1, legacy }))).toBe(reason)
  })

  it('is not judged by fewer than 200 calls of the legacy service', () => {
    expect(brakeReason(standing({ v1: timed(200, 300), legacy: timed(199, 100) }))).toBeUndefined()
  })

  it('below 20 ms more is none', () => {
    expect(brakeReason(standing({ v1: timed(1_000, 19), legacy: timed(1_000, 1) }))).toBeUndefined()
    expect(brakeReason(standing({ v1: timed(1_000, 26), legacy: timed(1_000, 1) }))).toBeDefined()
  })

  it('of a few calls only, as at the p95 of any service, is none', () => {
    const some = { ...timed(180, 100), calls: 200 }
    const v1 = { ...some, times: [...some.times, ...timed(20, 1_000).times] }
    expect(brakeReason(standing({ v1, legacy }))).toBeUndefined()
  })
})
