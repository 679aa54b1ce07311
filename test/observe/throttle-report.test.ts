import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { throttleReport } from '../../src/observe/throttle-report.ts'

const MINUTE = 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

it('the first event is reported at once, those after it in one line a minute, with their number and the latest', () => {
  const lines: (readonly [count: number, latest: string])[] = []
  const report = throttleReport<string>((count, latest) => lines.push([count, latest]), MINUTE)
  report('a')
  expect(lines).toEqual([[1, 'a']])
  for (const event of ['b', 'c', 'd']) report(event)
  vi.advanceTimersByTime(MINUTE - 1)
  expect(lines).toHaveLength(1)
  vi.advanceTimersByTime(1)
  report('e')
  expect(lines.slice(1)).toEqual([[3, 'd']])
  vi.advanceTimersByTime(MINUTE)
  expect(lines.slice(2)).toEqual([[1, 'e']])
  // After a quiet minute, the next one is a first one again.
  vi.advanceTimersByTime(10 * MINUTE)
  expect(lines).toHaveLength(3)
  report('f')
  expect(lines.slice(3)).toEqual([[1, 'f']])
})
