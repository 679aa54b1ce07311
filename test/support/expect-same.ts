import { expect } from 'vitest'

/** `expect(actual).toBe(expected)` for what is checked thousands of times: an `expect` that holds takes longer than the check. */
export function expectSame<T>(actual: T, expected: T): void {
  if (!Object.is(actual, expected)) expect(actual).toBe(expected)
}
