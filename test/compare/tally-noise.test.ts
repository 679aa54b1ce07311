import { describe, expect, it } from 'vitest'
import { expectationsFrom } from './support/lines.ts'
import { observe, only, reply, tallyOf } from './support/observing.ts'

const flat = { rate: 1, price: 1 }
/** The control's own answers differ in `rate`, and so does the candidate's. */
const noisy = { control: flat, control2: { ...flat, rate: 2 }, candidate: { ...flat, rate: 3 } }
/** The control's own answers are the same. */
const calm = { control: flat, control2: flat, candidate: flat }
const rateDiffers = { ...calm, candidate: { ...flat, rate: 9 } }

describe('a path where the control’s own answers differ', () => {
  it('does not count while the candidate’s differ no more than these', () => {
    const tally = tallyOf()
    for (let at = 0; at < 10; at++) tally.record(observe(at < 5 ? noisy : calm))
    expect(only(tally)).toMatchObject({
      totals: { matched: 5, ignored: 5, mismatched: 0 },
      verdict: 'insufficient data',
      matchRate: 1,
      differences: [{ kind: 'changed', path: 'rate', requests: 5, noise: 5, ignored: 'noise' }],
    })
  })

  it('counts when the candidate’s differ more', () => {
    const tally = tallyOf()
    for (let at = 0; at < 10; at++) tally.record(observe(at < 2 ? noisy : at < 6 ? rateDiffers : calm))
    // 6 against 2: four more, half of eight.
    expect(only(tally)).toMatchObject({
      totals: { matched: 4, ignored: 0, mismatched: 6 },
      verdict: 'not ready',
      differences: [{ path: 'rate', requests: 6, noise: 2, ignored: null }],
    })
  })

  it('is one path: others count', () => {
    const tally = tallyOf()
    for (let at = 0; at < 10; at++) tally.record(observe(noisy))
    tally.record(observe({ ...noisy, candidate: { rate: 3, price: 2 } }))
    expect(only(tally)).toMatchObject({
      totals: { ignored: 10, mismatched: 1 },
      verdict: 'not ready',
      differences: [
        { path: 'price', noise: 0, ignored: null },
        { path: 'rate', noise: 11, ignored: 'noise' },
      ],
    })
  })

  it('is counted in exchanges, whatever the kind of difference and the number of places', () => {
    const tally = tallyOf()
    const rows = (...rates: unknown[]) => rates.map((rate) => ({ rate }))
    tally.record(observe({ control: rows(1, 2, 3), control2: rows(4, 5, '6'), candidate: rows(null, 8, 9) }))
    expect(only(tally).differences).toMatchObject([
      { kind: 'changed', path: '[].rate', requests: 1, count: 2, noise: 1, ignored: 'noise' },
      { kind: 'type', path: '[].rate', requests: 1, count: 1, noise: 1, ignored: 'noise' },
    ])
  })

  it('is not the status where it is the root: both have the path ""', () => {
    const tally = tallyOf()
    const [one, other] = [
      ['a', 'b'],
      ['b', 'a'],
    ]
    for (let at = 0; at < 8; at++) tally.record(observe({ control: one, control2: other, candidate: other }))
    tally.record(observe({ control: one, control2: other, candidate: reply({}, 404) }))
    expect(only(tally)).toMatchObject({
      totals: { ignored: 8, mismatched: 1 },
      differences: [
        { kind: 'status', path: '', noise: 0, ignored: null },
        { kind: 'order', path: '', noise: 9, ignored: 'noise' },
      ],
    })
  })
})

describe('an exchange', () => {
  it('is judged by the counts so far, itself included, and in the report by all', () => {
    const tally = tallyOf()
    expect(tally.record(observe(rateDiffers))).toBe('mismatched')
    expect(tally.record(observe(rateDiffers))).toBe('mismatched')
    expect(only(tally)).toMatchObject({ totals: { mismatched: 2 }, verdict: 'not ready' })
    // 3 against 1, 4 against 2, 5 against 3, 6 against 4: a fifth, which is not more than a fifth.
    expect([1, 2, 3, 4].map(() => tally.record(observe(noisy)))).toEqual([
      'mismatched',
      'mismatched',
      'mismatched',
      'ignored',
    ])
    expect(only(tally)).toMatchObject({
      totals: { matched: 0, ignored: 6, mismatched: 0 },
      verdict: 'insufficient data',
      matchRate: 1,
      differences: [{ path: 'rate', requests: 6, noise: 4, ignored: 'noise' }],
    })
  })

  it('that shows noise and a difference that counts is mismatched', () => {
    const tally = tallyOf()
    for (let at = 0; at < 4; at++) tally.record(observe(noisy))
    expect(tally.record(observe({ ...noisy, candidate: { rate: 3, price: 2 } }))).toBe('mismatched')
    expect(tally.record(observe(noisy))).toBe('ignored')
    expect(tally.record(observe(calm))).toBe('matched')
    expect(tally.record(observe({ ...noisy, control2: { failure: 'timeout' } }))).toBe('failed')
    expect(only(tally).totals).toEqual({ requests: 8, matched: 1, ignored: 5, mismatched: 1, failed: 1, skipped: 0 })
  })
})

describe('where the control is asked once', () => {
  it('a difference counts, however rare it is', () => {
    const tally = tallyOf()
    const once = { control: flat, candidate: flat }
    for (let at = 0; at < 5_000; at++) tally.record(observe(once))
    tally.record(observe({ control: flat, candidate: { ...flat, rate: 2 } }))
    expect(only(tally)).toMatchObject({ verdict: 'not ready', differences: [{ ignored: null, noise: 0 }] })
  })

  it('noise is known from the exchanges in which it was asked twice', () => {
    const tally = tallyOf(expectationsFrom([]))
    for (let at = 0; at < 3; at++) tally.record(observe(noisy))
    const once = observe({ control: flat, candidate: { ...flat, rate: 2 } })
    expect(Array.from({ length: 9 }, () => tally.record(once))).toEqual(Array(9).fill('ignored'))
    expect(tally.record(observe({ control: flat, candidate: { ...flat, price: 2 } }))).toBe('mismatched')
  })
})

it('where it is asked twice, a difference of at most 0.03 % of all exchanges does not count', () => {
  const tally = tallyOf()
  const calmly = observe(calm)
  for (let at = 0; at < 3_333; at++) tally.record(calmly)
  expect(tally.record(observe(rateDiffers))).toBe('ignored')
  expect(tally.record(observe(rateDiffers))).toBe('mismatched')
})

it('exchanges in which it is asked once are none of these', () => {
  const tally = tallyOf()
  const once = observe({ control: flat, candidate: flat })
  for (let at = 0; at < 5_000; at++) tally.record(once)
  expect(tally.record(observe(rateDiffers))).toBe('mismatched')
})
