import { expect } from 'vitest'

/** A fast `expect(actual).toBe(expected)` for thousands of checks: `expect` itself takes longer than the comparison. */
export function expectSame<T>(actual: T, expected: T): void {
  if (!Object.is(actual, expected)) expect(actual).toBe(expected)
}
