import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openSlots } from '../../src/upstream/slots.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** 128 slots of a service that takes `took` ms for the call that begins as number n. `begun` counts those that began in each ms. */
function serving(took: (n: number) => number) {
  const slots = openSlots({ limit: 128, maxWaiting: 100_000, maxWaitMs: 60_000, refusal: new Error('full') })
  const begun: number[] = []
  let calls = 0
  const call = async (): Promise<void> => {
    const slot = slots.take({}) ?? (await slots.wait({}))
    const now = Math.floor(performance.now())
    begun[now] = (begun[now] ?? 0) + 1
    setTimeout(() => slots.leave(slot), took(calls++))
  }
  const callMany = (count: number): void => {
    for (let n = 0; n < count; n++) void call()
  }
  /** How many calls began within this time from now on, in all and at most in one ms. */
  const within = async (ms: number) => {
    const from = Math.floor(performance.now())
    await vi.advanceTimersByTimeAsync(ms)
    const counts = Array.from({ length: ms }, (_, at) => begun[from + 1 + at] ?? 0)
    return { inAll: counts.reduce((sum, count) => sum + count, 0), inOneMs: Math.max(...counts) }
  }
  return { slots, callMany, within }
}

test('calls that ended together are followed by calls that begin one after another, in half of the time that a call takes', async () => {
  const { callMany, within } = serving(() => 100)
  callMany(3_000)
  await within(99)
  const { inAll, inOneMs } = await within(52)
  expect(inAll).toBe(128)
  expect(inOneMs).toBeLessThanOrEqual(4)
})

test('the service does as much as without spreading', async () => {
  const { callMany, within } = serving(() => 100)
  callMany(3_000)
  await within(199)
  // All of 128 slots, used ten times a second, but for the last milliseconds of each round.
  expect((await within(1_000)).inAll).toBeGreaterThan(0.97 * 1_280)
})

test('a service that gets faster is used fully 50 ms later', async () => {
  const { callMany, within } = serving((n) => (n < 384 ? 400 : 4))
  callMany(6_000)
  await within(1_250)
  expect((await within(100)).inAll).toBeGreaterThan(0.97 * 3_200)
})

test('calls of a slow service begin within 50 ms', async () => {
  const { callMany, within } = serving(() => 4_000)
  callMany(1_000)
  await within(3_999)
  expect((await within(52)).inAll).toBe(128)
})

test('slots are free at once when nobody waits any more', async () => {
  const { slots, callMany, within } = serving(() => 100)
  callMany(130)
  await within(101)
  expect(slots).toMatchObject({ running: 2, waiting: 0 })
})
