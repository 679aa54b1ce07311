import { describe, expect, it } from 'vitest'
import { operationCounts } from '../../../src/control-plane/evidence/tally/operation-counts.ts'
import { createTally, type Tally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { assumed, expectationsFrom, lost } from './support/lines.ts'
import { criteriaOf, observe, only, reply, tallyOf } from './support/observing.ts'

const lines = expectationsFrom([lost('gone', 'no more'), assumed('a', 'data.a')])

/** Stores and reads counts again. */
const stored = (tally: Tally) =>
  (JSON.parse(JSON.stringify(tally.exportCounts())) as unknown[]).map((counts) => operationCounts.parse(counts))

describe('a tally', () => {
  it('exports counts that later exchanges do not change', () => {
    const tally = tallyOf(lines)
    tally.record(
      observe({ control: { a: 1 }, control2: { a: 3 }, candidate: { a: null }, line: 1, expectations: lines }),
    )
    const before = tally.exportCounts()
    const copy = structuredClone(before)
    tally.record(
      observe({ control: { a: 1 }, control2: { a: 3 }, candidate: { a: null }, line: 2, expectations: lines }),
    )
    expect(before).toEqual(copy)
    const other = tallyOf(lines)
    other.importCounts(before)
    other.record(
      observe({ control: { a: 1 }, control2: { a: 3 }, candidate: { a: null }, line: 2, expectations: lines }),
    )
    expect(before).toEqual(copy)
    expect(other.snapshot()).toEqual(tally.snapshot())
  })

  it('holds no values of bodies, and neither do its reports', () => {
    const tally = tallyOf(lines)
    const secret = (text: string) => ({
      a: `secret-${text}`,
      b: [{ id: `secret-${text}` }],
      c: 4711,
      gone: `secret ${text}`,
    })
    tally.record(
      observe({
        control: secret('x'),
        control2: secret('y'),
        candidate: secret('z'),
        input: 'secret',
        expectations: lines,
      }),
    )
    tally.record(observe({ control: secret('x'), candidate: { a: 4711, c: 'secret' }, expectations: lines }))
    tally.record(observe({ control: reply('secret', 404), candidate: reply('4711', 404), expectations: lines }))
    const text = JSON.stringify([tally.exportCounts(), tally.snapshot()])
    expect(text).toContain('string → number')
    expect(text).not.toMatch(/secret|4711/)
  })

  it('reads counts from before they recorded what was ignored', () => {
    const tally = tallyOf(lines)
    tally.record(observe({ control: { gone: 1 }, candidate: {}, expectations: lines }))
    tally.record(observe({ control: { a: 1, gone: 1 }, candidate: { a: 2 }, expectations: lines }))
    const before = tally.exportCounts().map(({ classes, patterns, ...counts }) => ({
      ...counts,
      classes: classes.map(({ counting: _, ...one }) => one),
      patterns: patterns.map(({ id: _, ignored: __, ...pattern }) => pattern),
    }))
    const restarted = tallyOf(lines)
    restarted.importCounts(before.map((counts) => operationCounts.parse(counts)))
    expect(restarted.snapshot()).toEqual(tally.snapshot())
    expect(only(restarted)).toMatchObject({ totals: { ignored: 1, mismatched: 1 } })
  })

  it('refuses stored counts that are malformed', () => {
    const [counts] = stored(tallyOfOne())
    expect(operationCounts.safeParse({ ...counts, failed: -1 }).success).toBe(false)
    expect(operationCounts.safeParse({ ...counts, classes: [{ kind: 'other' }] }).success).toBe(false)
    expect(operationCounts.safeParse({}).success).toBe(false)
  })
})

function tallyOfOne(): Tally {
  const tally = tallyOf()
  tally.record(observe({ control: { a: 1 }, candidate: { a: 2 } }))
  return tally
}

describe('earlier results are judged again', () => {
  it('when the rules or the target change', () => {
    const rule = { operation: 'made-up', path: 'a', why: 'moves' }
    let [rules, target] = [[rule].slice(1), 0.99]
    const tally = createTally(() => criteriaOf(new Map([['made-up', expectationsFrom([], rules)]]), target))
    for (let at = 0; at < 30; at++) {
      tally.record(observe({ control: { a: 1 }, candidate: { a: at % 2 }, input: `${at}` }))
    }
    expect(only(tally)).toMatchObject({ totals: { matched: 15, mismatched: 15 }, verdict: 'not ready' })
    rules = [rule]
    expect(only(tally)).toMatchObject({
      totals: { matched: 15, ignored: 15, mismatched: 0 },
      verdict: 'insufficient data',
      differences: [{ path: 'a', ignored: 'rule: moves', requests: 15 }],
    })
    target = 0.9
    expect(only(tally)).toMatchObject({ verdict: 'ready', target: 0.9, needed: 0 })
    rules = []
    expect(only(tally)).toMatchObject({ totals: { mismatched: 15 }, verdict: 'not ready' })
  })
})

describe('answers of all sorts', () => {
  it('do not make the tally grow without bound: beyond it, each is judged for good when it comes', () => {
    const tally = tallyOf(lines)
    for (let at = 0; at < 700; at++) {
      tally.record(observe({ control: { [`m${at}`]: 1 }, candidate: {}, expectations: lines }))
    }
    expect(only(tally).differences).toHaveLength(500)
    tally.record(observe({ control: { gone: 1 }, candidate: { gone: null }, expectations: lines }))
    expect(only(tally)).toMatchObject({ totals: { requests: 701, mismatched: 700, ignored: 1 }, verdict: 'not ready' })
    const counts = stored(tally)
    expect(counts).toMatchObject([{ judged: { content: { mismatched: 200, ignored: 1 } }, unlisted: 200 }])
    const restarted = tallyOf(lines)
    restarted.importCounts(counts)
    expect(restarted.snapshot()).toEqual(tally.snapshot())
  })

  it('hide no status, regardless of how many places differ', () => {
    const tally = tallyOf()
    const record = (from: number) => {
      for (let at = from; at < from + 520; at++) tally.record(observe({ control: { [`m${at}`]: 1 }, candidate: {} }))
    }
    record(0)
    tally.record(observe({ control: reply({}, 200), candidate: reply({}, 500) }))
    record(600)
    const { differences, totals } = only(tally)
    expect(differences).toHaveLength(500)
    expect(differences).toContainEqual(expect.objectContaining({ kind: 'failure', requests: 1 }))
    expect(totals).toMatchObject({ requests: 1_041, mismatched: 1_041 })
  })

  it('make an operation not ready beyond the bound, even if rules cover all within it', () => {
    const rules = [{ operation: '*', path: 'm', why: 'known' }]
    let current = expectationsFrom([], [])
    const tally = createTally(() => criteriaOf(new Map([['made-up', current]]), 0.5))
    const control = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`m${at}`, at]))
    tally.record(observe({ control: { m: control }, candidate: { m: {} } }))
    current = expectationsFrom([], rules)
    expect(only(tally).differences.every(({ ignored }) => ignored === 'rule: known')).toBe(true)
    for (let at = 0; at < 99; at++) tally.record(observe({ control: [1], candidate: [1], input: `${at}` }))
    expect(only(tally).verdict).toBe('ready')
    tally.record(observe({ control: { x: 1 }, candidate: {} }))
    expect(only(tally)).toMatchObject({ verdict: 'not ready', totals: { mismatched: 1 } })
  })

  it('are counted correctly in any combination', () => {
    const tally = tallyOf(lines)
    const count = 700
    for (let at = 0; at < count; at++) {
      const bits = Array.from({ length: 11 }, (_, bit) => [`b${bit}`, (at >> bit) & 1] as const)
      tally.record(
        observe({
          control: Object.fromEntries(bits.map(([name]) => [name, 0])),
          candidate: Object.fromEntries(bits),
          expectations: lines,
        }),
      )
    }
    expect(only(tally)).toMatchObject({
      totals: { requests: count, matched: 1, mismatched: count - 1 },
      verdict: 'not ready',
    })
    const [counts] = tally.exportCounts()
    expect(counts?.patterns.length).toBe(500)
    // Every class is listed, so once rules cover them none stands in the way.
    expect(counts?.unlisted).toBe(0)
    expect(only(tally).differences.find(({ path }) => path === 'b0')?.requests).toBe(count / 2)
  })

  it('keep no more line numbers than reports show', () => {
    const tally = tallyOf()
    for (let line = 1; line < 99; line++) tally.record(observe({ control: [1], candidate: [2], line }))
    expect(tally.exportCounts()[0]?.classes[0]?.lines).toHaveLength(20)
  })

  it('keep a bounded number of details', () => {
    const tally = tallyOf()
    for (let at = 0; at < 60; at++) tally.record(observe({ control: Array(at + 1).fill(0), candidate: [] }))
    tally.record(observe({ control: [1], candidate: [] }))
    const details = only(tally).differences[0]?.details ?? {}
    expect(Object.keys(details)).toHaveLength(51)
    expect(details).toMatchObject({ '1 → 0': 2, '50 → 0': 1, other: 10 })
  })
})
