import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { observe, only, reply, tallyOf } from './support/observing.ts'

/** The outcome of one exchange in which each side was asked twice: control, candidate, control, candidate. */
const judged = (control: unknown, candidate: unknown, control2: unknown, candidate2: unknown) =>
  observe({ control, candidate, control2, candidate2 }).outcome

describe('data that changed between the answers is drift:', () => {
  it.each([
    ['both sides tell the new value from then on', { a: 1 }, { a: 2 }, { a: 2 }, { a: 2 }],
    ['the candidate still tells the old one', { a: 1 }, { a: 0 }, { a: 2 }, { a: 1 }],
    ['a number lies between the control’s two', { a: 10 }, { a: 11 }, { a: 12 }, { a: 13 }],
    ['it is beyond them by a twentieth', { a: 100 }, { a: 106.9 }, { a: 102 }, { a: 108 }],
    [
      'a timestamp lies within five seconds of the two',
      { at: '2026-11-22T10:00:00+00:00' },
      { at: '2026-11-22T10:00:06+00:00' },
      { at: '2026-11-22T10:00:01+00:00' },
      { at: '2026-11-22T10:00:07+00:00' },
    ],
    ['a member has come', {}, { a: 1 }, { a: 1 }, { a: 1 }],
    ['a member has gone', { a: 1 }, {}, {}, {}],
    ['a value has become null', { a: 1 }, { a: null }, { a: null }, { a: null }],
    ['a thing has been deleted', reply({ a: 1 }), reply({}, 404), reply({}, 404), reply({}, 404)],
    ['rows without ids have moved on', ['c', 'b'], ['d', 'c'], ['e', 'd'], ['f', 'e']],
  ])('%s', (_, control, candidate, control2, candidate2) => {
    expect(judged(control, candidate, control2, candidate2)).toBe('ignored')
  })

  it('rows of a page move on by one between any two answers', () => {
    const page = (newest: number) => ({
      data: Array.from({ length: 25 }, (_, at) => ({ id: newest - at, number: `N${newest - at}` })),
      total: newest,
    })
    expect(judged(page(100), page(101), page(102), page(103))).toBe('ignored')
    expect(judged(page(100), page(101), page(101), page(101))).toBe('ignored')
    expect(judged(page(100), page(101), page(103), page(103))).toBe('ignored')
  })

  it('a list grows between any two answers', () => {
    const list = (length: number) => Array.from({ length }, (_, at) => ({ id: at }))
    expect(judged(list(3), list(4), list(5), list(6))).toBe('ignored')
  })

  it('rows come so fast that no row of a page is on the next one', () => {
    const page = (newest: number) => ({ data: [{ id: newest }, { id: newest - 1 }] })
    expect(judged(page(2), page(4), page(6), page(6))).toBe('ignored')
  })

  it('both services begin to limit the rate', () => {
    const limited = reply({ message: 'slow down' }, 429)
    expect(judged({ a: 1 }, limited, limited, limited)).toBe('ignored')
  })
})

describe('an exchange is not judged if the control’s second answer tells nothing:', () => {
  const row = { id: 1, price: 5 }
  const slowDown = reply({ message: 'slow down' }, 429)

  it.each([
    ['it limits the rate', slowDown, 'control: 429'],
    ['its token has expired', reply({}, 401), 'control: 401'],
    ['the thing has been deleted', reply({}, 404), 'control: 404'],
  ])('%s', (_, control2, reason) => {
    for (const candidate of [
      { data: [{ ...row, price: null }] },
      { data: [{ id: 1 }] },
      { data: [{ ...row, price: 7 }] },
    ]) {
      for (const candidate2 of [candidate, control2, { failure: 'timeout' }]) {
        const observed = observe({ control: { data: [row] }, candidate, control2, candidate2 })
        expect(observed).toMatchObject({ outcome: 'failed', reason, isUnjudged: true })
      }
    }
  })

  it('an error that was JSON is none the second time', () => {
    const [was, is] = [reply({ message: 'no', code: 1 }, 404), reply({ message: 'no' }, 404)]
    expect(observe({ control: was, candidate: is, control2: reply('gone', 404), candidate2: is })).toMatchObject({
      outcome: 'failed',
      reason: 'control: not JSON',
    })
  })

  it('statuses that differ, neither of which it repeats', () => {
    const found = { control: { a: 1 }, candidate: reply({}, 404), control2: slowDown, candidate2: slowDown }
    expect(observe(found)).toMatchObject({ outcome: 'failed', reason: 'control: 429' })
  })

  it('but equal answers, and a candidate that failed, are', () => {
    expect(judged({ a: 1 }, { a: 1 }, slowDown, slowDown)).toBe('matched')
    expect(judged({ a: 1 }, { failure: 'timeout' }, slowDown, slowDown)).toBe('mismatched')
  })
})

describe('it counts', () => {
  const price = (value: unknown) => ({ rows: [{ id: 1, price: value }], rate: Math.random() })

  it('where both answers of the control agree, regardless of differences elsewhere', () => {
    const { differences, outcome } = observe({
      control: { price: 5, rate: 1 },
      candidate: { price: 6, rate: 2 },
      control2: { price: 5, rate: 2 },
      candidate2: { price: 6, rate: 2 },
    })
    expect(outcome).toBe('mismatched')
    expect(differences.map(({ path, standing }) => `${path} ${standing}`)).toEqual(['price counts', 'rate drift'])
  })

  it('at a price that is always wrong, even if another member always changes', () => {
    const tally = tallyOf()
    for (let at = 0; at < 301; at++) {
      tally.record(observe({ control: price(5), candidate: price(6), control2: price(5), candidate2: price(6) }))
    }
    expect(only(tally)).toMatchObject({ totals: { mismatched: 301 }, verdict: 'not ready' })
    expect(only(tally).differences.find(({ path }) => path === 'rows[].price')).toMatchObject({
      requests: 301,
      drift: 0,
      ignored: null,
    })
  })

  it.each([
    ['null', { a: null }],
    ['zero', { a: 0 }],
    ['an empty text', { a: '' }],
    ['an empty list', { a: [] }],
    ['missing', {}],
    ['another number', { a: 99 }],
  ])('where the control flaps and v1 is always %s', (_, always) => {
    expect(judged({ a: 4 }, always, { a: 5 }, always)).toBe('mismatched')
  })

  it('where the control’s list flaps and v1’s is always empty, or always lacks a row', () => {
    const list = (...ids: readonly number[]) => ids.map((id) => ({ id }))
    expect(judged(list(1, 2), [], list(1, 2, 3), [])).toBe('mismatched')
    expect(judged(list(1, 2), list(2), list(1, 2, 3), list(2))).toBe('mismatched')
  })

  it('where v1 has a status that the control never had', () => {
    expect(judged(reply({ a: 1 }), reply({}, 404), reply({ a: 2 }), reply({ a: 2 }))).toBe('mismatched')
  })

  it('at a row that has not changed, found by its id', () => {
    const rows = (first: number, ...prices: readonly number[]) => prices.map((price, at) => ({ id: first + at, price }))
    const { differences } = observe({
      control: rows(1, 10, 20, 30),
      candidate: rows(1, 10, 21, 33),
      control2: rows(0, 5, 10, 20, 33),
      candidate2: rows(0, 5, 10, 21, 33),
    })
    // The row 2 stands still and is wrong; the row 3 has changed.
    expect(differences).toMatchObject([{ kind: 'changed', path: '[].price', count: 2, standing: 'counts' }])
  })

  it('at a row that both answers of the control show alike, if another row of the list changes', () => {
    const page = (one: unknown, other: unknown) => ({
      data: [
        { id: 1, price: one },
        { id: 2, price: other },
      ],
    })
    const [control, again] = [page(5, 1), page(5, 2)]
    for (const wrong of [page(null, 1), page(6, 1), { data: [{ id: 2, price: 1 }] }, { data: [] }]) {
      expect(judged(control, wrong, again, again)).toBe('mismatched')
    }
    expect(judged(control, { data: [...control.data, { id: 99, price: 1 }] }, again, again)).toBe('mismatched')
  })

  it.each([
    ['failed', { failure: 'timeout' }],
    ['has another status', reply({}, 429)],
  ])('if the candidate’s second answer %s, at a member that the control does not have', (_, candidate2) => {
    const wrong = { control: { a: 1 }, candidate: { a: 1, b: 2 }, control2: { a: 1 }, candidate2 }
    expect(observe(wrong).outcome).toBe('mismatched')
    expect(observe({ ...wrong, candidateWasFirst: true }).outcome).toBe('mismatched')
    expect(judged({ a: 'A', b: 1 }, { a: 'X' }, { a: 'B' }, candidate2)).toBe('mismatched')
  })

  it('if no side was asked again', () => {
    expect(observe({ control: { a: 1 }, candidate: { a: 2 } }).outcome).toBe('mismatched')
  })
})

describe('where the candidate answered first', () => {
  const asked = { candidate: { a: 1 }, control: { a: 2 }, control2: { a: 2 }, candidateWasFirst: true }

  it('changed data cannot be told from a v1 that was wrong once', () => {
    expect(observe({ ...asked, candidate2: { a: 2 } })).toMatchObject({
      outcome: 'skipped',
      reason: 'changed meanwhile',
      differences: [],
    })
  })

  it('a v1 that is wrong twice counts', () => {
    expect(observe({ ...asked, candidate2: { a: 1 } }).outcome).toBe('mismatched')
  })

  it('another difference that counts takes precedence', () => {
    const beside = {
      candidate: { a: 1, b: 1 },
      control: { a: 2, b: 2 },
      control2: { a: 2, b: 2 },
      candidate2: { a: 2, b: 1 },
    }
    expect(observe({ ...asked, ...beside }).outcome).toBe('mismatched')
  })
})

describe('in the report', () => {
  const drifting = observe({ control: { a: 1 }, candidate: { a: 2 }, control2: { a: 2 }, candidate2: { a: 2 } })
  const wrong = observe({ control: { a: 1 }, candidate: { a: 2 }, control2: { a: 1 }, candidate2: { a: 2 } })

  it('a class that has only drifted is ignored', () => {
    const tally = tallyOf()
    for (let at = 0; at < 3; at++) tally.record(drifting)
    expect(only(tally)).toMatchObject({
      totals: { matched: 0, ignored: 3, mismatched: 0 },
      differences: [{ path: 'a', requests: 3, drift: 3, ignored: 'drift' }],
    })
  })

  it('a class that failed to drift once counts, and only in that exchange', () => {
    const tally = tallyOf()
    for (const one of [drifting, wrong, drifting]) tally.record(one)
    expect(only(tally)).toMatchObject({
      totals: { ignored: 2, mismatched: 1 },
      verdict: 'not ready',
      differences: [{ path: 'a', requests: 3, drift: 2, ignored: null }],
    })
  })
})

it('a deeply nested difference costs no more than its size', () => {
  const nested = (value: number) => `${'[1,'.repeat(490)}${value}${']'.repeat(490)}`
  const rows = (value: number) => `[${Array(25).fill(nested(value)).join()}]`
  // This would take many times as long if each level were written out again.
  expect(judged(rows(1), rows(2), rows(3), rows(2))).toBe('ignored')
})

it('rows that come, go, change and move never count if both services read the same data', () => {
  const rows = fc.uniqueArray(fc.record({ id: fc.nat(6), price: fc.nat(3), name: fc.constantFrom('a', 'b', 'c') }), {
    selector: ({ id }) => id,
  })
  fc.assert(
    fc.property(rows, rows, fc.constantFrom(0, 1, 2), (before, after, changedAfter) => {
      const seen = [0, 1, 2, 3].map((read) => ({ data: read <= changedAfter ? before : after }))
      const [control, candidate, control2, candidate2] = seen
      expect(['matched', 'ignored']).toContain(judged(control, candidate, control2, candidate2))
    }),
  )
})
