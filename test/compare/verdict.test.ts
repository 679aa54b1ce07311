import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flawlessRun, judge, wilsonLowerBound } from '../../src/compare/tally/verdict.ts'

describe('the lower bound', () => {
  it.each([
    [15, 20, 0.5678],
    [20, 20, 0.88084],
    [268, 268, 0.99001],
    [999, 1000, 0.99549],
    [0, 20, 0],
    [0, 0, 0],
  ])('of %i matches in %i', (matched, compared, bound) => {
    expect(wilsonLowerBound(matched, compared)).toBeCloseTo(bound, 4)
  })

  it('is where the match rate would be just surprising: Wilson’s equation holds', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (compared, share) => {
          const matched = Math.round(compared * share)
          const bound = wilsonLowerBound(matched, compared)
          expect(bound).toBeGreaterThanOrEqual(0)
          expect(bound).toBeLessThanOrEqual(matched / compared + 1e-12)
          const deviations = (matched / compared - bound) / Math.sqrt((bound * (1 - bound)) / compared)
          if (matched > 0) expect(deviations).toBeCloseTo(1.6448536, 3)
        },
      ),
    )
  })
})

describe('a flawless run', () => {
  it.each([
    [0.99, 268],
    [0.999, 2703],
    [0.9, 25],
    [0.5, 3],
  ])('that proves %d has %i exchanges', (target, exchanges) => {
    expect(flawlessRun(target)).toBe(exchanges)
  })

  it('is the shortest that does', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.99999, noNaN: true }), (target) => {
        const run = flawlessRun(target)
        expect(wilsonLowerBound(run, run)).toBeGreaterThanOrEqual(target)
        expect(wilsonLowerBound(run - 1, run - 1)).toBeLessThan(target)
      }),
    )
    for (let run = 1; run < 3_000; run++) expect(flawlessRun(wilsonLowerBound(run, run))).toBe(run)
  })
})

describe('the verdict', () => {
  const judged = (matched: number, compared: number, hasDifferences = false, target = 0.99) =>
    judge({ matched, compared, target, hasDifferences })

  it('is not ready when a class of difference counts', () => {
    expect(judged(15, 20, true)).toEqual({
      verdict: 'not ready',
      target: 0.99,
      matchRate: 0.75,
      lowerBound: expect.closeTo(0.5678, 4),
      needed: 248,
    })
    expect(judged(99_999, 100_000, true).verdict).toBe('not ready')
  })

  it('is ready when the target is proven', () => {
    expect(judged(268, 268)).toMatchObject({ verdict: 'ready', matchRate: 1, needed: 0 })
    expect(judged(1_000, 1_000)).toMatchObject({ verdict: 'ready', needed: 0 })
    expect(judged(25, 25, false, 0.9).verdict).toBe('ready')
  })

  it('is insufficient data until then, with how many exchanges are missing', () => {
    expect(judged(267, 267)).toMatchObject({ verdict: 'insufficient data', matchRate: 1, needed: 1 })
    expect(judged(0, 0)).toEqual({
      verdict: 'insufficient data',
      target: 0.99,
      matchRate: 0,
      lowerBound: 0,
      needed: 268,
    })
  })
})
