import { describe, expect, it } from 'vitest'
import type { Difference } from '../../../src/control-plane/evidence/diff/difference.ts'
import {
  type Examples,
  keepExamples,
  NOTHING_SHOWN,
  type ShownValue,
  showValues,
} from '../../../src/control-plane/evidence/examples.ts'
import { redactor } from '../../../src/exchange/redactor.ts'
import { expectationsFrom } from './support/lines.ts'
import { observe } from './support/observing.ts'

const redact = redactor(new Uint8Array(32)).body
const KB = 1_024

const shownOf = (control: unknown, candidate: unknown) =>
  showValues(observe({ control, candidate }), expectationsFrom([]), redact)
const onlyValue = (control: unknown, candidate: unknown): ShownValue | undefined =>
  shownOf(control, candidate).values[0]

describe('the shown values of an exchange', () => {
  it('are the values of its differences, as they are written', () => {
    const rows = (price: number) => [{ id: 1, price, same: 1 }]
    expect(shownOf(rows(1.5), [{ id: 1, price: { b: 1, a: [null, 'x'] } }])).toEqual({
      ...NOTHING_SHOWN,
      values: [
        { kind: 'type', path: '[].price', control: '1.5', candidate: '{"a":[null,"x"],"b":1}' },
        { kind: 'missing', path: '[].same', control: '1', candidate: null },
      ],
    })
  })

  it('are redacted, also within personal members', () => {
    const value = onlyValue({ email: { at: 'a@b.example' }, x: 1 }, { email: { at: 'c@d.example' }, x: 1 })
    expect(value).toMatchObject({ path: 'email.at', control: expect.stringMatching(/^"(?!a@b)\w@\w\.example"$/) })
    expect(onlyValue({ x: { email: 'a@b.example' } }, { x: 1 })?.control).toMatch(
      /^\{"email":"(?!a@b)\w@\w\.example"\}$/,
    )
  })

  it('are none if v1 does not get a member of the write, so that no page shows the call, which has its value', () => {
    const seen = observe({ control: { x: 1 }, candidate: { x: 2 } })
    const [differing] = seen.differences
    expect(showValues(seen, expectationsFrom([]), redact).values).toHaveLength(1)
    const lost = { ...(differing as Difference), kind: 'dropped' as const, path: 'driverGsm' }
    const losing = { ...seen, differences: [...seen.differences, lost] }
    expect(showValues(losing, expectationsFrom([]), redact)).toEqual(NOTHING_SHOWN)
  })

  it('are left out at a place whose name is unknown because its path was cut', () => {
    const long = (email: string) => ({ ['x'.repeat(600)]: { email } })
    const shown = shownOf(long('a@b.example'), long('c@d.example'))
    expect(shown).toMatchObject({ values: [{ control: 'not shown: its path is too long' }], cut: 2 })
    expect(JSON.stringify(shown)).not.toMatch(/a@b|c@d/)
  })

  it('are cut if they are long, and say so', () => {
    const { values, cut } = shownOf({ x: 'y'.repeat(600), z: 'y'.repeat(498) }, { x: 1, z: 1 })
    expect(cut).toBe(1)
    expect(values.map(({ control }) => control)).toEqual([
      `"${'y'.repeat(499)}… (cut)`,
      JSON.stringify('y'.repeat(498)),
    ])
  })

  it('take no more time for a deep value than for a flat one', () => {
    const nested = `${'[1,'.repeat(490)}[${Array(150_000).fill(1).join()}]${']'.repeat(490)}`
    const { values, cut } = shownOf(`{"x":${nested}}`, '{"x":null}')
    expect(values[0]?.control).toBe(`${'[1,'.repeat(490).slice(0, 500)}… (cut)`)
    expect(cut).toBe(1)
  })

  it('are at most 60 KB and at most 200 places; the rest is counted', () => {
    const members = (count: number, value: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, value]))
    const long = shownOf(members(150, 'a'.repeat(400)), members(150, 'b'.repeat(400)))
    const bytes = long.values.reduce((sum, { control, candidate }) => sum + `${control}${candidate}`.length, 0)
    expect(bytes).toBeLessThanOrEqual(60 * KB)
    expect(bytes).toBeGreaterThan(55 * KB)
    expect(long.dropped).toBe(150 - long.values.length)
    const many = shownOf(members(1_000, 1), members(1_000, 2))
    expect([many.values.length, many.dropped]).toEqual([200, 800])
  })
})

describe('the examples of an operation', () => {
  const AT = new Date(0)
  const value = (path: string, control = '1'): ShownValue => ({ kind: 'changed', path, control, candidate: '2' })
  const shown = (...values: readonly ShownValue[]) => ({ values, cut: 0, dropped: 0 })
  const callAs = (curl: string) => ({ method: 'GET', path: '/x', body: null, curl, legacyCurl: 'legacy' })

  const valuesOf = (examples: Examples, operation: string): number =>
    examples.of(operation).reduce((sum, { values }) => sum + values.length, 0)

  it('are the latest five per place, the latest first, each with its call', () => {
    const examples = keepExamples()
    for (let at = 1; at <= 7; at++) examples.keep('price', shown(value('x', `${at}`)), AT, () => callAs(`curl ${at}`))
    expect(examples.of('price').map(({ values, curl }) => [values.map(({ control }) => control), curl])).toEqual(
      [7, 6, 5, 4, 3].map((at) => [[`${at}`], `curl ${at}`]),
    )
    expect(examples.of('document')).toEqual([])
    expect(examples.counts().dropped).toBe(0)
  })

  it('share one call per exchange, which is written once and only if something is kept', () => {
    const examples = keepExamples()
    let calls = 0
    const curl = () => callAs(`curl ${++calls}`)
    examples.keep('price', NOTHING_SHOWN, AT, curl)
    expect(calls).toBe(0)
    examples.keep('price', shown(value('x'), value('y'), value('z')), AT, curl)
    expect(calls).toBe(1)
    expect(examples.counts()).toEqual({ bytes: 3 * 3 + 'GET/xcurl 1legacy'.length, cut: 0, dropped: 0 })
    expect(examples.of('price').map(({ values }) => values.map(({ path }) => path))).toEqual([['x', 'y', 'z']])
  })

  it('leave an exchange one by one, as later exchanges show the same differences', () => {
    const examples = keepExamples()
    examples.keep('price', shown(value('rare'), value('x')), AT, () => callAs('first'))
    for (let at = 1; at <= 5; at++) examples.keep('price', shown(value('x')), AT, () => callAs(`later ${at}`))
    const kept = examples.of('price')
    expect(kept).toHaveLength(6)
    expect(kept.at(-1)).toMatchObject({ curl: 'first', values: [value('rare')] })
  })

  it('take at most 8 MB for all operations: the oldest are dropped and counted', () => {
    const examples = keepExamples()
    const one = shown(...Array.from({ length: 100 }, (_, at) => value(`x${at}`, 'y'.repeat(500))))
    for (let at = 0; at < 400; at++) examples.keep(`operation ${at}`, one, AT, () => callAs('c'.repeat(4_000)))
    const { bytes, dropped } = examples.counts()
    expect(bytes).toBeLessThanOrEqual(8 * KB * KB)
    expect(bytes).toBeGreaterThan(7.9 * KB * KB)
    const kept = Array.from({ length: 400 }, (_, at) => valuesOf(examples, `operation ${at}`))
    expect([kept[0], kept.at(-1)]).toEqual([0, 100])
    expect(kept.reduce((sum, count) => sum + count, 0) + dropped).toBe(40_000)
  })

  it('beyond 200 places are only counted', () => {
    const examples = keepExamples()
    for (let at = 0; at < 201; at++) examples.keep('price', shown(value(`x${at}`)), AT, () => callAs(''))
    expect(examples.of('price')).toHaveLength(200)
    expect(examples.counts().dropped).toBe(1)
  })

  it('take no memory once they are gone', () => {
    const examples = keepExamples(1_000)
    const curl = () => callAs('c'.repeat(100))
    for (let at = 0; at < 20; at++) examples.keep('price', shown(value(`${at % 7}`), value('z')), AT, curl)
    examples.keep('price', shown(value('big', 'x'.repeat(2_000))), AT, curl)
    expect(examples.of('price')).toEqual([])
    expect(examples.counts().bytes).toBe(0)
  })
})
