import { describe, expect, it } from 'vitest'
import { skipped } from '../../src/compare/observe-exchange.ts'
import { createTally } from '../../src/compare/tally/tally.ts'
import { assumed, expectationsFrom, line, lost, mappedExpectations } from './support/lines.ts'
import { observe, only, reply, tallyOf } from './support/observing.ts'

const same = { control: { a: 1 }, candidate: { a: 1 } }
const other = { control: { a: 1 }, candidate: { a: 2 } }

describe('the rate', () => {
  it('counts an exchange with only ignored differences as a match', () => {
    const tally = tallyOf(expectationsFrom([lost('a', 'no more')]))
    for (let at = 0; at < 268; at++) tally.record(observe(at % 2 === 0 ? same : other))
    expect(only(tally)).toMatchObject({
      totals: { requests: 268, matched: 134, ignored: 134, mismatched: 0 },
      verdict: 'ready',
      matchRate: 1,
      needed: 0,
      differences: [{ path: 'a', ignored: 'loss: no more', requests: 134 }],
    })
  })

  it('leaves out what failed or was skipped', () => {
    const tally = tallyOf()
    tally.record(observe(same))
    tally.record(observe({ control: { failure: 'timeout' }, candidate: {} }))
    tally.record(observe({ control: {}, candidate: reply({}, 401) }))
    tally.record(skipped('made-up', 'a write'))
    expect(only(tally)).toMatchObject({
      totals: { requests: 4, matched: 1, ignored: 0, mismatched: 0, failed: 2, skipped: 1 },
      matchRate: 1,
      needed: 267,
      differences: [],
    })
  })

  it('is not enough where a class counts, however high it is', () => {
    const tally = tallyOf(expectationsFrom([]), 0.9)
    for (let at = 0; at < 999; at++) tally.record(observe(same))
    expect(only(tally).verdict).toBe('ready')
    tally.record(observe(other))
    expect(only(tally)).toMatchObject({ verdict: 'not ready', matchRate: 0.999, needed: 0 })
  })
})

describe('inputs', () => {
  it('are counted once each, of what was compared', () => {
    const tally = tallyOf()
    for (const input of ['a', 'b', 'a', 'a']) tally.record(observe({ ...same, input }))
    tally.record(observe({ control: { failure: 'timeout' }, candidate: {}, input: 'c' }))
    expect(only(tally).inputs).toEqual({ distinct: 2, atLeast: false })
  })

  it('are at least so many when there are too many to be told apart', () => {
    const tally = tallyOf()
    for (let at = 0; at < 1_200; at++) tally.record(observe({ ...same, input: `request ${at}` }))
    expect(only(tally).inputs).toEqual({ distinct: 1_000, atLeast: true })
  })
})

describe('operations', () => {
  it('are in the order in which they are known, those that are not at the end', () => {
    const tally = createTally(() => ({
      expectations: new Map(['price', 'auth', 'city-list'].map((id) => [id, mappedExpectations(id)])),
      targetOf: (operation) => (operation === 'auth' ? 0.5 : 0.99),
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

describe('what is assumed', () => {
  it('is confirmed where it was seen to be so, refuted where a difference counts, else untested', () => {
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

  it('is told apart from what is assumed of the same place otherwise', () => {
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

  it('is not refuted by a difference that a rule explains', () => {
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
