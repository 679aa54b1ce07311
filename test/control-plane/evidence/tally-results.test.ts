import { describe, expect, it } from 'vitest'
import type { Expectations } from '../../../src/control-plane/evidence/expected/expectations.ts'
import { type Observation, skipped, unjudged } from '../../../src/control-plane/evidence/observation.ts'
import { createTally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { assumed, expectationsFrom, line, lost, mappedExpectations } from './support/lines.ts'
import { criteriaOf, demands, observe, observeEach, only, reply, tallyOf } from './support/observing.ts'

const same = { control: { a: 1 }, candidate: { a: 1 } }
const other = { control: { a: 1 }, candidate: { a: 2 } }

const reportOf = (lines: Expectations, ...observations: readonly (readonly Observation[])[]) => {
  const tally = tallyOf(lines)
  for (const one of observations.flat()) tally.record(one)
  return only(tally)
}

describe('the rate', () => {
  it('counts an exchange with only ignored differences as a match', () => {
    const lines = expectationsFrom([lost('a', 'no more')])
    const observations = observeEach(299, { ...other, expectations: lines })
    expect(reportOf(lines, observations)).toMatchObject({
      totals: { requests: 299, matched: 0, ignored: 299, mismatched: 0 },
      verdict: 'ready',
      matchRate: 1,
      needed: 0,
      differences: [{ path: 'a', ignored: 'loss: no more', requests: 299 }],
    })
  })

  it('leaves out failed and skipped exchanges', () => {
    const none = expectationsFrom([])
    const failed = observe({ control: { failure: 'timeout' }, candidate: {} })
    const report = reportOf(none, observeEach(1, same), [failed, skipped('made-up', 'a write')])
    expect(report).toMatchObject({
      totals: { requests: 3, matched: 1, ignored: 0, mismatched: 0, failed: 1, skipped: 1 },
      matchRate: 1,
      needed: 298,
      differences: [],
    })
  })

  it('does not make an operation ready while a class counts, regardless of how high it is', () => {
    const report = reportOf(expectationsFrom([]), observeEach(3_333, same), observeEach(1, other))
    expect(report).toMatchObject({ verdict: 'not ready', matchRate: expect.closeTo(0.9997, 4), needed: 0 })
  })
})

describe('an operation is not ready', () => {
  const none = expectationsFrom([])

  it('when v1 fails calls that legacy answers', () => {
    const failing = { control: { a: 1 }, candidate: { failure: 'timeout' } }
    expect(reportOf(none, observeEach(400, same), observeEach(160, failing))).toMatchObject({
      totals: { requests: 560, matched: 400, mismatched: 160, failed: 0 },
      verdict: 'not ready',
      differences: [{ kind: 'failure', path: '', requests: 160, details: { timeout: 160 }, ignored: null }],
    })
  })

  it.each([
    ['errors', reply({ message: 'no' }, 400)],
    ['calls that find nothing', reply({ message: 'no' }, 404)],
    ['empty lists', []],
    ['empty objects', {}],
    ['objects without any value', { a: null, b: [], c: { d: null } }],
  ])('by any number of equal %s', (_, answer) => {
    const report = reportOf(none, observeEach(1_000, { control: answer, candidate: answer }))
    expect(report).toMatchObject({
      totals: { matched: 1_000 },
      verdict: 'insufficient data',
      matchRate: 0,
      needed: 299,
    })
  })

  it('by any number of equal empty pages', () => {
    const lines = mappedExpectations('invoice-list')
    const page = { data: [], pagination: { count: 0, page: 1, perPage: 25, lastPage: 1 } }
    const observations = observeEach(1_000, { control: page, candidate: page, expectations: lines })
    expect(reportOf(lines, observations)).toMatchObject({ empty: 1_000, verdict: 'insufficient data' })
  })

  it('by one request, made any number of times within an hour', () => {
    const one = observe({ ...same, input: 'one', client: 'me', at: new Date(Date.UTC(2026, 10, 22, 10)) })
    const observations = Array.from({ length: 1_000 }, () => one)
    expect(reportOf(none, observations)).toMatchObject({
      verdict: 'insufficient data',
      units: { distinct: 1, mismatched: 0, estimated: false },
      missing: ['units 1 of 299'],
    })
  })

  it('if more than 1 % of the exchanges to be compared could not be judged', () => {
    const failed = observe({ control: reply({}, 503), candidate: { a: 1 } })
    const tooLarge = unjudged('made-up', 'too large')
    const enough = observeEach(1_000, same)
    expect(reportOf(none, enough, [failed, ...Array(9).fill(tooLarge)]).verdict).toBe('ready')
    expect(reportOf(none, enough, [failed, ...Array(10).fill(tooLarge)])).toMatchObject({
      verdict: 'insufficient data',
      unjudged: { 'control: 503': 1, 'too large': 10 },
      missing: ['judged 98.91 % of 99 %'],
    })
  })
})

describe('errors and empty answers', () => {
  it('are counted apart, and a difference among them counts like any other', () => {
    const none = expectationsFrom([])
    const error = reply({ message: 'no' }, 400)
    const wrong = { control: error, candidate: reply({ message: 'no' }, 404) }
    const equal = observeEach(2, { control: error, candidate: error })
    const empty = observeEach(3, { control: [], candidate: [] })
    expect(reportOf(none, observeEach(300, same), equal, empty)).toMatchObject({
      verdict: 'ready',
      totals: { matched: 305 },
      errors: { matched: 2, mismatched: 0 },
      empty: 3,
      units: { distinct: 300 },
    })
    expect(reportOf(none, observeEach(300, same), observeEach(1, wrong))).toMatchObject({
      verdict: 'not ready',
      matchRate: 1,
      errors: { matched: 0, mismatched: 1 },
    })
  })
})

describe('units and clients', () => {
  const at = (hour: number, minute: number) => new Date(Date.UTC(2026, 10, 22, hour, minute))

  it('are distinguished by client, input and hour', () => {
    const observations = [
      { client: 'a', input: 'x', at: at(10, 1) },
      { client: 'a', input: 'x', at: at(10, 59) },
      { client: 'a', input: 'x', at: at(11, 0) },
      { client: 'a', input: 'y', at: at(11, 0) },
      { client: 'b', input: 'y', at: at(11, 0) },
    ].map((one) => observe({ ...same, ...one }))
    expect(reportOf(expectationsFrom([]), observations)).toMatchObject({
      units: { distinct: 4 },
      clients: { distinct: 2, atLeast: false, largestShare: 0.8 },
      inputs: { distinct: 2 },
      since: '2026-11-22T10:01:00.000Z',
      until: '2026-11-22T11:00:00.000Z',
    })
  })

  it('a unit is mismatched when any of its exchanges is', () => {
    const one = { input: 'x', client: 'a', at: at(10, 0) }
    const observations = [
      observe({ ...same, ...one }),
      observe({ ...other, ...one }),
      observe({ ...same, ...one, input: 'y' }),
    ]
    expect(reportOf(expectationsFrom([]), observations).units).toEqual({ distinct: 2, mismatched: 1, estimated: false })
  })
})

describe('inputs', () => {
  it('are counted once each, among compared exchanges', () => {
    const tally = tallyOf()
    for (const input of ['a', 'b', 'a', 'a']) tally.record(observe({ ...same, input }))
    tally.record(observe({ control: { failure: 'timeout' }, candidate: {}, input: 'c' }))
    expect(only(tally).inputs).toEqual({ distinct: 2, atLeast: false })
  })

  it('are reported with a lower bound if there are too many to distinguish', () => {
    const tally = tallyOf()
    for (const one of observeEach(1_200, same)) tally.record(one)
    expect(only(tally).inputs).toEqual({ distinct: 1_000, atLeast: true })
  })
})

describe('operations', () => {
  it('are in the order of the mappings, with unknown ones at the end', () => {
    const expected = new Map(['price', 'auth', 'city-list'].map((id) => [id, mappedExpectations(id)]))
    const tally = createTally(() => ({
      ...criteriaOf(expected),
      demandsOf: (operation) => demands(operation === 'auth' ? 0.5 : 0.99),
    }))
    tally.record(skipped('unknown', 'no such operation', 1))
    tally.record(observe({ ...same, operation: 'auth' }))
    tally.record(observe({ ...same, operation: 'price' }))
    expect(tally.snapshot().map(({ operation, target, totals }) => [operation, target, totals.requests])).toEqual([
      ['price', 0.99, 1],
      ['auth', 0.5, 1],
      ['unknown', 0.99, 1],
    ])
  })
})

describe('an assumption', () => {
  it('is confirmed where answers show it, refuted where a difference counts, else untested', () => {
    const lines = mappedExpectations('currency-list')
    const tally = tallyOf(lines)
    const rate = (sellingRateTry: unknown, more: object = {}) => [{ id: 1, rate: { sellingRateTry, ...more } }]
    const record = (control: unknown, candidate: unknown) =>
      tally.record(observe({ control, candidate, expectations: lines }))
    record(rate(1), rate(1))
    record(rate(2), rate(2))
    record(rate(2, { buyingRateTry: 1 }), rate(2, { buyingRateTry: 1 }))
    record(rate(2, { buyingRateTry: 1 }), rate(2, { buyingRateTry: 3 }))
    expect(only(tally).assumptions).toMatchObject([
      { legacy: '[]', change: 'passed on', matched: 0, differed: 0, standing: 'untested' },
      {
        legacy: '[].rate.sellingRateTry',
        v1: 'items[].rates.sellingTry',
        matched: 4,
        differed: 0,
        standing: 'confirmed',
      },
      { legacy: '[].rate.buyingRateTry', matched: 1, differed: 1, standing: 'refuted' },
      ...Array.from({ length: only(tally).assumptions.length - 3 }, () => ({ matched: 0, standing: 'untested' })),
    ])
  })

  it('is distinct from other assumptions about the same place', () => {
    const lines = expectationsFrom([
      assumed('x', 'data.x'),
      assumed('x', 'data.x', { change: 'passed on' }),
      line('x.id', 'data.x.id'),
    ])
    const tally = tallyOf(lines)
    tally.record(observe({ control: { x: { id: 1, a: 1 } }, candidate: { x: { id: 1, a: 2 } }, expectations: lines }))
    expect(only(tally).assumptions).toMatchObject([
      { change: 'same', matched: 1, differed: 0, standing: 'confirmed' },
      { change: 'passed on', matched: 0, differed: 1, standing: 'refuted' },
    ])
  })

  it('is not refuted by a difference that a rule covers', () => {
    const rule = { operation: '*', path: '[].rate', why: 'rates move' }
    const lines = mappedExpectations('currency-list', [rule])
    const tally = tallyOf(lines)
    tally.record(
      observe({
        control: [{ rate: { sellingRateTry: 1 } }],
        candidate: [{ rate: { sellingRateTry: 2 } }],
        expectations: lines,
      }),
    )
    const line = only(tally).assumptions.find(({ legacy }) => legacy === '[].rate.sellingRateTry')
    expect(line).toMatchObject({ matched: 0, differed: 1, standing: 'untested' })
  })
})
