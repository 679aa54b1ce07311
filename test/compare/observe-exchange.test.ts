import { describe, expect, it } from 'vitest'
import { skipped } from '../../src/compare/observe-exchange.ts'
import { assumed, expectationsFrom, lost, mappedExpectations } from './support/lines.ts'
import { observe, reply } from './support/observing.ts'

const body = { message: 'x', violations: [{ propertyPath: 'a', message: 'y' }] }
const worded = { message: 'v', violations: [{ propertyPath: 'a', message: 'w' }] }

describe('an exchange', () => {
  it('is matched when nothing differs', () => {
    expect(observe({ control: '{"a":1.0}', candidate: '{ "a": 1 }', line: 3 })).toMatchObject({
      operation: 'made-up',
      outcome: 'matched',
      reason: null,
      differences: [],
      noise: null,
      line: 3,
    })
    const empty = reply('', 204)
    expect(
      observe({ control: empty, candidate: empty, expectations: mappedExpectations('validate-destination') }).outcome,
    ).toBe('matched')
  })

  it('is mismatched when something differs that counts', () => {
    const { outcome, differences, examples } = observe({ control: { a: 1 }, candidate: { a: 2 } })
    expect(outcome).toBe('mismatched')
    expect(differences).toEqual([{ part: 'answer', kind: 'changed', path: 'a', count: 1, details: null }])
    expect(examples).toEqual([{ kind: 'changed', path: 'a', control: 1, candidate: 2 }])
    expect(observe({ control: reply({}, 400), candidate: reply({}, 406) }).outcome).toBe('mismatched')
    expect(observe({ control: reply({}), candidate: reply({}, 500) }).outcome).toBe('mismatched')
  })

  it('is ignored when nothing differs but losses, what rules cover, and the wording of errors', () => {
    const rules = [{ operation: 'made-up', path: 'rate', why: 'moves' }]
    const lines = expectationsFrom([lost('gone', 'v1 has none')], rules)
    const candidate = { gone: null, rate: 2, a: 1 }
    expect(observe({ control: { gone: 1, rate: 1, a: 1 }, candidate, expectations: lines }).outcome).toBe('ignored')
    expect(observe({ control: { gone: 1, rate: 1, a: 2 }, candidate, expectations: lines }).outcome).toBe('mismatched')
    expect(observe({ control: reply(body, 400), candidate: reply(worded, 400) }).outcome).toBe('ignored')
    expect(observe({ control: reply(body, 406), candidate: reply(worded, 400) }).outcome).toBe('mismatched')
    expect(observe({ control: reply(body), candidate: reply(worded) }).outcome).toBe('mismatched')
  })

  it('tells where the control’s own answers differ, when it was asked twice', () => {
    const seen = observe({ control: { a: 1, b: 1 }, control2: { a: 2, b: 1 }, candidate: { a: 3, b: 2 } })
    expect(seen.noise?.map(({ path }) => path)).toEqual(['a'])
    expect(seen.differences.map(({ path }) => path)).toEqual(['a', 'b'])
    expect(observe({ control: {}, control2: {}, candidate: {} }).noise).toEqual([])
  })

  it('is told apart by its request, of which a hash is kept', () => {
    const inputOf = (input?: string) =>
      observe({ control: {}, candidate: {}, ...(input !== undefined && { input }) }).input
    expect(inputOf('POST /a {"secret":1}')).toBe(inputOf('POST /a {"secret":1}'))
    expect(inputOf('POST /a {"secret":1}')).not.toBe(inputOf('POST /a {"secret":2}'))
    expect(inputOf('POST /a')).toBeLessThan(2 ** 32)
    expect(inputOf()).toBeUndefined()
  })
})

describe('an exchange is failed, and not compared, when', () => {
  const ok = reply({ a: 1 })
  it.each([
    ['a side gave no answer', { failure: 'timeout' }, ok, 'control: timeout'],
    ['a side gave no answer', ok, { failure: 'unreachable' }, 'candidate: unreachable'],
    ['v1 gave none that could be used', ok, reply({}, 500, { 'x-gateway-error': 'malformed' }), 'candidate: malformed'],
    ['v1 gave none, and no header says so', ok, { ...reply({}, 500), failure: 'timeout' }, 'candidate: timeout'],
    ['a side answers 401', reply({}, 401), ok, 'control: 401'],
    ['a side answers 401', ok, reply({}, 401), 'candidate: 401'],
    ['both sides answer 401', reply({}, 401), reply({}, 401), 'control: 401'],
    ['the control answers 500', reply({}, 500), reply({}, 500), 'control: 500'],
    ['the control answers 503', reply({}, 503), ok, 'control: 503'],
    ['the control answers HTML', reply('<html>'), ok, 'control: malformed'],
    ['the control answers half of it', reply('{"a":'), ok, 'control: malformed'],
    ['the control answers nothing', reply('', 204), ok, 'control: malformed'],
  ])('%s (%#)', (_, control, candidate, reason) => {
    expect(observe({ control, candidate, line: 4 })).toMatchObject({
      outcome: 'failed',
      reason,
      differences: [],
      examples: [],
      noise: null,
      assumptions: [],
      line: 4,
    })
  })

  it('the control’s second answer is none', () => {
    expect(observe({ control: {}, control2: reply({}, 503), candidate: {} })).toMatchObject({
      outcome: 'failed',
      reason: 'control: 503',
    })
  })
})

describe('an exchange is compared although', () => {
  it.each([
    ['the candidate answers 500 of its own', reply({}), reply({}, 500)],
    ['the control has a header that the gateway writes', reply({ a: 1 }, 200, { 'x-gateway-error': 'x' }), reply({})],
    ['an error is no JSON', reply('<html>', 404), reply('{}', 404)],
    ['a status is 403, 404 or 429', reply({}, 403), reply({}, 429)],
  ])('%s', (_, control, candidate) => {
    expect(observe({ control, candidate }).outcome).toBe('mismatched')
  })

  it('a success has a body where none is promised', () => {
    const seen = observe({
      control: reply('done'),
      candidate: reply(''),
      expectations: mappedExpectations('validate-destination'),
    })
    expect(seen).toMatchObject({ outcome: 'mismatched', differences: [{ kind: 'changed', path: '' }] })
  })

  it('it is nested too deep to be read', () => {
    const deep = '['.repeat(9_999) + ']'.repeat(9_999)
    expect(observe({ control: deep, candidate: deep }).outcome).toBe('matched')
  })
})

describe('lines that are assumed', () => {
  const lines = expectationsFrom([
    assumed('a', 'data.a'),
    assumed('b', 'data.b'),
    assumed('c', 'data.c'),
    assumed('message', 'message', { part: 'error' }),
  ])
  const seen = (control: unknown, candidate: unknown) =>
    observe({ control, candidate, expectations: lines }).assumptions.map(({ line, holds }) => [line.legacy, holds])

  it('hold where the control shows what they are about, and the candidate has it too', () => {
    expect(seen({ a: 1, b: 1, c: null }, { a: 1, b: 2, c: null })).toEqual([
      ['a', true],
      ['b', false],
    ])
    expect(seen({}, { a: 1 })).toEqual([['a', false]])
  })

  it('are seen in answers of their kind', () => {
    expect(seen(reply({ message: 'x', a: 1 }, 400), reply({ message: 'x', a: 1 }, 400))).toEqual([['message', true]])
    expect(seen(reply({ a: 1 }), reply({ a: 1 }, 404))).toEqual([])
  })
})

it('an exchange that was not sent is skipped', () => {
  expect(skipped('import-create', 'a write', 9)).toMatchObject({
    operation: 'import-create',
    outcome: 'skipped',
    reason: 'a write',
    differences: [],
    noise: null,
    line: 9,
  })
})
