import { describe, expect, it } from 'vitest'
import type { IgnoreRule } from '../../../src/control-plane/evidence/expected/ignore-rule.ts'
import { ruleUses } from '../../../src/control-plane/evidence/expected/rule-use.ts'
import { expectationsFrom } from './support/lines.ts'
import { observe, tallyOf } from './support/observing.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 0, 1)
const rule = (more: Partial<IgnoreRule> = {}): IgnoreRule => ({
  operation: 'made-up',
  path: 'a',
  why: 'known',
  ...more,
})

/** The uses of rules, this many days after the gateway and the rules began. */
function using(...rules: readonly IgnoreRule[]) {
  let day = 0
  const uses = ruleUses(() => START + day * DAY_MS)
  const expectations = expectationsFrom([], rules, 'made-up', () => START + day * DAY_MS)
  const tally = tallyOf(expectations)
  const now = () => new Date(START + day * DAY_MS)
  return {
    onDay: (days: number) => {
      day = days
      return uses(rules, new Date(START).toISOString(), tally.snapshot())
    },
    see: (days: number, control: object, candidate: object, client?: string) => {
      day = days
      const rolloutClient = client === undefined ? {} : { rolloutClient: client }
      tally.record(observe({ control, candidate, at: now(), expectations, ...rolloutClient }))
    },
  }
}

describe('a rule', () => {
  it('is stale when it has excused nothing for 30 days', () => {
    const { onDay, see } = using(rule())
    see(3, { a: 1 }, { a: 2 })
    expect(onDay(33)).toEqual([{ ...rule(), holds: true, lastExcused: '2026-01-04T00:00:00.000Z', stale: false }])
    expect(onDay(34)).toMatchObject([{ stale: true }])
    see(34, { a: 1 }, { a: 2 })
    expect(onDay(34)).toMatchObject([{ lastExcused: '2026-02-04T00:00:00.000Z', stale: false }])
  })

  it('that never excused anything has 30 days from when it was added, or from when new versions answer', () => {
    const { onDay, see } = using(rule())
    expect(onDay(30)).toMatchObject([{ lastExcused: null, stale: false }])
    expect(onDay(31)).toMatchObject([{ lastExcused: null, stale: true }])
    see(31, { a: 1 }, { a: 1 })
    expect(onDay(60)).toMatchObject([{ stale: false }])
    expect(onDay(62)).toMatchObject([{ stale: true }])
  })

  it('whose last day is over no longer holds, and is not stale', () => {
    const { onDay } = using(rule({ until: '2026-01-31' }))
    expect(onDay(30)).toMatchObject([{ holds: true }])
    expect(onDay(31)).toMatchObject([{ holds: false, stale: false }])
  })

  it('is also used if it excuses while answers are compared', () => {
    const { onDay, see } = using(rule({ tolerance: 0.1 }), rule({ client: 'shop', path: 'b', why: 'theirs' }))
    see(1, { a: 100 }, { a: 101 })
    see(2, { b: 100 }, { b: 101 }, 'shop')
    expect(onDay(3).map(({ lastExcused }) => lastExcused)).toEqual([
      '2026-01-02T00:00:00.000Z',
      '2026-01-03T00:00:00.000Z',
    ])
  })

  it('is not used by what another rule excuses for the same reason', () => {
    const { onDay, see } = using(rule({ path: 'a' }), rule({ path: 'b' }), rule({ kind: 'type' }))
    see(1, { a: 1 }, { a: 2 })
    expect(onDay(2).map(({ lastExcused }) => lastExcused !== null)).toEqual([true, false, false])
  })

  it('of all operations is used by each of them, and by what lies beneath its path, but one of another operation is not', () => {
    const { onDay, see } = using(
      rule({ operation: 'other', path: 'a' }),
      rule({ operation: '*', path: 'a' }),
      rule({ path: 'a.b', kind: 'changed' }),
      rule({ path: 'a', why: 'something else' }),
    )
    see(1, { a: { b: [1] } }, { a: { b: [2] } })
    see(2, { a: { c: 1 } }, { a: { c: 2 } })
    expect(onDay(2).map(({ lastExcused }) => lastExcused)).toEqual([
      null,
      '2026-01-03T00:00:00.000Z',
      '2026-01-02T00:00:00.000Z',
      null,
    ])
  })
})

it('each difference is looked at a few times, not once for each rule', () => {
  const rules = Array.from({ length: 1_000 }, (_, n) => rule({ path: `member${n}` }))
  let looks = 0
  const difference = {
    ...{ kind: 'changed' as const, path: 'member7', until: new Date(START).toISOString() },
    get ignored() {
      looks++
      return 'rule: known'
    },
  }
  const report = { operation: 'made-up', since: null, differences: [difference] }
  const used = ruleUses(() => START)(rules, null, [report])
  expect(used.flatMap(({ path, lastExcused }) => (lastExcused === null ? [] : [path]))).toEqual(['member7'])
  expect(looks).toBeLessThan(10)
})
