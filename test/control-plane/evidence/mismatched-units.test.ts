import { describe, expect, it } from 'vitest'
import type { Expectations } from '../../../src/control-plane/evidence/expected/expectations.ts'
import { EVIDENCE, evidenceDelta } from '../../../src/control-plane/evidence/tally/evidence-db.ts'
import { SKETCH_SIZE } from '../../../src/control-plane/evidence/tally/sketch.ts'
import { createTally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { addDocuments, documentsAfter } from '../../../src/control-plane/store/ledger.ts'
import { sqliteEngine } from '../../../src/control-plane/store/sqlite-engine.ts'
import { expectationsFrom, lost } from './support/lines.ts'
import { criteriaOf, observe, observeEach, only, reply, type Seen } from './support/observing.ts'

const rule = (path: string) => ({ operation: '*', path, why: 'known' })
const losing = lost('gone', 'v1 has none')

const excused = { control: { a: 1, gone: 2 }, candidate: { a: 1, gone: null } }
const wrong = { control: { a: 1, gone: 2 }, candidate: { a: 9, gone: null } }

function judging(...ignore: readonly ReturnType<typeof rule>[]) {
  const withRules = (rules: typeof ignore): Expectations => expectationsFrom([losing], rules)
  let expectations = withRules(ignore)
  const tally = createTally(() => criteriaOf(new Map([['made-up', expectations]])))
  return {
    see: (seen: Seen, input: string) => tally.record(observe({ ...seen, expectations, input })),
    /** Sees many units once each. */
    seeEach(count: number, isWrong: (unit: number) => boolean) {
      const [right, other] = [excused, wrong].map((seen) => observeEach(count, { ...seen, expectations }))
      for (let unit = 0; unit < count; unit++) {
        const one = (isWrong(unit) ? other : right)?.[unit]
        if (one !== undefined) tally.record(one)
      }
    },
    rules(...rules: typeof ignore) {
      expectations = withRules(rules)
    },
    units: () => only(tally).units,
    report: () => only(tally),
    counts: () => tally.exportCounts(),
    add: (counts: ReturnType<typeof tally.exportCounts>) => tally.importCounts(JSON.parse(JSON.stringify(counts))),
  }
}

describe('a unit is mismatched only if a difference in one of its exchanges counts', () => {
  it('so one wrong answer among 20 with a declared loss is one unit, and the bound says so', () => {
    const { see, report } = judging()
    for (let unit = 0; unit < 20; unit++) see(unit === 7 ? wrong : excused, `${unit}`)
    expect(report()).toMatchObject({
      units: { distinct: 20, mismatched: 1, estimated: false },
      lowerBound: expect.closeTo(0.784, 3),
      ...{ verdict: 'not ready', matchRate: 0.95 },
    })
  })

  it('however often it was called, and with which answers', () => {
    const { see, units } = judging()
    for (let time = 0; time < 5; time++) {
      see(excused, 'one')
      see(time === 2 ? wrong : excused, 'two')
      see({ control: { a: 1 }, candidate: { a: 1 } }, 'three')
    }
    expect(units()).toMatchObject({ distinct: 3, mismatched: 1 })
  })

  it('whatever keeps the others from counting: drift, wording, the form of a number, a rule, a tolerance', () => {
    const { see, units } = judging(rule('known'), { ...rule('rate'), tolerance: 0.1 } as ReturnType<typeof rule>)
    see({ control: { a: 1 }, candidate: { a: 2 }, control2: { a: 2 }, candidate2: { a: 2 } }, 'drift')
    see({ control: '{"a":1}', candidate: '{"a":1.0}' }, 'form')
    see({ control: { known: 1 }, candidate: { known: 2 } }, 'rule')
    see({ control: { rate: 100 }, candidate: { rate: 101 } }, 'tolerance')
    see({ control: { a: 1 }, candidate: reply({}, 500) }, 'status')
    see({ control: reply({ message: 'a' }, 400), candidate: reply({ message: 'b' }, 400) }, 'wording')
    see({ control: reply({ code: 'a' }, 400), candidate: reply({ code: 'b' }, 400) }, 'a wrong error is no unit')
    see({ control: {}, candidate: { a: 1 } }, 'nor is an empty answer')
    expect(units()).toMatchObject({ distinct: 5, mismatched: 1 })
  })

  it('and is judged again when the rules change', () => {
    const { see, units, rules, report } = judging()
    for (let unit = 0; unit < 10; unit++) {
      see({ control: { a: 1, b: 1 }, candidate: { a: unit < 4 ? 2 : 1, b: unit < 2 ? 2 : 1, c: 1 } }, `${unit}`)
    }
    expect(units()).toMatchObject({ distinct: 10, mismatched: 10 })
    rules(rule('c'))
    expect(units()).toMatchObject({ distinct: 10, mismatched: 4 })
    rules(rule('c'), rule('a'))
    expect(units()).toMatchObject({ distinct: 10, mismatched: 2 })
    rules(rule('c'), rule('a'), rule('b'))
    expect(units()).toMatchObject({ distinct: 10, mismatched: 0 })
    expect(report()).toMatchObject({ matchRate: 1, unexcusedRate: 0 })
    rules()
    expect(units()).toMatchObject({ distinct: 10, mismatched: 10 })
  })

  it('also if a unit shows more than is kept of it: it stays as it was judged', () => {
    const { see, units, rules } = judging(rule('b'))
    const differing = (name: string) => ({ control: { x: 1, [name]: 1 }, candidate: { x: 1, [name]: 2 } })
    for (let at = 0; at < 20; at++) see(differing(`m${at}`), 'many')
    for (let at = 0; at < 20; at++)
      see({ ...differing('b'), control: { b: 1, n: at }, candidate: { b: 2, n: at } }, 'few')
    expect(units()).toMatchObject({ distinct: 2, mismatched: 1 })
    rules(rule('x'))
    expect(units()).toMatchObject({ distinct: 2, mismatched: 2 })
  })

  it('over replicas, restarts and any order of adding', () => {
    const [one, other] = [judging(), judging()]
    for (let unit = 0; unit < 30; unit++) {
      one.see(unit % 3 === 0 ? wrong : excused, `${unit}`)
      other.see(excused, `${unit + 15}`)
    }
    const sums = [
      [one, other],
      [other, one],
      [one, other, one],
    ].map((parts) => {
      const sum = judging()
      for (const part of parts) sum.add(part.counts())
      return sum
    })
    const [forth, back, twice] = sums.map(({ counts }) => counts()[0])
    expect(back).toEqual(forth)
    expect(twice?.shownByUnits).toEqual(forth?.shownByUnits)
    for (const { units, rules } of sums) {
      expect(units()).toEqual({ distinct: 45, mismatched: 10, estimated: false })
      rules(rule('a'))
      expect(units()).toMatchObject({ mismatched: 0 })
    }
  })

  it('in a state file, to which portions are added, and under rules that came later', async () => {
    const engine = sqliteEngine({ path: ':memory:', holder: 'gateway' })
    for (const number of [1, 2]) {
      const { see, counts } = judging()
      for (let unit = 0; unit < 10; unit++) see(unit < 2 * number ? wrong : excused, `${unit}`)
      await engine.transaction((now) => addDocuments(EVIDENCE, counts().map(evidenceDelta), now))
    }
    const { add, units, rules } = judging()
    add((await engine.transaction(() => documentsAfter(EVIDENCE, 0), 'read')).map(({ doc }) => doc))
    engine.close()
    expect(units()).toEqual({ distinct: 10, mismatched: 4, estimated: false })
    rules(rule('a'))
    expect(units()).toMatchObject({ distinct: 10, mismatched: 0 })
  })

  it('also among more units than are kept, because those that counted are kept apart', () => {
    const { seeEach, units } = judging()
    seeEach(1.5 * SKETCH_SIZE, (unit) => unit % 2_000 === 5)
    expect(units()).toMatchObject({ mismatched: 4, estimated: true })
  })

  it('within a twentieth if a rule for many units goes away', () => {
    const { seeEach, units, rules } = judging(rule('a'))
    const count = 1.5 * SKETCH_SIZE
    seeEach(count, (unit) => unit % 2 === 0)
    expect(units()).toMatchObject({ mismatched: 0 })
    rules()
    expect(units().mismatched / (count / 2)).toBeGreaterThan(0.95)
    expect(units().mismatched / (count / 2)).toBeLessThan(1.05)
  })
})
