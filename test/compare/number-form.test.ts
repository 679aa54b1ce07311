import { describe, expect, it } from 'vitest'
import { expectationsFrom } from './support/lines.ts'
import { observe, only, tallyOf } from './support/observing.ts'

describe('a number that is written in another form', () => {
  it('is listed, but does not count as a difference', () => {
    const tally = tallyOf()
    tally.record(observe({ control: '{"a":100}', candidate: '{"a":100.00}', input: '1' }))
    tally.record(observe({ control: '{"a":1.0}', candidate: '{"a":1}', input: '2' }))
    expect(only(tally)).toMatchObject({
      totals: { ignored: 2, mismatched: 0 },
      matchRate: 1,
      differences: [
        {
          ...{ kind: 'type', path: 'a', requests: 2, ignored: 'number form' },
          details: { 'integer → decimal': 1, 'decimal → integer': 1 },
        },
      ],
    })
  })

  it('hides no other change of type at its place', () => {
    const tally = tallyOf()
    const rows = (...values: readonly string[]): string => `[${values.map((value) => `{"a":${value}}`).join()}]`
    tally.record(observe({ control: rows('1', '1', '2'), candidate: rows('1.0', 'null', '2.0'), line: 1 }))
    tally.record(observe({ control: rows('1', '2'), candidate: rows('1.0', '2'), line: 2 }))
    expect(only(tally)).toMatchObject({
      totals: { ignored: 1, mismatched: 1 },
      verdict: 'not ready',
      differences: [
        { kind: 'type', path: '[].a', requests: 1, count: 1, ignored: null, details: { 'number → null': 1 } },
        { requests: 2, count: 3, ignored: 'number form', details: { 'integer → decimal': 3 }, lines: [1, 2] },
      ],
    })
  })

  it('is not drift, and never leaves an exchange unjudged', () => {
    const seen = { control: '{"a":1}', control2: '{"a":1}', candidate: '{"a":1.0}', candidate2: '{"a":1}' }
    expect(observe({ ...seen, candidateWasFirst: true })).toMatchObject({ outcome: 'ignored', reason: null })
  })

  it('does not matter if the values differ', () => {
    const { differences } = observe({ control: '{"a":1}', candidate: '{"a":2.0}', expectations: expectationsFrom([]) })
    expect(differences).toMatchObject([{ kind: 'changed', path: 'a' }])
  })
})

describe('an exchange with several changes of type at one place', () => {
  it('counts as one exchange', () => {
    const tally = tallyOf()
    tally.record(observe({ control: { a: [{ b: 1 }, { b: 'x' }] }, candidate: { a: [{ b: null }, { b: null }] } }))
    expect(only(tally).differences).toMatchObject([
      { kind: 'type', path: 'a[].b', requests: 1, count: 2, details: { 'number → null': 1, 'string → null': 1 } },
    ])
  })
})
