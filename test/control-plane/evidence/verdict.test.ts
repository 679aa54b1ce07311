import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flawlessRun, lowerBoundOf } from '../../../src/control-plane/evidence/tally/proven-share.ts'
import { judge, type Requirements, type Results } from '../../../src/control-plane/evidence/tally/verdict.ts'

const demands = { target: 0.99, confidence: 0.95, unjudged: 0.01 }

/** The probability of at least this many successes, by the definition of the binomial distribution. */
function atLeast(successes: number, trials: number, share: number): number {
  let sum = 0
  for (let k = successes; k <= trials; k++) {
    let log = 0
    for (let i = 1; i <= k; i++) log += Math.log((trials - k + i) / i)
    sum += Math.exp(log + k * Math.log(share) + (trials - k) * Math.log1p(-share))
  }
  return sum
}

describe('the lower bound', () => {
  // From tables of the Clopper-Pearson interval: quantiles of the beta distribution.
  it.each([
    [15, 20, 0.5444],
    [20, 20, 0.86089],
    [298, 298, 0.989997],
    [299, 299, 0.990031],
    [999, 1000, 0.995265],
    [0, 20, 0],
    [0, 0, 0],
  ])('is known for %i successes in %i', (successes, trials, bound) => {
    expect(lowerBoundOf(successes, trials, 0.95)).toBeCloseTo(bound, 4)
  })

  it('is the rate at which this many successes have a probability of 5 %', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.double({ min: 0, max: 1, noNaN: true }), (trials, share) => {
        const successes = Math.max(Math.round(trials * share), 1)
        const bound = lowerBoundOf(successes, trials, 0.95)
        expect(atLeast(successes, trials, bound)).toBeCloseTo(0.05, 6)
      }),
    )
  })
})

describe('a flawless run', () => {
  it.each([
    [0.99, 0.95, 299],
    [0.999, 0.95, 2_995],
    [0.9, 0.95, 29],
    [0.5, 0.95, 5],
    [0.99, 0.99, 459],
    [0.99, 1 - 0.05 / 14, 561],
  ])('that proves a target of %d at a confidence of %d has %i units', (target, confidence, units) => {
    expect(flawlessRun(target, confidence)).toBe(units)
  })

  it('is the shortest that proves the target', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.9999, noNaN: true }), (target) => {
        const run = flawlessRun(target, 0.95)
        expect(lowerBoundOf(run, run, 0.95)).toBeGreaterThanOrEqual(target - 1e-9)
        expect(lowerBoundOf(run - 1, run - 1, 0.95)).toBeLessThan(target)
      }),
    )
  })
})

const results = (units: number, more: Partial<Results> = {}): Results => ({
  matched: units,
  compared: units,
  units,
  mismatchedUnits: 0,
  hasDifferences: false,
  unjudgedShare: 0,
  ...{ clients: 1, inputs: units, coverage: { lines: 31, seen: 24 }, hours: 10, until: null, durations: null },
  ...more,
})

describe('the verdict', () => {
  it('is not ready when a class of difference counts', () => {
    expect(judge(results(20, { matched: 15, mismatchedUnits: 5, hasDifferences: true }), demands)).toEqual({
      verdict: 'not ready',
      target: 0.99,
      confidence: 0.95,
      matchRate: 0.75,
      lowerBound: expect.closeTo(0.5444, 4),
      needed: 279,
      missing: ['units 20 of 299'],
      against: null,
    })
    expect(judge(results(100_000, { mismatchedUnits: 1, hasDifferences: true }), demands).verdict).toBe('not ready')
  })

  it('is ready when the target is proven', () => {
    expect(judge(results(299), demands)).toMatchObject({ verdict: 'ready', matchRate: 1, needed: 0, missing: [] })
    expect(judge(results(29), { ...demands, target: 0.9 }).verdict).toBe('ready')
  })

  it('is insufficient data for writes that were never sent to both services, and only that is missing', () => {
    const missing = ['writes compared with a copy of v1, or a replay against copies of both services']
    const unseen = results(0, { isWrite: true, unjudgedShare: 0.5 })
    expect(judge(unseen, demands)).toMatchObject({ verdict: 'insufficient data', missing, needed: 299 })
    expect(judge({ ...unseen, hasDifferences: true }, demands)).toMatchObject({ verdict: 'not ready', missing })
    expect(judge(results(299, { isWrite: true }), demands)).toMatchObject({ verdict: 'insufficient data', missing })
    const sent = { ...demands, sendsWrites: true }
    expect(judge(results(298, { isWrite: true }), sent)).toMatchObject({ missing: ['units 298 of 299'] })
    expect(judge(results(299, { isWrite: true }), sent)).toMatchObject({ verdict: 'ready', missing: [] })
  })

  it('on writes that a copy of v1 got is as for reads, and names the copy, also once no more writes are sent to it', () => {
    const toCopy = { ...demands, sendsToCopy: true }
    const copied = (units: number, more: object = {}) => results(units, { isWrite: true, copied: units, ...more })
    expect(judge(copied(0), toCopy)).toMatchObject({ missing: ['units 0 of 299'], against: null })
    expect(judge(copied(298), toCopy)).toMatchObject({ missing: ['units 298 of 299'], against: 'a copy' })
    for (const by of [toCopy, demands]) {
      expect(judge(copied(299), by)).toMatchObject({ verdict: 'ready', missing: [], against: 'a copy' })
      expect(judge(copied(299, { hasDifferences: true }), by)).toMatchObject({
        verdict: 'not ready',
        against: 'a copy',
      })
    }
    expect(judge(copied(299, { unjudgedShare: 0.02 }), toCopy)).toMatchObject({ missing: ['judged 98 % of 99 %'] })
    expect(judge(results(299), toCopy)).toMatchObject({ verdict: 'ready', against: null })
  })

  it('is insufficient data before that, with the number of missing units', () => {
    expect(judge(results(298), demands)).toMatchObject({
      verdict: 'insufficient data',
      needed: 1,
      missing: ['units 298 of 299'],
    })
    expect(judge(results(0), demands)).toMatchObject({ verdict: 'insufficient data', matchRate: 0, needed: 299 })
  })

  it('is insufficient data when many exchanges make few units', () => {
    expect(judge(results(1, { matched: 268, compared: 268 }), demands).verdict).toBe('insufficient data')
  })

  it('is insufficient data when too many exchanges were not judged', () => {
    expect(judge(results(1_000, { unjudgedShare: 0.0101 }), demands)).toMatchObject({
      verdict: 'insufficient data',
      missing: ['judged 98.99 % of 99 %'],
    })
    expect(judge(results(1_000, { unjudgedShare: 0.01 }), demands).verdict).toBe('ready')
    expect(judge(results(1_000, { unjudgedShare: 0.04 }), { ...demands, unjudged: 0.05 }).verdict).toBe('ready')
  })
})

describe('a requirement', () => {
  const of = (require: Requirements, more: Partial<Results> = {}) => judge(results(500, more), { ...demands, require })

  it('keeps an operation from being ready until it is met', () => {
    expect(of({ clients: 3, inputs: 501, hours: 24 }, { hours: 23.9 })).toMatchObject({
      verdict: 'insufficient data',
      missing: ['clients 1 of 3', 'inputs 500 of 501', 'hours 23 of 24'],
    })
    expect(of({ clients: 1, inputs: 500, hours: 10 })).toMatchObject({ verdict: 'ready', missing: [] })
    expect(of({}).verdict).toBe('ready')
  })

  it('may limit how long v1 takes: a multiple of the legacy time, plus 20 ms', () => {
    const took = (control: number, candidate: number) => ({
      durations: { control: { p95: control }, candidate: { p95: candidate } },
    })
    expect(of({ slowdown: 1.5 }, took(2, 400))).toMatchObject({
      verdict: 'insufficient data',
      missing: ['p95 of v1 400 ms, legacy 2.0 ms: 200 of 1.5 times'],
    })
    expect(of({ slowdown: 1.5 }, took(100, 170)).verdict).toBe('ready')
    expect(of({ slowdown: 1.5 }, took(100, 171)).verdict).toBe('insufficient data')
    expect(of({ slowdown: 1.5 }, took(1, 21)).verdict).toBe('ready')
    expect(of({ slowdown: 1.5 }).missing).toEqual(['durations of both services'])
  })

  it('may demand a recent comparison', () => {
    const fresh = { ...demands, fresh: { since: 1_000, hours: 48 } }
    expect(judge(results(500, { until: 1_000 }), fresh).verdict).toBe('ready')
    for (const until of [999, null]) {
      expect(judge(results(500, { until }), fresh)).toMatchObject({
        verdict: 'insufficient data',
        missing: ['a comparison in the last 48 hours'],
      })
    }
  })
})
