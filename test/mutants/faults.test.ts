import { expect, test } from 'vitest'
import { problemsOf } from './fault.ts'
import { faults } from './faults.ts'

test('every deliberate fault can be applied to the code as it is', () => {
  expect(problemsOf('.', faults)).toEqual([])
  expect(new Set(faults.map(({ name }) => name)).size).toBe(32)
})
