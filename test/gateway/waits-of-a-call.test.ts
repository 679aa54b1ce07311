import type { ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import { callerOf } from '../../src/gateway/errors/hung-up.ts'
import { Turn } from '../../src/http/turn.ts'

test('a call for several pages, which can wait for several slots at once, counts once', () => {
  const waitsNoMore = vi.fn()
  const waits = vi.fn(() => waitsNoMore)
  const of = vi.spyOn(Turn, 'of').mockReturnValue({ waits } as unknown as Turn)
  const caller = callerOf({ req: { socket: {} } } as ServerResponse)
  for (const isWaiting of [true, true, false]) caller.waits(isWaiting)
  expect(waits).toHaveBeenCalledTimes(1)
  expect(waitsNoMore).not.toHaveBeenCalled()
  caller.waits(false)
  expect(waitsNoMore).toHaveBeenCalledTimes(1)
  of.mockRestore()
})
