import type { ServerResponse } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { callerOf } from '../../src/gateway/errors/hung-up.ts'
import { Turn } from '../../src/http/turn.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('a call for several pages, which can wait for several slots at once, counts once', () => {
  const waitsNoMore = vi.fn()
  const waits = vi.fn(() => waitsNoMore)
  vi.spyOn(Turn, 'of').mockReturnValue({ waits } as unknown as Turn)
  const caller = callerOf({ req: { socket: {} } } as ServerResponse)
  for (const isWaiting of [true, true, false]) caller.waits(isWaiting)
  expect(waits).toHaveBeenCalledTimes(1)
  expect(waitsNoMore).not.toHaveBeenCalled()
  caller.waits(false)
  expect(waitsNoMore).toHaveBeenCalledTimes(1)
})

test('a call says whether its client is overloaded', () => {
  const caller = callerOf({ req: { socket: {} } } as ServerResponse)
  expect(caller.isOverloaded).toBe(false)
  vi.spyOn(Turn, 'of').mockReturnValue({ isOverloaded: true } as Turn)
  expect(caller.isOverloaded).toBe(true)
})
