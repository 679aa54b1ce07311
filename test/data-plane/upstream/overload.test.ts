import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FairQueue } from '../../../src/data-plane/upstream/fair-queue.ts'
import { runInQueue } from '../../support/run-in-queue.ts'

/** A sixteenth of the gateway's own limits, in front of a service that takes 100 ms for each call. */
const LANE = { limit: 8, maxWaiting: 512, maxWaitMs: 5_000 }
const SERVICE_MS = 100
/** As `serveCall` delays refusals. */
const REFUSAL_DELAY_MS = 500
const CAPACITY = (LANE.limit * 1_000) / SERVICE_MS

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const UNTIL_MS = 9_000
const SINCE_MS = 3_000

/** Runs the load of `begin` in virtual time. Returns the time of each call answered while measuring, in ms, sorted. */
async function answered(
  begin: (call: () => Promise<void>) => void,
  serviceMs: () => number = () => SERVICE_MS,
): Promise<readonly number[]> {
  const queue = new FairQueue({ ...LANE, refusal: new Error('full') })
  const took: number[] = []
  const call = async (): Promise<void> => {
    const since = performance.now()
    try {
      await runInQueue(queue, {}, () => new Promise((resolve) => setTimeout(resolve, serviceMs())))
      if (performance.now() > SINCE_MS) took.push(performance.now() - since)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, REFUSAL_DELAY_MS))
    }
  }
  begin(call)
  await vi.advanceTimersByTimeAsync(UNTIL_MS)
  return took.sort((a, b) => a - b)
}

/** Clients that call again as soon as they have an answer or a refusal. */
const closedLoop = (clients: number) => (call: () => Promise<void>) => {
  const loop = async (): Promise<void> => {
    while (performance.now() < UNTIL_MS) await call()
  }
  for (let client = 0; client < clients; client++) setTimeout(loop, client)
}

const openLoop = (perSecond: number) => (call: () => Promise<void>) => {
  const tick = (): void => {
    setTimeout(tick, 1_000 / perSecond)
    void call()
  }
  tick()
}

const at = (took: readonly number[], share: number): number => took[Math.ceil(took.length * share) - 1] as number
const perSecond = (count: number): number => (count * 1_000) / (UNTIL_MS - SINCE_MS)

describe('nearly the full capacity is answered within two seconds, half of it within one', () => {
  test.each([
    ['2 times the capacity', openLoop(2 * CAPACITY)],
    ['4 times the capacity', openLoop(4 * CAPACITY)],
    ['10 times the capacity', openLoop(10 * CAPACITY)],
    ['250 clients that retry at once', closedLoop(250)],
    ['625 clients that retry at once', closedLoop(625)],
  ])('under %s', async (_, load) => {
    const took = await answered(load)
    expect(perSecond(took.filter((ms) => ms <= 2_000).length)).toBeGreaterThan(0.95 * CAPACITY)
    expect(at(took, 0.5)).toBeLessThan(1_000)
  })
})

test('as many clients as can be served within a second are served in order, and none waits much longer than the others', async () => {
  const took = await answered(closedLoop(62))
  expect(perSecond(took.length)).toBeGreaterThan(0.95 * CAPACITY)
  expect(at(took, 1)).toBeLessThan(1.1 * at(took, 0.5))
})

test('none that is answered waits for more than a second after the service has hung for a while', async () => {
  const took = await answered(closedLoop(62), () => (performance.now() < 500 ? 1_500 : SERVICE_MS))
  expect(perSecond(took.length)).toBeGreaterThan(0.95 * CAPACITY)
  expect(at(took, 1)).toBeLessThan(1_000 + SERVICE_MS)
})
