import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type HeldBack, heldBack, STEP_MS } from '../src/gateway/hold-back.ts'
import type { Caller } from '../src/upstream/caller.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const nobody: Caller = {
  gone: undefined,
  isOverloaded: false,
  onGone: () => undefined,
  offGone: () => undefined,
  asks: () => undefined,
  waits: () => undefined,
}

/** When each refusal is told, in ms from now. */
async function toldAfter(...held: readonly (Promise<void> | undefined)[]): Promise<readonly number[]> {
  const started = performance.now()
  const times: number[] = []
  for (const one of held) void one?.then(() => times.push(performance.now() - started))
  await vi.advanceTimersByTimeAsync(10_000)
  return times
}

/**
 * Returns how many times it looks for refusals that are due. Timers in general cannot be counted: what an earlier file left in this
 * worker may set one.
 */
async function stepsWithin(milliseconds: number): Promise<number> {
  const fake = globalThis.setTimeout
  let steps = 0
  // No spy: `vi.restoreAllMocks` of a later file would bring the fake timer back.
  globalThis.setTimeout = ((run: () => void, delay?: number) => {
    if (delay === STEP_MS) steps++
    return fake(run, delay)
  }) as typeof setTimeout
  await vi.advanceTimersByTimeAsync(milliseconds)
  globalThis.setTimeout = fake
  return steps
}

const many = (count: number, { holdBack }: HeldBack) =>
  Array.from({ length: count }, () => holdBack(performance.now(), nobody))

/** How many times lie in each of these steps. */
const perStep = (times: readonly number[], milliseconds: number): readonly number[] => {
  const counts: number[] = []
  for (const time of times) {
    const step = Math.floor(time / milliseconds)
    counts[step] = (counts[step] ?? 0) + 1
  }
  return Object.values(counts)
}

test('a refusal is sent half a second after its call', async () => {
  const { holdBack } = heldBack()
  const [ms] = await toldAfter(holdBack(performance.now(), nobody))
  expect(ms).toBeGreaterThanOrEqual(500)
  expect(ms).toBeLessThanOrEqual(540)
  expect(await stepsWithin(1_000)).toBe(0)
})

test('one whose call has waited for long enough is sent in its turn', async () => {
  const { holdBack } = heldBack()
  const [ms] = await toldAfter(holdBack(performance.now() - 1_000, nobody))
  expect(ms).toBeLessThanOrEqual(20)
})

test('those of calls that came together are sent one after another', async () => {
  const times = await toldAfter(...many(1_600, heldBack()))
  expect(times).toHaveLength(1_600)
  expect(Math.max(...perStep(times, STEP_MS))).toBeLessThanOrEqual(16)
  expect(times.at(-1)).toBeLessThanOrEqual(1_600)
})

test('the more there are, the more are sent at a time, so that none waits for more than four and a half seconds', async () => {
  const refusals = heldBack()
  const delays: number[] = []
  for (let second = 0; second < 8; second++) {
    const since = performance.now()
    for (const held of many(2_500, refusals)) void held?.then(() => delays.push(performance.now() - since))
    await vi.advanceTimersByTimeAsync(1_000)
  }
  await vi.advanceTimersByTimeAsync(5_000)
  expect(delays).toHaveLength(20_000)
  expect(Math.max(...delays)).toBeLessThanOrEqual(4_600)
})

test('however late a turn of the event loop comes, it sends no more than any other', async () => {
  vi.useRealTimers()
  const { holdBack } = heldBack()
  let told = 0
  for (let i = 0; i < 100; i++) void holdBack(performance.now() - 1_000, nobody)?.then(() => told++)
  const perTurn: number[] = []
  while (told < 100) {
    const before = told
    for (const until = performance.now() + 50; performance.now() < until; );
    await new Promise((resolve) => setImmediate(resolve))
    perTurn.push(told - before)
  }
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(16)
})

test('a caller who goes is not held back any longer', async () => {
  let go: () => void = () => undefined
  const caller: Caller = {
    gone: undefined,
    isOverloaded: false,
    onGone(listener) {
      go = () => listener(new Error('gone'))
    },
    offGone: () => undefined,
    asks: () => undefined,
    waits: () => undefined,
  }
  const { holdBack } = heldBack()
  const told = toldAfter(holdBack(performance.now(), caller))
  go()
  expect(await told).toEqual([0])
  expect(await stepsWithin(1_000)).toBe(0)
  expect(holdBack(performance.now(), { ...nobody, gone: new Error('gone') })).toBeUndefined()
})

test('when the gateway stops all are sent at once, and none is held back any more', async () => {
  const { holdBack, release } = heldBack()
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
  const { holdBack } = heldBack()
  const held = Array.from({ length: 16_385 }, () => holdBack(performance.now(), nobody))
  expect(held.filter((one) => one === undefined)).toHaveLength(1)
})
