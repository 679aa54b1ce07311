import { describe, expect, it } from 'vitest'
import type { IgnoreRule } from '../../../src/control-plane/evidence/expected/ignore-rule.ts'
import { createTally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { RolloutError } from '../../../src/control-plane/rollout/rollout.ts'
import { parseAbout } from '../../support/rollout-setting.ts'
import { expectationsFrom, lost } from './support/lines.ts'
import { criteriaOf, observe, only, reply } from './support/observing.ts'

type Rule = Partial<IgnoreRule>
const full = (rule: Rule): IgnoreRule => ({ operation: 'made-up', path: '', why: 'known', ...rule })

/** A tally of one operation, with rules and a clock that can be changed. */
function judging(...first: readonly Rule[]) {
  let rules = first.map(full)
  let now = Date.UTC(2026, 0, 1)
  const expectations = () => expectationsFrom([], rules, 'made-up', () => now)
  const tally = createTally(() => criteriaOf(new Map([['made-up', expectations()]])))
  return {
    see: (seen: Omit<Parameters<typeof observe>[0], 'expectations'>) => {
      tally.record(observe({ ...seen, expectations: expectations() }))
    },
    /** The differences as `kind path: reason`, those that count first. */
    found: () => only(tally).differences.map(({ kind, path, ignored }) => `${kind} ${path}: ${ignored}`),
    report: () => only(tally),
    rules: (...others: readonly Rule[]) => {
      rules = others.map(full)
    },
    at: (day: string) => {
      now = Date.parse(day)
    },
  }
}

describe('a rule with details', () => {
  it('excuses this change and no other, also in earlier results', () => {
    const { see, report, rules } = judging()
    see({ control: reply('', 404), candidate: reply('', 400) })
    see({ control: { a: 1 }, candidate: reply('', 400) })
    expect(report()).toMatchObject({ totals: { mismatched: 2 }, differences: [{ requests: 2 }] })
    rules({ kind: 'status', details: '404 → 400' })
    expect(report()).toMatchObject({
      totals: { mismatched: 1, ignored: 1 },
      verdict: 'not ready',
      differences: [
        { kind: 'status', requests: 1, ignored: null, details: { '200 → 400': 1 } },
        { kind: 'status', requests: 1, ignored: 'rule: known', details: { '404 → 400': 1 } },
      ],
    })
  })

  it('may name the kind of a failure, a header or a type', () => {
    const { see, found } = judging(
      { kind: 'failure', details: 'timeout' },
      { kind: 'header', path: 'set-cookie', details: 'a → none' },
      { kind: 'type', path: 'a', details: 'number → null' },
    )
    const cookie = (name: string) => ({ ...reply({}), headers: { 'set-cookie': name } })
    see({ control: {}, candidate: { failure: 'timeout' } })
    see({ control: cookie('a'), candidate: {} })
    see({ control: { a: 1 }, candidate: { a: null } })
    expect(found().every((one) => one.endsWith('rule: known'))).toBe(true)
    see({ control: {}, candidate: { failure: 'unreachable' } })
    see({ control: cookie('b'), candidate: {} })
    see({ control: { a: 1 }, candidate: { a: 'x' } })
    expect(found().filter((one) => one.endsWith('null'))).toEqual([
      'failure : null',
      'type a: null',
      'header set-cookie: null',
    ])
  })
})

it('a rule holds until the end of its last day, UTC, and then no longer', () => {
  const { see, found, at } = judging({ path: 'a', until: '2027-01-31' })
  see({ control: { a: 1 }, candidate: { a: 2 } })
  at('2027-01-31T23:59:59.999Z')
  expect(found()).toEqual(['changed a: rule: known'])
  at('2027-02-01T00:00:00.000Z')
  expect(found()).toEqual(['changed a: null'])
})

it('of two rules for one place, the one that holds longer takes over', () => {
  const { see, found, at } = judging(
    { path: 'a', until: '2027-01-31', why: 'first' },
    { path: 'a', until: '2027-02-28', why: 'second' },
  )
  see({ control: { a: 1 }, candidate: { a: 2 } })
  expect(found()).toEqual(['changed a: rule: first'])
  at('2027-02-01')
  expect(found()).toEqual(['changed a: rule: second'])
  at('2027-03-01')
  expect(found()).toEqual(['changed a: null'])
})

describe('a rule with a tolerance', () => {
  it.each([
    ['100', '101', true],
    ['100', '99', true],
    ['100', '101.01', false],
    ['-2.50', '-2.475', true],
    ['12345678901234567890', '12345678901234567000', true],
    ['0', '0.0001', false],
    ['1', '"1"', false],
    ['1', 'null', false],
    ['"a"', '"b"', false],
    ['1e400', '2e400', false],
  ])('of 1 %%, for %s and %s, excuses: %s', (control, candidate, isExcused) => {
    const { see, report } = judging({ path: 'a', tolerance: 0.01 })
    see({ control: `{"a":[{"b":${control}}]}`, candidate: `{"a":[{"b":${candidate}}]}` })
    expect(report().totals).toMatchObject(isExcused ? { ignored: 1 } : { mismatched: 1 })
  })

  it('does not excuse an exchange in which one number differs by more', () => {
    const { see, report } = judging({ path: '[].a', tolerance: 0.1 })
    see({ control: [{ a: 100 }, { a: 100 }], candidate: [{ a: 101 }, { a: 200 }] })
    expect(report()).toMatchObject({ totals: { mismatched: 1 }, differences: [{ count: 2, ignored: null }] })
  })

  it('is shown apart from differences at the same place that it does not excuse', () => {
    const { see, found, report } = judging({ path: 'a', tolerance: 0.1 })
    see({ control: { a: 100 }, candidate: { a: 101 } })
    see({ control: { a: 100 }, candidate: { a: 200 } })
    expect(found()).toEqual(['changed a: null', 'changed a: rule: known'])
    expect(report().totals).toMatchObject({ ignored: 1, mismatched: 1 })
  })

  it('acts when answers are compared: earlier results stay, and so does what it excused', () => {
    const { see, report, rules } = judging()
    const near = { control: { a: 100 }, candidate: { a: 101 } }
    see(near)
    rules({ path: 'a', tolerance: 0.1 })
    expect(report().totals).toMatchObject({ mismatched: 1 })
    see(near)
    rules()
    expect(report().totals).toMatchObject({ mismatched: 1, ignored: 1 })
  })
})

describe('a rule for a client', () => {
  const odd = { control: { a: 1 }, candidate: { a: 2 } }

  it('excuses only the calls of this client', () => {
    const { see, report } = judging({ path: 'a', client: 'shop' })
    see({ ...odd, rolloutClient: 'shop' })
    see({ ...odd, rolloutClient: 'other' })
    see(odd)
    expect(report().totals).toMatchObject({ ignored: 1, mismatched: 2 })
  })

  it('excuses a status or a failure when it names its kind, and only then', () => {
    const { see, report, rules } = judging({ path: 'x', client: 'shop' }, { kind: 'failure', client: 'shop' })
    const failed = { control: {}, candidate: { failure: 'timeout' }, rolloutClient: 'shop' }
    see(failed)
    expect(report().totals).toMatchObject({ ignored: 1 })
    rules({ kind: 'status', client: 'shop', details: '200 → 404' })
    see({ ...failed, candidate: reply('', 404) })
    see({ ...failed, candidate: reply('', 400) })
    see(failed)
    expect(report().totals).toMatchObject({ ignored: 2, mismatched: 2 })
  })
})

describe('a rule that says a list is unordered', () => {
  const list = (...names: readonly string[]) => ({ a: names.map((name) => ({ name, size: name.length })) })

  it('excuses the order, also in earlier results', () => {
    const { see, found, rules } = judging()
    see({ control: list('x', 'y'), candidate: list('y', 'x') })
    expect(found()).toEqual(['order a: null'])
    rules({ path: 'a', unordered: true })
    expect(found()).toEqual(['order a: rule: known'])
  })

  it('compares only the items that have no equal', () => {
    const { see, found } = judging({ path: 'a', unordered: true })
    const seen = { control: list('x', 'y', 'z'), candidate: list('z', 'x', 'w') }
    see(seen)
    expect(found()).toEqual(['changed a[].name: null', 'order a: rule: known'])
    const ordered = judging()
    ordered.see(seen)
    expect(ordered.report().differences).toMatchObject([{ path: 'a[].name', count: 3 }])
  })

  it('does not excuse an item that only one side has', () => {
    const { see, found } = judging({ path: 'a', unordered: true })
    see({ control: list('x', 'y'), candidate: list('y') })
    expect(found()).toEqual(['length a: null'])
  })
})

describe('a loss', () => {
  const lines = expectationsFrom([lost('data[].tax', 'v1 has none')])
  const outcome = (control: unknown, candidate: unknown) => observe({ control, candidate, expectations: lines }).outcome
  const row = (member: object) => ({ data: [member] })

  it('excuses its own path and everything beneath it', () => {
    expect(outcome(row({ tax: 1 }), row({ tax: null }))).toBe('ignored')
    expect(outcome(row({ tax: { type: 'x', rows: [1] } }), row({ tax: { type: 'y', rows: [2] } }))).toBe('ignored')
    expect(outcome(row({ tax: 1 }), row({}))).toBe('ignored')
  })

  it('excuses nothing beside or above it, or in another part', () => {
    expect(outcome(row({ taxType: 1 }), row({ taxType: 2 }))).toBe('mismatched')
    expect(outcome(row({ other: 1 }), row({ other: 2 }))).toBe('mismatched')
    expect(outcome(row({ tax: 1 }), { data: null })).toBe('mismatched')
    expect(outcome(row({ tax: 1 }), {})).toBe('mismatched')
    expect(outcome({ tax: 1 }, { tax: 2 })).toBe('mismatched')
    expect(outcome(reply(row({ tax: 1 }), 400), reply(row({ tax: 2 }), 400))).toBe('mismatched')
    expect(outcome(row({ tax: 1 }), reply('', 404))).toBe('mismatched')
  })
})

describe('in a rollout file', () => {
  const problems = (rule: object): string => {
    try {
      parseAbout(['one'], JSON.stringify({ ignore: [{ operation: '*', path: 'a', why: 'known', ...rule }] }))
      return ''
    } catch (error) {
      if (error instanceof RolloutError) return error.message
      throw error
    }
  }

  it.each([
    { kind: 'status', path: '', details: '200 → 400', until: '2027-01-31', by: 'Team Billing' },
    { kind: 'failure', path: '', details: 'timeout', client: 'shop' },
    { kind: 'header', path: 'content-type', details: 'application/json → text/html' },
    { kind: 'header', path: '' },
    { kind: 'length', details: '0 → 1' },
    { tolerance: 0.01, client: 'shop' },
    { kind: 'changed', tolerance: 0.01 },
    { unordered: true },
    { kind: 'order', unordered: true },
    { kind: 'dropped', path: 'gsm', client: 'shop' },
  ])('%j is a rule', (rule) => {
    expect(problems(rule)).toBe('')
  })

  it.each([
    [{ path: '' }, 'kind: the path "" covers every difference: name a kind'],
    [{ path: '', tolerance: 0.1 }, 'kind: the path "" covers'],
    [{ kind: 'type', tolerance: 0.1 }, 'tolerance: a tolerance applies to numbers that changed: leave out kind'],
    [{ kind: 'changed', unordered: true }, 'unordered: unordered is about the order of items: leave out kind'],
    [
      { tolerance: 0.1, unordered: true },
      'unordered: a rule can have a tolerance or be unordered, not both: write two rules',
    ],
    [{ client: 'shop', unordered: true }, 'client: unordered applies to all clients'],
    [{ details: '200 → 400' }, 'details: details apply only to the kinds status, failure, header, type and length'],
    [{ kind: 'order', details: '1 → 2' }, 'details: details apply only to'],
    [{ kind: 'dropped', details: '1 → 2' }, 'details: details apply only to'],
    [
      { kind: 'dropped', when: { a: true } },
      'when: v1 does not get the member, whatever else the call sends: leave out',
    ],
    [{ when: {} }, 'when: name at least one member of the request'],
    [{ when: { a: 'yes' } }, 'when.a: must be true (sent) or false (not sent)'],
    [{ kind: 'status', path: '', details: '200' }, 'details: must be the change as reports show it, for instance'],
    [{ kind: 'status' }, 'path: the path of a status or a failure is ""'],
    [{ kind: 'header', path: 'Content-Type' }, 'path: no such header is compared; expected one of content-type'],
    [{ tolerance: 0 }, 'tolerance: '],
    [{ tolerance: 1 }, 'tolerance: '],
    [{ tolerance: '1 %' }, 'tolerance: must be a share of the number'],
    [{ unordered: false }, 'unordered: '],
    [{ until: '2027-02-30' }, 'until: must be the last day on which the rule holds'],
    [{ until: '31.01.2027' }, 'until: must be the last day'],
    [{ because: 'x' }, 'because'],
  ])('%j is refused in words', (rule, problem) => {
    expect(problems(rule)).toContain(problem)
  })
})
