import { describe, expect, it } from 'vitest'
import { skipped } from '../../../src/control-plane/evidence/observation.ts'
import { assumed, expectationsFrom, lost, mappedExpectations } from './support/lines.ts'
import { observe, reply } from './support/observing.ts'

const body = { message: 'x', violations: [{ propertyPath: 'a', message: 'y' }] }
const worded = { message: 'v', violations: [{ propertyPath: 'a', message: 'w' }] }

describe('an exchange', () => {
  it('is matched when nothing differs', () => {
    expect(observe({ control: '{"a":1.50}', candidate: '{ "a": 1.5 }', line: 3 })).toMatchObject({
      operation: 'made-up',
      outcome: 'matched',
      reason: null,
      differences: [],
      line: 3,
    })
    const empty = reply('', 204)
    expect(
      observe({ control: empty, candidate: empty, expectations: mappedExpectations('validate-destination') }).outcome,
    ).toBe('matched')
  })

  it('is mismatched when a difference counts', () => {
    const { outcome, differences, examples } = observe({ control: { a: 1 }, candidate: { a: 2 } })
    expect(outcome).toBe('mismatched')
    expect(differences).toEqual([
      { part: 'answer', kind: 'changed', path: 'a', count: 1, details: null, standing: 'counts' },
    ])
    expect(examples).toEqual([{ kind: 'changed', path: 'a', control: 1, candidate: 2 }])
    expect(observe({ control: reply({}, 400), candidate: reply({}, 406) }).outcome).toBe('mismatched')
    expect(observe({ control: reply({}), candidate: reply({}, 500) }).outcome).toBe('mismatched')
  })

  it('is ignored when all differences are declared losses, covered by rules, or wording of errors', () => {
    const rules = [{ operation: 'made-up', path: 'rate', why: 'moves' }]
    const lines = expectationsFrom([lost('gone', 'v1 has none')], rules)
    const candidate = { gone: null, rate: 2, a: 1 }
    expect(observe({ control: { gone: 1, rate: 1, a: 1 }, candidate, expectations: lines }).outcome).toBe('ignored')
    expect(observe({ control: { gone: 1, rate: 1, a: 2 }, candidate, expectations: lines }).outcome).toBe('mismatched')
    expect(observe({ control: reply(body, 400), candidate: reply(worded, 400) }).outcome).toBe('ignored')
    expect(observe({ control: reply(body, 406), candidate: reply(worded, 400) }).outcome).toBe('mismatched')
    expect(observe({ control: reply(body), candidate: reply(worded) }).outcome).toBe('mismatched')
  })

  it('is identified by a hash of its request', () => {
    const inputOf = (input?: string) =>
      observe({ control: {}, candidate: {}, ...(input !== undefined && { input }) }).input
    expect(inputOf('POST /a {"secret":1}')).toBe(inputOf('POST /a {"secret":1}'))
    expect(inputOf('POST /a {"secret":1}')).not.toBe(inputOf('POST /a {"secret":2}'))
    expect(inputOf('POST /a')).toBeLessThan(2 ** 32)
    expect(inputOf()).toBeUndefined()
  })
})

describe('an exchange is not judged when the gateway itself was overloaded instead of', () => {
  const overloaded = { failure: 'overloaded' }
  const [ok, other] = [reply({ a: 1 }), reply({ a: 2 })]
  it.each([
    ['asking the control', { control: overloaded, candidate: ok }],
    ['asking the candidate', { control: ok, candidate: overloaded }],
    ['giving the candidate’s answer', { control: ok, candidate: { ...reply({}, 500), ...overloaded } }],
    ['asking both', { control: overloaded, candidate: overloaded }],
    ['asking the control again', { control: ok, candidate: other, control2: overloaded }],
    ['asking the candidate again', { control: ok, candidate: other, control2: ok, candidate2: overloaded }],
  ])('%s', (_, answers) => {
    expect(observe({ ...answers, line: 3 })).toMatchObject({
      ...{ outcome: 'skipped', reason: 'dropped: overloaded', isUnjudged: true, differences: [], line: 3 },
    })
  })

  it('but a 503 of v1, and one of legacy, count as their failures', () => {
    expect(observe({ control: ok, candidate: reply({}, 503) })).toMatchObject({
      ...{ outcome: 'mismatched', differences: [{ kind: 'failure', details: { '503': 1 } }] },
    })
    expect(observe({ control: ok, candidate: { failure: 'unavailable' } }).outcome).toBe('mismatched')
    expect(observe({ control: reply({}, 503), candidate: ok })).toMatchObject({
      ...{ outcome: 'failed', reason: 'control: 503' },
    })
  })
})

describe('an exchange fails and is not compared when', () => {
  const ok = reply({ a: 1 })
  it.each([
    ['gave no answer', { failure: 'timeout' }, ok, 'control: timeout'],
    ['answers 500', reply({}, 500), reply({}, 500), 'control: 500'],
    ['answers 503', reply({}, 503), ok, 'control: 503'],
    ['answers HTML', reply('<html>'), ok, 'control: malformed: HTML or XML'],
    ['answers with half a body', reply('{"a":'), ok, 'control: malformed: cut off'],
    ['answers nothing', reply('', 204), ok, 'control: malformed: empty'],
    ['gave no answer, like the candidate', { failure: 'timeout' }, { failure: 'timeout' }, 'control: timeout'],
  ])('the control %s (%#)', (_, control, candidate, reason) => {
    expect(observe({ control, candidate, line: 4 })).toMatchObject({
      outcome: 'failed',
      reason,
      isUnjudged: true,
      differences: [],
      examples: [],
      assumptions: [],
      line: 4,
    })
  })

  it('the control fails when it is asked again', () => {
    expect(observe({ control: {}, control2: reply({}, 503), candidate: {} })).toMatchObject({
      outcome: 'failed',
      reason: 'control: 503',
    })
  })
})

describe('if the control answered', () => {
  const ok = reply({ a: 1 })
  it.each([
    ['gave no answer', { failure: 'unreachable' }, 'unreachable'],
    ['timed out, as the gateway reports', { ...reply({}, 500), failure: 'timeout' }, 'timeout'],
    ['answers 500', reply({}, 500), '500'],
    ['breaks the contract', reply('<html>'), 'malformed'],
  ])('a candidate that %s is a difference', (_, candidate, failure) => {
    for (const control of [ok, reply({ message: 'no' }, 404)]) {
      expect(observe({ control, candidate })).toMatchObject({
        outcome: 'mismatched',
        reason: null,
        differences: [{ part: 'status', kind: 'failure', path: '', count: 1, details: { [failure]: 1 } }],
      })
    }
  })

  it('a token that only one side refuses is a difference in status', () => {
    const refused = reply({ message: 'who?' }, 401)
    expect(observe({ control: ok, candidate: refused }).differences).toMatchObject([
      { kind: 'status', details: { '200 → 401': 1 } },
    ])
    expect(observe({ control: refused, candidate: ok }).differences).toMatchObject([
      { kind: 'status', details: { '401 → 200': 1 } },
    ])
    expect(observe({ control: refused, candidate: refused })).toMatchObject({
      outcome: 'skipped',
      reason: 'both refused: 401',
      isUnjudged: true,
    })
  })
})

describe('an exchange is compared even if', () => {
  it.each([
    ['an error is not JSON', reply('<html>', 404), reply('{}', 404)],
    ['a status is 403, 404 or 429', reply({}, 403), reply({}, 429)],
  ])('%s', (_, control, candidate) => {
    expect(observe({ control, candidate }).outcome).toBe('mismatched')
  })

  it('a success has a body but should have none', () => {
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

describe('assumed lines', () => {
  const lines = expectationsFrom([
    assumed('a', 'data.a'),
    assumed('b', 'data.b'),
    assumed('c', 'data.c'),
    assumed('message', 'message', { part: 'error' }),
  ])
  const seen = (control: unknown, candidate: unknown) =>
    observe({ control, candidate, expectations: lines }).assumptions.map(({ line, holds }) => [line.legacy, holds])

  it('are confirmed if control and candidate show the same, refuted if they differ', () => {
    expect(seen({ a: 1, b: 1, c: null }, { a: 1, b: 2, c: null })).toEqual([
      ['a', true],
      ['b', false],
    ])
    expect(seen({}, { a: 1 })).toEqual([['a', false]])
  })

  it('are tested only by answers of their kind', () => {
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
    isUnjudged: false,
    line: 9,
  })
})
