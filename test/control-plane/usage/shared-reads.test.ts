import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sharedReads } from '../../../src/control-plane/usage/stored-usage.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Reads that take so long, each with its number; a negative one fails. */
function reads() {
  const share = sharedReads()
  let begun = 0
  return {
    begun: () => begun,
    async read(takesMs: number): Promise<unknown> {
      const reading = share('clients', async () => {
        begun++
        await new Promise((resolve) => setTimeout(resolve, Math.abs(takesMs)))
        if (takesMs < 0) throw new Error('it failed')
        return { number: begun }
      }).catch((error: Error) => error.message)
      await vi.advanceTimersByTimeAsync(Math.abs(takesMs))
      return reading
    },
  }
}

it.each([
  ['a second', 5, 1_000],
  ['ten times as long as it took', 500, 5_000],
  ['30 s at most', 2_900, 29_000],
])('a result is shared for %s', async (_, takesMs, sharedMs) => {
  const { read } = reads()
  expect(await read(takesMs)).toEqual({ number: 1 })
  await vi.advanceTimersByTimeAsync(sharedMs - takesMs - 1)
  expect(await read(takesMs)).toEqual({ number: 1 })
  await vi.advanceTimersByTimeAsync(2)
  expect(await read(takesMs)).toEqual({ number: 2 })
})

it('a failure is shared for a second, however long it took', async () => {
  const { read, begun } = reads()
  expect(await read(-500)).toBe('it failed')
  await vi.advanceTimersByTimeAsync(1_001)
  await read(5)
  expect(begun()).toBe(2)
})
