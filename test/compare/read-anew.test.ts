import { expect, it } from 'vitest'
import { anewPace } from '../../src/compare/read-anew.ts'

it('a cached list is read again at most every ten seconds, and one list at a time', () => {
  let now = 0
  const pace = anewPace(() => now)
  const end = pace.begin('countries')
  expect(end).toBeDefined()
  expect(pace.begin('cities')).toBeUndefined()
  end?.()
  expect(pace.begin('countries')).toBeUndefined()
  pace.begin('cities')?.()
  now = 9_999
  expect(pace.begin('countries')).toBeUndefined()
  now = 10_000
  expect(pace.begin('countries')).toBeDefined()
})
