import { describe, expect, it } from 'vitest'
import { type Expectations, expectationsOf } from '../../../src/control-plane/evidence/expected/expectations.ts'
import type { IgnoreRule } from '../../../src/control-plane/evidence/expected/ignore-rule.ts'
import { createTally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { explain } from '../../../src/guide/lines/explain.ts'
import { get, operation, wholeList } from '../../../src/mapping/operation.ts'
import { query, queryParameters } from '../../../src/mapping/request.ts'
import { shape } from '../../../src/mapping/shape.ts'
import { criteriaOf, observe, only, reply } from './support/observing.ts'

const mapping = operation('made-up', {
  says: 'A list.',
  legacy: get('/all'),
  v1: get('/api/v1/all'),
  request: queryParameters({ search: query(), code: query(), page: query() }),
  response: wholeList(shape('Row', {}), { page: 'page', perPage: 'perPage', mostPerPage: 200 }),
  effect: 'read',
  authorization: 'none',
})

interface Call {
  readonly query?: string
  readonly control: unknown
  readonly candidate: unknown
}

/** Judges calls with rules that may change later. */
function judging() {
  let rules: readonly IgnoreRule[] = []
  let expectations: Expectations = expectationsOf(mapping, explain(mapping), rules)
  const tally = createTally(() => criteriaOf(new Map([['made-up', expectations]])))
  return {
    report: () => only(tally),
    counts: () => tally.exportCounts(),
    add: (counts: ReturnType<typeof tally.exportCounts>) => tally.importCounts(JSON.parse(JSON.stringify(counts))),
    see({ query: sent = '', ...sides }: Call): string {
      const request = { query: sent, headers: {}, body: new Uint8Array() }
      const found = observe({ ...sides, expectations, request, input: JSON.stringify([sent, sides]) })
      tally.record(found)
      return found.outcome
    },
    follow(offered: readonly IgnoreRule[]): void {
      rules = [...rules, ...offered.map((rule) => ({ ...rule, why: 'known' }))]
      expectations = expectationsOf(mapping, explain(mapping), rules)
    },
    offered: () => only(tally).differences.flatMap(({ excusing }) => excusing?.rules ?? []),
    whyNone: () => only(tally).differences.flatMap(({ excusing }) => excusing?.without ?? []),
  }
}

const rows = (...ids: readonly number[]) => ids.map((id) => ({ id, name: `n${id}` }))
const of = (value: unknown) => [{ id: 1, value }]

/** A difference for which an exact rule exists, and faults that it must never hide. */
const EXACT: readonly (readonly [string, Call, readonly Call[]])[] = [
  [
    'another status',
    { query: 'search=x', control: rows(1), candidate: reply({}, 404) },
    [
      { query: 'search=x', control: rows(1), candidate: reply({}, 400) },
      { query: 'search=x', control: reply({}, 404), candidate: rows(1) },
      { control: rows(1), candidate: reply({}, 404) },
      { query: 'search=', control: rows(1), candidate: reply({}, 404) },
      { query: 'search=x', control: rows(1), candidate: { failure: 'timeout' } },
    ],
  ],
  [
    'no answer of v1',
    { query: 'search=x', control: rows(1), candidate: { failure: 'timeout' } },
    [
      { query: 'search=x', control: rows(1), candidate: { failure: 'unreachable' } },
      { query: 'code=x', control: rows(1), candidate: { failure: 'timeout' } },
    ],
  ],
  [
    'another type',
    { control: of('a'), candidate: of(null) },
    [
      { control: of('a'), candidate: of(1) },
      { control: of(null), candidate: of('a') },
      { control: of({ deep: 'a' }), candidate: of({ deep: null }) },
      { control: of('a'), candidate: of('b') },
      { control: of('a'), candidate: [{ id: 1 }] },
    ],
  ],
  [
    'a longer list',
    { query: 'search=x', control: [], candidate: rows(1) },
    [
      { query: 'search=x', control: rows(1), candidate: [] },
      { query: 'search=x', control: rows(1, 2), candidate: rows(1) },
      { query: 'search=x', control: [], candidate: rows(1, 2) },
      { query: '', control: [], candidate: rows(1) },
      { query: 'search=x', control: [{ id: 1, inner: [] }], candidate: [{ id: 1, inner: [1] }] },
    ],
  ],
  [
    'a longer list that keeps what it had',
    { query: 'search=x', control: rows(1, 2), candidate: rows(1, 2, 3) },
    [
      { query: 'search=x', control: rows(1, 2), candidate: rows(1, 3, 4) },
      { query: 'search=x', control: rows(1, 2), candidate: rows(2, 1, 3) },
      { query: 'search=x', control: rows(1, 2, 3), candidate: rows(1, 2) },
      { query: 'search=x', control: ['a', 'b'], candidate: ['a', 'c', 'd'] },
      { query: 'search=x', control: rows(1, 2), candidate: [...rows(1, 3), { id: 2, name: 'other' }] },
    ],
  ],
  [
    'another header',
    { control: typed('application/json'), candidate: typed('text/plain') },
    [
      { control: typed('application/json'), candidate: typed('text/html') },
      { control: typed('text/plain'), candidate: typed('application/json') },
    ],
  ],
]

function typed(type: string) {
  return { ...reply(rows(1)), headers: { 'content-type': type } }
}

describe('the rule that is offered for', () => {
  it.each(EXACT)('%s excuses what was seen, before and after, and no other fault', (_, seen, faults) => {
    const { see, report, follow, offered, whyNone } = judging()
    // Other calls of the operation, which agree.
    for (const query of ['', 'code=x', 'search=x']) see({ query, control: rows(9), candidate: rows(9) })
    expect(see(seen)).toBe('mismatched')
    const rules = offered()
    expect(rules).toHaveLength(1)
    expect(whyNone()).toEqual([])
    follow(rules)
    expect(report().totals).toMatchObject({ mismatched: 0, ignored: 1 })
    expect(see(seen)).toBe('ignored')
    for (const [at, fault] of faults.entries()) {
      expect(see(fault), JSON.stringify(fault)).toBe('mismatched')
      expect(report().totals).toMatchObject({ mismatched: at + 1, ignored: 2 })
    }
  })

  it('calls with a search names that member, and those that only other calls send', () => {
    const { see, offered } = judging()
    see({ query: 'code=x', control: rows(1), candidate: rows(1) })
    see({ query: 'search=x', control: [], candidate: rows(1) })
    see({ query: 'search=y&page=2', control: [], candidate: rows(1) })
    expect(offered()).toEqual([
      {
        ...{ operation: 'made-up', path: '', kind: 'length', details: '0 → 1' },
        ...{ when: { search: true, code: false }, why: '' },
      },
    ])
  })

  it('all sorts of calls names no member', () => {
    const { see, offered } = judging()
    for (const query of ['', 'search=x', 'code=x&page=1']) see({ query, control: of('a'), candidate: of(null) })
    expect(offered()).toEqual([
      { operation: 'made-up', path: '[].value', kind: 'type', details: 'string → null', why: '' },
    ])
  })

  it('some changes of a place says why others have none, and counts only calls that it excuses', () => {
    const { see, report } = judging()
    see({ control: [], candidate: rows(1) })
    see({ control: rows(1), candidate: [] })
    expect(report().differences).toMatchObject([
      {
        ...{ kind: 'length', requests: 2 },
        excusing: {
          rules: [{ details: '0 → 1' }],
          requests: 1,
          without: [expect.stringContaining('every other loss')],
        },
      },
    ])
  })
})

describe('no rule is offered, and it says why, for', () => {
  it.each([
    ['a wrong value', of('a'), of('b'), 'every other wrong value'],
    ['a lost row', rows(1, 2), rows(1), 'every other loss'],
    ['a row in place of another', rows(1), [{ id: 2, other: true }], 'every other row that v1 loses'],
    ['another order', rows(1, 2), rows(2, 1), 'every other wrong order'],
    ['a lost member', of('a'), [{ id: 1 }], 'whatever value legacy has'],
    ['a further member', [{ id: 1 }], of('a'), 'whatever value v1 adds'],
    ['a longer list that lost a row', rows(1, 2), rows(1, 3, 4), 'every other loss'],
    ['a longer list of other values', ['a'], ['b', 'c'], 'every other loss'],
  ])('%s', (_, control, candidate, why) => {
    const { see, report, offered, whyNone } = judging()
    expect(see({ query: 'search=x', control, candidate })).toBe('mismatched')
    expect(offered()).toEqual([])
    expect(whyNone().join(' ')).toContain(why)
    expect(report().differences.every(({ excusing }) => excusing?.requests === 0)).toBe(true)
  })
})

describe('a rule with a condition on the request', () => {
  const rule = (more: object): IgnoreRule => ({ operation: '*', path: '', kind: 'length', why: 'known', ...more })
  const longer = { control: [], candidate: rows(1) }

  it('holds for the calls that send the member, and is shown apart from those that do not', () => {
    const { see, report, follow } = judging()
    for (const query of ['search=x', 'search=y&code=z', 'code=z', 'search=', '']) see({ query, ...longer })
    follow([rule({ when: { search: true } })])
    expect(report().totals).toMatchObject({ ignored: 2, mismatched: 3 })
    expect(report().differences).toMatchObject([
      { ignored: null, requests: 3 },
      { ignored: 'rule: known', requests: 2 },
    ])
    follow([rule({ when: { search: false, code: false } })])
    expect(report().totals).toMatchObject({ ignored: 4, mismatched: 1 })
  })

  it('judges stored results again, and in any order of adding', () => {
    const [one, other, sum] = [judging(), judging(), judging()]
    one.see({ query: 'search=x', ...longer })
    other.see({ query: 'code=x', ...longer })
    other.see({ query: 'search=z', ...longer })
    for (const from of [other, one]) sum.add(from.counts())
    sum.follow([rule({ when: { search: true } })])
    expect(sum.report().totals).toMatchObject({ ignored: 2, mismatched: 1 })
  })

  it('also narrows rules that need the values', () => {
    const { see, follow } = judging()
    follow([{ operation: '*', path: '[].value', tolerance: 0.1, when: { search: true }, why: 'rounded' }])
    expect(see({ query: 'search=x', control: of(100), candidate: of(101) })).toBe('ignored')
    expect(see({ query: 'code=x', control: of(100), candidate: of(101) })).toBe('mismatched')
  })
})
