import { expect, test } from 'vitest'
import { release } from '../../../src/data-plane/upstream/body-memory.ts'

test('bytes with a buffer of their own are empty after release', () => {
  const bytes = Buffer.allocUnsafeSlow(20_000)
  release(bytes)
  expect(bytes.length).toBe(0)
})

test('a part that is most of its buffer releases the whole buffer', () => {
  const whole = Buffer.allocUnsafeSlow(20_000)
  release(whole.subarray(0, 15_000))
  expect(whole.length).toBe(0)
})

test('bytes that share their buffer with others are kept, and so are the others', () => {
  const shared = Array.from({ length: 100 }, (_, index) => Buffer.from(`${index}`.repeat(50)))
  for (const bytes of shared.slice(0, 50)) release(bytes)
  expect(shared.map((bytes) => bytes.toString())).toEqual(shared.map((_, index) => `${index}`.repeat(50)))
})
