import { expect, it } from 'vitest'
import { oncePer } from '../../src/mapping/once-per.ts'

it('makes the value of each key once, even undefined', () => {
  const made: object[] = []
  const of = oncePer((key: { readonly value: unknown }) => {
    made.push(key)
    return key.value
  })
  const [one, other, none] = [{ value: {} }, { value: {} }, { value: undefined }]
  expect([of(one), of(other), of(none), of(one), of(none)]).toEqual([{}, {}, undefined, {}, undefined])
  expect(of(one)).toBe(one.value)
  expect(made).toEqual([one, other, none])
})

it('tries a key again that failed', () => {
  let tries = 0
  const of = oncePer((_: object) => {
    tries++
    if (tries === 1) throw new Error('not yet')
    return tries
  })
  const key = {}
  expect(() => of(key)).toThrow('not yet')
  expect(of(key)).toBe(2)
})
