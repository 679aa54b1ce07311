import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chosenPercent,
  counted,
  distinct,
  distinctInWords,
  duration,
  inDuration,
  percent,
  percentAtMost,
  provenInWords,
} from '../../src/common/figures.ts'

const numberOf = (text: string): number => Number(/^(\d+(?:\.\d+)?) %$/.exec(text)?.[1])

describe('a share', () => {
  it.each([
    [0, '0 %'],
    [1e-9, '< 0.01 %'],
    [0.000_099, '< 0.01 %'],
    [0.000_1, '0.01 %'],
    [0.29, '29 %'],
    [1 - 0.8, '20 %'],
    [0.199_99, '19.99 %'],
    [0.749_999, '74.99 %'],
    [0.75, '75 %'],
    [0.755, '75.50 %'],
    [0.999_999, '99.99 %'],
    [1 - 1e-15, '99.99 %'],
    [1, '100 %'],
  ])('of %d reads %s', (share, says) => {
    expect(percent(share)).toBe(says)
  })

  it.each([
    [0.999_84, 0.999_85, '99.984 %', '99.985 %'],
    [0.999_85, 0.999_85, '99.985 %', '99.985 %'],
    [0.949_999_9, 0.95, '94.99 %', '95 %'],
    [0.95 - 1e-15, 0.95, '94.99 %', '95 %'],
    [0.93, 1 - 0.07, '93 %', '93 %'],
    [0.5, 0.995, '50 %', '99.5 %'],
  ])('of %d never reads like its limit %d unless it reaches it', (share, limit, says, limitSays) => {
    expect([percent(share, limit), chosenPercent(limit)]).toEqual([says, limitSays])
  })

  it('of two whole numbers never says more than there is, nor that there is nothing', () => {
    const counts = fc
      .integer({ min: 1, max: 1e7 })
      .chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)))
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 999_999 }), ([part, of], limit) => {
        const share = part / of
        const said = percent(share)
        if (said === '< 0.01 %') {
          expect(part > 0 && part * 10_000 < of).toBe(true)
          return
        }
        // Compared as whole numbers: hundredths of a percent.
        const hundredths = Math.round(numberOf(said) * 100)
        expect(hundredths * of).toBeLessThanOrEqual(part * 10_000)
        expect((hundredths + 1) * of).toBeGreaterThan(part * 10_000)
        expect(said === '100 %').toBe(part === of)
        expect(said === '0 %').toBe(part === 0)
        const target = limit / 1_000_000
        const toReach = percent(share, target)
        if (!toReach.startsWith('<')) expect(numberOf(toReach) >= numberOf(chosenPercent(target))).toBe(share >= target)
      }),
    )
  })

  it('that is better small is never understated', () => {
    expect([0, 1e-9, 0.002, 0.007_843, 0.999_999, 1].map(percentAtMost)).toEqual([
      '0 %',
      '0.01 %',
      '0.20 %',
      '0.79 %',
      '100 %',
      '100 %',
    ])
  })

  it('and the rest of it make 100 %, if one is rounded down and the other up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_998 }), fc.integer({ min: 0, max: 99 }), (hundredths, more) => {
        const share = (hundredths + more / 100) / 10_000
        expect(numberOf(percent(share)) + numberOf(percentAtMost(1 - share))).toBeCloseTo(100, 9)
      }),
    )
  })

  it('that someone chose has the digits that it has', () => {
    expect([0.95, 0.995, 0.999_85, 0.125, 1, 0, 0.29].map(chosenPercent)).toEqual([
      '95 %',
      '99.5 %',
      '99.985 %',
      '12.5 %',
      '100 %',
      '0 %',
      '29 %',
    ])
  })
})

it('counts have separators, and their nouns a plural', () => {
  expect([0, 1, 12_345].map((calls) => counted(calls, 'call'))).toEqual(['0 calls', '1 call', '12,345 calls'])
  expect([1, 2].map((many) => counted(many, 'class', 'classes'))).toEqual(['1 class', '2 classes'])
})

it('an estimate says that it is one', () => {
  const numbers = [{ distinct: 1 }, { distinct: 4_870, estimated: true }, { distinct: 1_000, atLeast: true }]
  expect(numbers.map(distinct)).toEqual(['1', '≈ 4,870', '≥ 1,000'])
  expect(numbers.map((number) => distinctInWords(number, 'client'))).toEqual([
    '1 client',
    'about 4,870 clients',
    'at least 1,000 clients',
  ])
})

it('durations have two or three digits, however they are rounded', () => {
  expect([undefined, 0.04, 2, 9.94, 9.96, 999.4, 999.6, 1_250].map(duration)).toEqual([
    '–',
    '0.0 ms',
    '2.0 ms',
    '9.9 ms',
    '10 ms',
    '999 ms',
    '1.00 s',
    '1.25 s',
  ])
})

it('the time that one still waits is rounded up', () => {
  expect([0.2, 1, 119.5, 121, 72 * 60, 73 * 60, 97 * 60].map(inDuration)).toEqual([
    '1 minute',
    '1 minute',
    '120 minutes',
    '3 hours',
    '72 hours',
    '4 days',
    '5 days',
  ])
})

it('"proven" says how many operations are ready each, and how many hold at once', () => {
  const of = (ready: number, together: number) => provenInWords({ of: 14, ready, together, confidence: 0.95 })
  expect(of(14, 14)).toBe(
    'All 14 operations that can be compared are proven, each and all at once, with 95 % confidence.',
  )
  expect(of(9, 2)).toBe(
    '9 of the 14 operations that can be compared are proven, each with 95 % confidence. To be as sure of all 14 at once, each needs more units: 2 of the 9 have enough.',
  )
  expect(of(14, 0)).toMatch(/^14 of the 14 operations .* each needs more units: none has enough\.$/)
  expect(of(9, 9)).toMatch(/ each needs more units: all 9 have enough\.$/)
  expect(of(1, 1)).toMatch(/^1 of the 14 operations that can be compared is proven, .* 1 has enough\.$/)
  expect(of(0, 0)).toBe('None of the 14 operations that can be compared is proven.')
})
