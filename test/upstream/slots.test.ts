import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Caller } from '../../src/upstream/caller.ts'
import { type Asker, openSlots, type SlotOptions } from '../../src/upstream/slots.ts'
import { runInSlot } from '../support/run-in-slot.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Slots, and calls by name. `begun` and `refused` list them in the order of the events. */
function open(options: Partial<SlotOptions> = {}) {
  const slots = openSlots({ limit: 2, maxWaiting: 100, maxWaitMs: 5_000, refusal: new Error('full'), ...options })
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
    return runInSlot(slots, asker, work).catch((error: Error) => refused.push(`${name}: ${error.message}`))
  }
  return {
    ...{ slots, begun, refused, call },
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
    isOverloaded: false,
    asks: () => undefined,
    waits: () => undefined,
  }
  const go = (): void => {
    gone = new Error('gone')
    for (const each of listeners) each(gone)
  }
  return { caller, go, listeners }
}

const names = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`)

test('runs as many calls at a time as there are slots, and the others in order, each as soon as there is room', async () => {
  const { slots, begun, callAll, end } = open()
  callAll(['a', 'b', 'c', 'd'])
  expect(slots).toMatchObject({ running: 2, waiting: 2 })
  await end('b')
  expect(slots).toMatchObject({ running: 2, waiting: 1 })
  await end('c')
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  expect(slots).toMatchObject({ running: 2, waiting: 0 })
  await end('a')
  await end('d')
  expect(slots).toMatchObject({ running: 0, waiting: 0 })
})

test('failed work frees its slot too, whether others wait or not', async () => {
  const { slots, begun, refused, callAll, end } = open({ limit: 1 })
  callAll(['a', 'b'])
  await end('a', new Error('no'))
  expect(begun).toEqual(['a', 'b'])
  await end('b', new Error('no'))
  expect(refused).toEqual(['a: no', 'b: no'])
  expect(slots).toMatchObject({ running: 0, waiting: 0 })
})

test('when all work fails at once, no more fails in one turn of the event loop than there are slots', async () => {
  vi.useRealTimers()
  const slots = openSlots({ limit: 2, maxWaiting: 100, maxWaitMs: 5_000, refusal: new Error('full') })
  let failed = 0
  const calls = names('', 10).map(() =>
    runInSlot(slots, {}, () => Promise.reject(new Error('down'))).catch(() => failed++),
  )
  const perTurn: number[] = []
  while (failed < calls.length) {
    const before = failed
    await new Promise((resolve) => setImmediate(resolve))
    perTurn.push(failed - before)
  }
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2)
})

describe('under overload', () => {
  test('the oldest is refused when the line is full, and from then on the newest runs first', async () => {
    const { begun, refused, callAll, end } = open({ limit: 1, maxWaiting: 3 })
    callAll(['running', 'a', 'b', 'c', 'd'])
    await vi.advanceTimersByTimeAsync(0)
    expect(refused).toEqual(['a: full'])
    await end('running')
    await end('d')
    expect(begun).toEqual(['running', 'd', 'c'])
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

  test('the newest runs first while a call has waited for more than a second and more wait than begin in one', async () => {
    const { begun, callAll, end } = open({ limit: 1 })
    callAll(['running', 'a', 'b'])
    await vi.advanceTimersByTimeAsync(900)
    await end('running')
    expect(begun.at(-1)).toBe('a')
    callAll(['c', 'd', 'e'])
    await vi.advanceTimersByTimeAsync(200)
    await end('a')
    expect(begun.at(-1)).toBe('e')
  })

  test('the newest runs first also where few calls wait, if the client is overloaded elsewhere', async () => {
    const { begun, call, end } = open({ limit: 1 })
    for (const name of ['running', ...names('a', 4)])
      void call(name, { caller: { ...caller().caller, isOverloaded: true } })
    await vi.advanceTimersByTimeAsync(1_100)
    for (let calls = 0; calls < 4; calls++) await end(begun.at(-1) as string)
    expect(begun).toEqual(['running', 'a4', 'a3', 'a2', 'a1'])
  })

  test('those that have not waited for long run in order while they are few, and older ones run no earlier', async () => {
    const { begun, call, end } = open({ limit: 1 })
    const callOf = (name: string) => call(name, { caller: { ...caller().caller, isOverloaded: true } })
    for (const name of ['running', 'old']) void callOf(name)
    await vi.advanceTimersByTimeAsync(1_100)
    for (const name of names('b', 60)) {
      void callOf(name)
      await vi.advanceTimersByTimeAsync(15)
      await end(begun.at(-1) as string)
    }
    for (const name of names('few', 4)) void callOf(name)
    for (let calls = 0; calls < 4; calls++) await end(begun.at(-1) as string)
    for (const name of names('many', 10)) void callOf(name)
    await end(begun.at(-1) as string)
    expect(begun.slice(-5)).toEqual([...names('few', 4), 'many10'])
    expect(begun).not.toContain('old')
  })

  test('all come in order again once no more wait than begin in a second, though the oldest has waited for longer', async () => {
    const { begun, callAll, end } = open({ limit: 1 })
    callAll(['running', ...names('a', 10)])
    await vi.advanceTimersByTimeAsync(2_000)
    // Each call that ends is followed by one that waits, so the line never empties.
    await end('running')
    for (let i = 1; i <= 40; i++) {
      callAll([`b${i}`])
      await vi.advanceTimersByTimeAsync(20)
      await end(begun.at(-1) as string)
    }
    const waited = names('a', 10).map((name) => begun.indexOf(name))
    expect(Math.max(...waited)).toBeLessThan(25)
    expect(waited).not.toContain(-1)
    expect(begun.slice(-10)).toEqual(names('b', 40).slice(-19, -9))
  })
})

describe('a caller who is gone', () => {
  test('leaves the line at once, and its work never begins', async () => {
    const { slots, begun, refused, call, callAll, end } = open({ limit: 1 })
    const { caller: who, go } = caller()
    callAll(['running', 'a'])
    void call('b', { caller: who })
    callAll(['c'])
    go()
    expect(slots.waiting).toBe(2)
    for (const name of ['running', 'a', 'c']) await end(name)
    expect(begun).toEqual(['running', 'a', 'c'])
    expect(refused).toEqual(['b: gone'])
  })

  test('does not join the line', async () => {
    const { slots, refused, call, callAll } = open({ limit: 1 })
    const { caller: who, go } = caller()
    callAll(['running'])
    go()
    await call('a', { caller: who })
    expect(refused).toEqual(['a: gone'])
    expect(slots.waiting).toBe(0)
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
    const { slots, callAll } = open({ limit: 10 })
    callAll(names('a', 30), 'a')
    expect(slots).toMatchObject({ running: 10, waiting: 20 })
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
    const { slots, refused, callAll } = open({ limit: 1, maxWaiting: 5 })
    callAll(['running', ...names('a', 5)], 'a')
    callAll(names('b', 2), 'b')
    await vi.advanceTimersByTimeAsync(0)
    expect(refused).toEqual(['a1: full', 'a2: full'])
    callAll(['a6'], 'a')
    await vi.advanceTimersByTimeAsync(0)
    expect(refused.at(-1)).toBe('a3: full')
    expect(slots.waiting).toBe(5)
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

  test('one with few calls need not wait for the end of a call of another, and the slot that it leaves stays free for such clients', async () => {
    const { slots, begun, callAll, end } = open({ limit: 4, spare: 2 })
    callAll(names('a', 10), 'a')
    expect(slots).toMatchObject({ running: 4, waiting: 6 })
    callAll(names('b', 3), 'b')
    expect(begun.slice(4)).toEqual(['b1', 'b2'])
    await end('b1')
    expect(begun.slice(6)).toEqual(['b3'])
    await end('b2')
    await end('b3')
    expect(slots).toMatchObject({ running: 4, waiting: 6 })
    await end('a1')
    expect(begun.at(-1)).toBe('a5')
    callAll(['c1'], 'c')
    expect(begun.at(-1)).toBe('c1')
  })
})

test('the time that a call has waited elsewhere counts: it takes a free slot, but waits for the rest of the time only', async () => {
  const { slots, begun, refused, call } = open({ limit: 1 })
  void call('free', { waitedMs: 6_000 })
  void call('late', { waitedMs: 5_000 })
  void call('early', { waitedMs: 4_000 })
  await vi.advanceTimersByTimeAsync(0)
  expect({ begun, refused, waiting: slots.waiting }).toEqual({ begun: ['free'], refused: ['late: full'], waiting: 1 })
  await vi.advanceTimersByTimeAsync(990)
  expect(refused).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(20)
  expect(refused).toEqual(['late: full', 'early: full'])
})
