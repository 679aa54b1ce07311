import { describe, expect, it } from 'vitest'
import type { ComparedHeaders } from '../../../src/exchange/compared-headers.ts'
import { expectationsFrom } from './support/lines.ts'
import { observe, only, reply, tallyOf } from './support/observing.ts'

const answer = (headers: ComparedHeaders | undefined, body: unknown = { a: 1 }) => ({ ...reply(body), headers })
const found = (control: ComparedHeaders | undefined, candidate: ComparedHeaders | undefined) =>
  observe({ control: answer(control), candidate: answer(candidate) }).differences.map(
    ({ part, kind, path, details }) => ({ part, kind, path, details }),
  )

describe('headers that programs read', () => {
  it('are differences with their names as paths', () => {
    expect(
      found(
        { 'content-type': 'application/json', 'set-cookie': 'a, b' },
        { 'content-type': 'text/html', 'retry-after': 'present' },
      ),
    ).toEqual([
      { part: 'header', kind: 'header', path: 'content-type', details: { 'application/json → text/html': 1 } },
      { part: 'header', kind: 'header', path: 'retry-after', details: { 'none → present': 1 } },
      { part: 'header', kind: 'header', path: 'set-cookie', details: { 'a, b → none': 1 } },
    ])
    expect(found({ 'content-type': 'application/json' }, { 'content-type': 'application/json' })).toEqual([])
  })

  it('make an operation not ready', () => {
    const tally = tallyOf()
    const json = { 'content-type': 'application/json' }
    tally.record(observe({ control: answer(json), candidate: answer({ ...json, 'www-authenticate': 'basic' }) }))
    expect(only(tally)).toMatchObject({
      totals: { mismatched: 1 },
      verdict: 'not ready',
      differences: [{ kind: 'header', path: 'www-authenticate', v1Path: null, details: { 'none → basic': 1 } }],
    })
  })

  it('are not compared without a body, without a type of the control, or if the statuses differ', () => {
    const typed = { 'content-type': 'text/html' }
    const none = (status: number) => ({ ...reply('', status), headers: {} })
    expect(observe({ control: none(404), candidate: { ...reply('', 404), headers: typed } }).differences).toEqual([])
    expect(found({}, typed)).toEqual([])
    expect(observe({ control: none(404), candidate: answer(typed) }).differences).toMatchObject([{ kind: 'status' }])
  })

  it('are compared even if the bodies differ or are missing', () => {
    const { differences } = observe({
      control: { ...reply('x', 400), headers: { location: '/a' } },
      candidate: { ...reply('', 400), headers: { location: '/b' } },
    })
    expect(differences.map(({ kind, path }) => [kind, path])).toEqual([
      ['header', 'location'],
      ['changed', ''],
    ])
  })

  it('show no id and no secret from a location', () => {
    const details = (from: string, to: string) => found({ location: from }, { location: to })[0]?.details
    expect(details('/api/invoice/4711?token=s3cret', '/api/invoice/Jane-Doe')).toEqual({
      '/api/invoice/…?… → /api/invoice/…': 1,
    })
    expect(details('https://one.example/a', '/a')).toEqual({ 'https://one.example/a → /a': 1 })
  })

  it('are bounded, even if a service varies them without end', () => {
    const tally = tallyOf()
    for (let at = 0; at < 200; at++) {
      const cookie = { 'set-cookie': `${at}-${'x'.repeat(500)}` }
      tally.record(observe({ control: answer(cookie), candidate: answer({}) }))
    }
    tally.record(observe({ control: { a: 1 }, candidate: { a: 2 } }))
    const { differences, totals } = only(tally)
    expect(differences).toMatchObject([{ path: 'set-cookie', requests: 200, count: 200 }, { path: 'a' }])
    const details = Object.keys(differences[0]?.details ?? {})
    expect(details.length).toBeLessThanOrEqual(101)
    expect(Math.max(...details.map((detail) => detail.length))).toBeLessThan(120)
    expect(totals).toMatchObject({ mismatched: 201 })
    expect(tally.exportCounts()[0]?.classes).toHaveLength(52)
  })

  it('that change between two answers of the control are drift', () => {
    const [one, other] = [answer({ 'retry-after': 'present' }), answer({})]
    expect(observe({ control: one, candidate: other, control2: other, candidate2: other }).outcome).toBe('ignored')
    expect(observe({ control: one, candidate: other, control2: one, candidate2: other }).outcome).toBe('mismatched')
  })

  it('are excused only by a rule that names their kind', () => {
    const outcome = (rule: object) =>
      observe({
        ...{ control: answer({ 'set-cookie': 'a' }), candidate: answer({}) },
        expectations: expectationsFrom([], [{ operation: '*', path: 'set-cookie', why: 'known', ...rule }]),
      }).outcome
    expect(outcome({})).toBe('mismatched')
    expect(outcome({ kind: 'header' })).toBe('ignored')
  })
})
