import { afterEach, expect, it, vi } from 'vitest'
import { type OneAtATime, oneAtATime, ThreadClosed, ThreadEnded } from '../../src/workers/one-at-a-time.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import type { ObstinateTasks } from './support/obstinate-thread.ts'

const PATIENCE_MS = 30_000

/** A thread with tasks that go wrong; its clock stands still until it is told to go on. */
function open(): OneAtATime<ObstinateTasks> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const program = new URL('support/obstinate-thread.ts', import.meta.url)
  const thread = oneAtATime<ObstinateTasks>({ program, data: () => undefined, patienceMs: PATIENCE_MS })
  closeAtEnd(thread.close)
  return thread
}

afterEach(() => {
  vi.useRealTimers()
})

it.each([
  ['a task that ends the thread', 'die', ThreadEnded],
  ['a task that throws', 'fail', Error],
] as const)('%s fails alone: those that wait, and later ones, are done', async (_, name, error) => {
  const { run } = open()
  const done = [run(name, []), run('echo', [1]), run('echo', [2])]
  expect(await Promise.allSettled(done)).toEqual([
    { status: 'rejected', reason: expect.any(error) },
    { status: 'fulfilled', value: 1 },
    { status: 'fulfilled', value: 2 },
  ])
  expect(await run('echo', [3])).toBe(3)
})

it('a task that does not come back is given up, and the next is done', async () => {
  const { run } = open()
  const [hanging, next] = [run('hang', []).catch((error: unknown) => error), run('echo', [1])]
  vi.advanceTimersByTime(PATIENCE_MS)
  expect(await hanging).toBeInstanceOf(ThreadEnded)
  expect(await next).toBe(1)
})

it('clients take turns, and so do the gateway’s own tasks: nobody waits for all tasks of another', async () => {
  const { run } = open()
  const order: unknown[] = []
  const tasks = ['noisy', 'noisy', 'noisy', 'noisy', undefined, undefined, 'polite']
  await Promise.all([
    ...tasks.map((client, index) =>
      run('echo', [client ?? 'own'], { client }).then((value) => order.push(`${value} ${index}`)),
    ),
  ])
  expect(order).toEqual(['noisy 0', 'noisy 1', 'own 4', 'polite 6', 'noisy 2', 'own 5', 'noisy 3'])
})

it('what is left when it is closed is rejected, even if it hangs', async () => {
  const { run, close } = open()
  const left = [run('hang', []), run('echo', [1])].map((task) => task.catch((error: unknown) => error))
  await close()
  for (const error of await Promise.all(left)) expect(error).toBeInstanceOf(ThreadClosed)
})
