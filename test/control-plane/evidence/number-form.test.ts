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

  const rows = (...prices: readonly string[]): string =>
    `[${prices.map((price, at) => `{"id":${at},"price":${price}}`).join()}]`

  it.each([
    ['another row changes', rows('1', '5'), rows('1.0', '6'), rows('1', '6'), rows('1.0', '6')],
    ['a row has come', rows('1'), rows('1.0', '6'), rows('1', '6'), rows('1.0', '6')],
    ['the list has no ids', '[1,5]', '[1.0,6]', '[1,6]', '[1.0,6]'],
  ])('is not excused as drift in a list that drifts: %s', (_, control, candidate, control2, candidate2) => {
    const { outcome, differences } = observe({ control, candidate, control2, candidate2 })
    expect(outcome).toBe('ignored')
    expect(differences.map(({ kind, standing }) => `${kind} ${standing}`).sort()).toEqual([
      expect.stringMatching(/(?:changed|length) drift/),
      'type counts',
    ])
  })

  it('makes no other change of type at its place count that has drifted', () => {
    const { outcome, differences } = observe({
      ...{ control: rows('1', '5', '10'), candidate: rows('1.0', 'null', '15') },
      ...{ control2: rows('1', 'null', '20'), candidate2: rows('1.0', 'null', '20') },
    })
    expect(outcome).toBe('ignored')
    expect(differences).toMatchObject([
      { kind: 'type', path: '[].price', details: { 'integer → decimal': 1 }, standing: 'counts' },
      { kind: 'type', path: '[].price', details: { 'number → null': 1 }, standing: 'drift' },
      { kind: 'changed', path: '[].price', standing: 'drift' },
    ])
  })

  it('is drift if the control itself writes both forms', () => {
    for (const [was, is] of [
      ['{"a":1}', '{"a":1.0}'],
      [rows('1', '5'), rows('1.0', '5')],
      [rows('1', '5'), rows('1.0', '6')],
    ]) {
      const { differences } = observe({ control: was, candidate: is, control2: is, candidate2: is })
      expect(differences.map(({ standing }) => standing)).not.toContain('counts')
    }
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
