import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Asker,
  type Caller,
  FairQueue,
  type FairQueueOptions,
} from '../../../src/data-plane/upstream/fair-queue.ts'
import { runInQueue } from '../../support/run-in-queue.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A queue, and calls by name. `begun` and `refused` list them in the order of the events. */
function open(options: Partial<FairQueueOptions> = {}) {
  const queue = new FairQueue({ limit: 2, maxWaiting: 100, maxWaitMs: 5_000, refusal: new Error('full'), ...options })
  const begun: string[] = []
  const refused: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const call = (name: string, asker: Asker = {}): Promise<unknown> => {
    const work = (): Promise<void> => {
      begun.push(name)
      return new Promise((resolve, reject) =>
        ends.set(name, (error) => (error === undefined ? resolve() : reject(error))),
      )
    }
    return runInQueue(queue, asker, work).catch((error: Error) => refused.push(`${name}: ${error.message}`))
  }
  return {
    ...{ queue, begun, refused, call },
    callAll: (names: readonly string[], share = '') => {
      for (const name of names) void call(name, { share })
    },
    async end(name: string, error?: Error) {
      ends.get(name)?.(error)
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

/** A caller, and what makes it go. */
function caller() {
  const listeners = new Set<(reason: Error) => void>()
  let gone: Error | undefined
  const caller: Caller = {
    get gone() {
      return gone
    },
    onGone(listener) {
      listeners.add(listener)
    },
    offGone: (listener) => void listeners.delete(listener),
  }
  const go = (): void => {
    gone = new Error('gone')
    for (const each of listeners) each(gone)
  }
  return { caller, go, listeners }
}

const names = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`)

test('runs as many calls at a time as the limit says, and the others in order, each as soon as there is room', async () => {
  const { queue, begun, callAll, end } = open()
  callAll(['a', 'b', 'c', 'd'])
  expect(queue).toMatchObject({ running: 2, waiting: 2 })
  await end('b')
  expect(queue).toMatchObject({ running: 2, waiting: 1 })
  await end('c')
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  expect(queue).toMatchObject({ running: 2, waiting: 0 })
  await end('a')
  await end('d')
  expect(queue).toMatchObject({ running: 0, waiting: 0 })
})

test('failed work frees its slot too, whether others wait or not', async () => {
  const { queue, begun, refused, callAll, end } = open({ limit: 1 })
  callAll(['a', 'b'])
  await end('a', new Error('no'))
  expect(begun).toEqual(['a', 'b'])
  await end('b', new Error('no'))
  expect(refused).toEqual(['a: no', 'b: no'])
  expect(queue).toMatchObject({ running: 0, waiting: 0 })
})

describe('under overload', () => {
  test('the oldest is refused when too many wait', async () => {
    const { begun, refused, callAll, end } = open({ limit: 1, maxWaiting: 3 })
    callAll(['running', 'a', 'b', 'c', 'd'])
    await vi.advanceTimersByTimeAsync(0)
    expect(refused).toEqual(['a: full'])
    await end('running')
    await end('b')
    expect(begun).toEqual(['running', 'b', 'c'])
  })

  test('the newest runs first while the oldest of its client has waited for more than a second', async () => {
    const { begun, callAll, end } = open({ limit: 1 })
    callAll(['running', 'a', 'b'], 'x')
    await vi.advanceTimersByTimeAsync(900)
    callAll(['other1', 'other2'], 'y')
    await end('running')
    expect(begun).toEqual(['running', 'a'])
    callAll(['c', 'd'], 'x')
    await vi.advanceTimersByTimeAsync(200)
    for (const name of ['a', 'other1', 'd', 'other2', 'c']) await end(name)
    expect(begun.slice(2)).toEqual(['other1', 'd', 'other2', 'c', 'b'])
  })

  test('all run in order again once those that have waited for long are refused', async () => {
    const { begun, refused, callAll, end } = open({ limit: 1, maxWaitMs: 2_000 })
    callAll(['running', 'a'])
    await vi.advanceTimersByTimeAsync(1_500)
    callAll(['b', 'c', 'd'])
    await end('running')
    await vi.advanceTimersByTimeAsync(500)
    await end('d')
    await end('b')
    expect({ begun, refused }).toEqual({ begun: ['running', 'd', 'b', 'c'], refused: ['a: full'] })
  })

  test('a call that waits too long is refused, and later ones are not', async () => {
    const { begun, refused, callAll, end } = open({ limit: 1, maxWaitMs: 800 })
    callAll(['running', 'a'])
    await vi.advanceTimersByTimeAsync(400)
    callAll(['b'])
    await vi.advanceTimersByTimeAsync(400)
    expect(refused).toEqual(['a: full'])
    await end('running')
    expect(begun).toEqual(['running', 'b'])
  })

  test('a call with less time left is refused when that time has passed', async () => {
    const { call, refused } = open({ limit: 1 })
    void call('running')
    void call('a', { timeoutMs: 100 })
    await vi.advanceTimersByTimeAsync(100)
    expect(refused).toEqual(['a: full'])
  })
})

describe('a caller who is gone', () => {
  test('leaves the line at once, and its work never begins', async () => {
    const { queue, begun, refused, call, callAll, end } = open({ limit: 1 })
    const { caller: who, go } = caller()
    callAll(['running', 'a'])
    void call('b', { caller: who })
    callAll(['c'])
    go()
    expect(queue.waiting).toBe(2)
    for (const name of ['running', 'a', 'c']) await end(name)
    expect(begun).toEqual(['running', 'a', 'c'])
    expect(refused).toEqual(['b: gone'])
  })

  test('does not join the line', async () => {
    const { queue, refused, call, callAll } = open({ limit: 1 })
    const { caller: who, go } = caller()
    callAll(['running'])
    go()
    await call('a', { caller: who })
    expect(refused).toEqual(['a: gone'])
    expect(queue.waiting).toBe(0)
  })

  test('does not interrupt work that has begun', async () => {
    const { refused, call, end } = open({ limit: 1 })
    const { caller: who, go, listeners } = caller()
    void call('running')
    void call('a', { caller: who })
    await end('running')
    expect(listeners.size).toBe(0)
    go()
    await end('a')
    expect(refused).toEqual([])
  })
})

describe('several clients', () => {
  test('a client that is alone may take all slots', () => {
    const { queue, callAll } = open({ limit: 10 })
    callAll(names('a', 30), 'a')
    expect(queue).toMatchObject({ running: 10, waiting: 20 })
  })

  test('the client with the fewest calls under way is next, however many calls of another wait, until each has its share', async () => {
    const { begun, callAll, end } = open({ limit: 4 })
    callAll(names('a', 20), 'a')
    callAll(names('b', 20), 'b')
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3']) await end(name)
    expect(begun.slice(4)).toEqual(['b1', 'b2', 'a5', 'a6', 'b3', 'b4', 'b5'])
  })

  test('take turns when there are more of them than slots', async () => {
    const { begun, callAll, end } = open({ limit: 1 })
    callAll(['running'], 'x')
    for (const share of ['a', 'b', 'c']) callAll(names(share, 2), share)
    for (const name of ['running', 'a1', 'b1', 'c1', 'a2', 'b2']) await end(name)
    expect(begun).toEqual(['running', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
  })

  test('the one with the most waiting calls loses its oldest when the line is full, no matter who calls next', async () => {
    const { queue, refused, callAll } = open({ limit: 1, maxWaiting: 5 })
    callAll(['running', ...names('a', 5)], 'a')
    callAll(names('b', 2), 'b')
    await vi.advanceTimersByTimeAsync(0)
    expect(refused).toEqual(['a1: full', 'a2: full'])
    callAll(['a6'], 'a')
    await vi.advanceTimersByTimeAsync(0)
    expect(refused.at(-1)).toBe('a3: full')
    expect(queue.waiting).toBe(5)
  })

  test('one whose calls hang keeps no more than its share once others call', async () => {
    const { begun, callAll, end } = open({ limit: 4 })
    callAll(names('hanging', 20), 'a')
    callAll(names('b', 20), 'b')
    await end('hanging1')
    await end('hanging2')
    for (let i = 1; i <= 10; i++) await end(`b${i}`)
    expect(begun.filter((name) => name.startsWith('hanging'))).toHaveLength(4)
  })

  test('one with few calls need not wait for the end of a call of another, and the room that it leaves stays free for such clients', async () => {
    const { queue, begun, callAll, end } = open({ limit: 4, spare: 2 })
    callAll(names('a', 10), 'a')
    expect(queue).toMatchObject({ running: 4, waiting: 6 })
    callAll(names('b', 3), 'b')
    expect(begun.slice(4)).toEqual(['b1', 'b2'])
    await end('b1')
    expect(begun.slice(6)).toEqual(['b3'])
    await end('b2')
    await end('b3')
    expect(queue).toMatchObject({ running: 4, waiting: 6 })
    await end('a1')
    expect(begun.at(-1)).toBe('a5')
    callAll(['c1'], 'c')
    expect(begun.at(-1)).toBe('c1')
  })
})
