import { describe, expect, it } from 'vitest'
import { createTally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { expectationsFrom, line, lost } from './support/lines.ts'
import { criteriaOf, observe, only, tallyOf } from './support/observing.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
const odd = { control: { a: 1 }, candidate: { a: 2 } }

describe('a difference is shown with', () => {
  it('when it was first and last seen, and how many clients see it, over restarts', () => {
    const tally = tallyOf()
    for (const [minute, client] of [
      [5, 'one'],
      [1, 'two'],
      [9, 'one'],
    ] as const) {
      tally.record(observe({ ...odd, client, at: at(minute) }))
    }
    tally.record(observe({ control: { a: 1 }, candidate: { a: 1 }, client: 'three', at: at(30) }))
    const restarted = tallyOf()
    restarted.importCounts(tally.exportCounts())
    for (const report of [only(tally), only(restarted)]) {
      expect(report.differences).toMatchObject([
        {
          ...{ since: '2026-01-01T00:01:00.000Z', until: '2026-01-01T00:09:00.000Z' },
          clients: { distinct: 2, estimated: false },
        },
      ])
    }
  })

  it('an estimate of its clients if there are many', () => {
    const tally = tallyOf()
    for (let client = 0; client < 1_000; client++) tally.record(observe({ ...odd, client: `${client}` }))
    const [counts] = tally.exportCounts()
    expect(counts?.classes[0]?.clients).toHaveLength(32)
    const { distinct, estimated } = only(tally).differences[0]?.clients ?? { distinct: 0 }
    expect(estimated).toBe(true)
    expect(distinct).toBeGreaterThan(500)
    expect(distinct).toBeLessThan(2_000)
  })

  it('the line of the mapping that it falls under', () => {
    const lines = expectationsFrom([line('a', 'data.b', { change: 'renamed', reason: 'it says so' })])
    const tally = tallyOf(lines)
    tally.record(observe({ ...odd, expectations: lines }))
    tally.record(observe({ control: { z: 1 }, candidate: {}, expectations: lines }))
    expect(only(tally).differences.map(({ path, mapping }) => [path, mapping])).toEqual([
      ['a', { legacy: 'a', v1: 'data.b', change: 'renamed', reason: 'it says so' }],
      ['z', null],
    ])
  })

  it('the narrowest rule that excuses it, which then excuses the number of exchanges shown', () => {
    let rules: Parameters<typeof expectationsFrom>[1] = []
    const tally = createTally(() => criteriaOf(new Map([['made-up', expectationsFrom([], rules)]])))
    tally.record(observe(odd))
    tally.record(observe({ control: { a: 1, b: 1 }, candidate: { a: 2, b: null } }))
    tally.record(observe({ control: { b: 1 }, candidate: { b: null } }))
    tally.record(observe({ control: { b: 1 }, candidate: { b: 'x' } }))
    const before = only(tally)
    expect(before.differences.map(({ path, excusing }) => [path, excusing])).toEqual([
      [
        'b',
        {
          rules: ['number → null', 'number → string'].map((details) => ({
            ...{ operation: 'made-up', path: 'b', kind: 'type', details, why: '' },
          })),
          requests: 2,
        },
      ],
      ['a', { rules: [], requests: 0, without: [expect.stringContaining('every other wrong value')] }],
    ])
    for (const { excusing } of before.differences) {
      rules = (excusing?.rules ?? []).map((rule) => ({ ...rule, why: 'known' }))
      expect(before.totals.mismatched - only(tally).totals.mismatched).toBe(excusing?.requests)
    }
    rules = (before.differences[0]?.excusing?.rules ?? []).map((rule) => ({ ...rule, why: 'known' }))
    expect(only(tally).differences.at(-1)?.excusing).toBe(null)
  })
})

it('the match rate is shown with and without the differences that rules and losses excuse', () => {
  const rule = { operation: '*', path: 'a', why: 'known' }
  const lines = expectationsFrom([lost('gone', 'no more')], [rule])
  const tally = tallyOf(lines)
  const seen = [
    { control: { a: 1 }, candidate: { a: 1 } },
    { control: '{"b":1}', candidate: '{"b":1.0}' },
    { control: { b: 1 }, candidate: { b: 3 }, control2: { b: 3 }, candidate2: { b: 3 } },
    odd,
    { control: { gone: 1, b: 2 }, candidate: { gone: null, b: 2 } },
    { control: { c: 1 }, candidate: { c: 2 } },
    { control: {}, candidate: {} },
  ]
  for (const one of seen) tally.record(observe({ ...one, expectations: lines }))
  expect(only(tally)).toMatchObject({ matchRate: 5 / 6, unexcusedRate: 3 / 6, empty: 1 })
})
