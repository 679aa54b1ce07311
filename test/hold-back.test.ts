import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { heldBack } from '../src/gateway/hold-back.ts'
import type { Caller } from '../src/upstream/caller.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const nobody: Caller = { gone: undefined, onGone: () => () => undefined }

/** When a refusal is told, in ms from now; undefined: not at all in three seconds. */
async function toldAfter(held: Promise<void> | undefined): Promise<number | undefined> {
  const started = performance.now()
  let at: number | undefined
  void Promise.resolve(held).then(() => {
    at = performance.now() - started
  })
  await vi.advanceTimersByTimeAsync(3_000)
  return at
}

test.each([
  ['the least', 0, 500],
  ['in the middle', 0.5, 1_000],
  ['the most', 0.999_999, 1_480],
])('a refusal is told half a second to a second and a half after its call: %s', async (_, random, milliseconds) => {
  expect(await toldAfter(heldBack(() => random).holdBack(performance.now(), nobody))).toBeCloseTo(milliseconds, 0)
})

test('what has waited long enough already is told at once', async () => {
  const { holdBack } = heldBack(() => 0.5)
  expect(holdBack(performance.now() - 1_000, nobody)).toBeUndefined()
  expect(await toldAfter(holdBack(performance.now() - 800, nobody))).toBeCloseTo(200, 0)
})

test('a caller who goes is not held back any longer', async () => {
  let go: () => void = () => undefined
  const caller: Caller = {
    gone: undefined,
    onGone(listener) {
      go = () => listener(new Error('gone'))
      return () => undefined
    },
  }
  const { holdBack } = heldBack(() => 0)
  const told = toldAfter(holdBack(performance.now(), caller))
  go()
  expect(await told).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
  expect(holdBack(performance.now(), { ...nobody, gone: new Error('gone') })).toBeUndefined()
})

test('when the gateway stops all are told at once, and none is held back any more', async () => {
  const { holdBack, release } = heldBack(() => 0)
  const times: number[] = []
  for (let i = 0; i < 300; i++) void holdBack(performance.now(), nobody)?.then(() => times.push(performance.now()))
  const stoppedAt = performance.now()
  release()
  await vi.advanceTimersByTimeAsync(10)
  expect(times).toHaveLength(300)
  expect(Math.max(...times) - stoppedAt).toBeLessThan(10)
  expect(holdBack(performance.now(), nobody)).toBeUndefined()
})

test('there is a bound to them', () => {
  const { holdBack } = heldBack(() => 0)
  const held = Array.from({ length: 16_385 }, () => holdBack(performance.now(), nobody))
  expect(held.filter((one) => one === undefined)).toHaveLength(1)
})
