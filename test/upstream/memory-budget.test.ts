import { describe, expect, test } from 'vitest'
import { type Holder, MemoryBudget, SMALL_BYTES } from '../../src/upstream/memory-budget.ts'

const KB = 1024
const holder = (): Holder => ({ held: 0 })
/** Large holders may take 875 of its 1,000 KB. */
const budget = (): MemoryBudget => new MemoryBudget(1_000 * KB)

describe('a request for memory that does not fit', () => {
  test('waits in line until there is room, and takes it', async () => {
    const memory = budget()
    const [one, other] = [holder(), holder()]
    await memory.holdWithin(one, 800 * KB, 'answer', 1_000)
    const waits = memory.holdWithin(other, 700 * KB, 'answer', 1_000)
    expect(memory.waiting).toBe(1)
    memory.letGo(one)
    await waits
    expect([memory.used, other.held, memory.waiting]).toEqual([700 * KB, 700 * KB, 0])
  })

  test('fails as overloaded, and is counted, when it has waited too long', async () => {
    const memory = budget()
    memory.hold(holder(), 800 * KB)
    const waits = memory.holdWithin(holder(), 700 * KB, 'answer', 10)
    await expect(waits).rejects.toMatchObject({ kind: 'overloaded' })
    expect([memory.refused.answer, memory.waiting, memory.used]).toEqual([1, 0, 800 * KB])
  })

  test('fails as overloaded at once when it exceeds the whole budget', async () => {
    await expect(budget().holdWithin(holder(), 900 * KB, 'request', 60_000)).rejects.toMatchObject({
      kind: 'overloaded',
    })
  })

  test('fails rather than wait in a deadlock: the last one in line gives way', async () => {
    const memory = budget()
    const [one, other] = [holder(), holder()]
    memory.hold(one, 400 * KB)
    memory.hold(other, 400 * KB)
    const first = memory.holdWithin(one, 200 * KB, 'answer', 60_000)
    const second = memory.holdWithin(other, 200 * KB, 'answer', 60_000)
    await expect(second).rejects.toMatchObject({ kind: 'overloaded' })
    memory.letGo(other)
    await first
    expect(one.held).toBe(600 * KB)
  })

  test('gives way in a deadlock although a waiter has taken something small meanwhile', async () => {
    const memory = budget()
    const [one, other] = [holder(), holder()]
    memory.hold(one, 400 * KB)
    memory.hold(other, 400 * KB)
    const first = memory.holdWithin(one, 200 * KB, 'answer', 60_000)
    memory.hold(one, SMALL_BYTES)
    const second = memory.holdWithin(other, 200 * KB, 'answer', 60_000)
    await expect(second).rejects.toMatchObject({ kind: 'overloaded' })
    memory.letGo(other)
    await first
    expect([one.held, memory.used]).toEqual([664 * KB, 664 * KB])
  })

  test('gives way in a deadlock although bodies of the waiting calls are kept too', async () => {
    const memory = budget()
    const kept = holder()
    const [one, other] = [{ held: 0, beside: kept }, holder()]
    memory.holdBeside(kept, 10 * KB, undefined)
    memory.hold(one, 400 * KB)
    memory.hold(other, 400 * KB)
    const first = memory.holdWithin(one, 200 * KB, 'answer', 60_000)
    const second = memory.holdWithin(other, 200 * KB, 'answer', 60_000)
    await expect(second).rejects.toMatchObject({ kind: 'overloaded' })
    memory.letGo(other)
    await first
    expect(one.held).toBe(600 * KB)
  })

  test('does not hold up small requests, for which a reserve is kept', () => {
    const memory = budget()
    memory.hold(holder(), 875 * KB)
    void memory.holdWithin(holder(), 100 * KB, 'answer', 10).catch(() => undefined)
    expect(memory.hold(holder(), 100 * KB)).toBe(false)
    expect(memory.hold(holder(), SMALL_BYTES)).toBe(true)
  })

  test('is refused first for comparing and recording: half of the memory is for calls, which never wait for them', () => {
    const memory = budget()
    const beside = holder()
    expect(memory.holdBeside(beside, 600 * KB, 'comparison')).toBe(false)
    expect(memory.holdBeside(beside, 400 * KB, 'comparison')).toBe(true)
    void memory.holdWithin(holder(), 600 * KB, 'answer', 10).catch(() => undefined)
    expect(memory.holdBeside(beside, 1, 'recording')).toBe(false)
    expect(memory.refused).toMatchObject({ comparison: 1, recording: 1 })
  })
})

describe('room that becomes free', () => {
  const holderOf = (share: string): Holder => ({ held: 0, share })

  /** Holders that fill the budget, and the calls that wait for it in this order, each for 200 KB. */
  function fill(holders: readonly (readonly [client: string, kilobytes: number])[], waiting: readonly string[]) {
    const memory = budget()
    const held = holders.map(([client, kilobytes]) => {
      const one = holderOf(client)
      expect(memory.hold(one, kilobytes * KB)).toBe(true)
      return one
    })
    const admitted: string[] = []
    const waiters = waiting.map((client) => {
      const waiter = holderOf(client)
      const done = (refusal: Error | undefined): unknown => admitted.push(refusal === undefined ? client : 'refused')
      return { waiter, cancel: memory.holdLater(waiter, 200 * KB, done) }
    })
    return { memory, held, waiters, admitted, letGo: (index: number) => memory.letGo(held[index] ?? holder()) }
  }

  test('goes to the client that holds least, however many of another have waited for longer', async () => {
    const { admitted, letGo } = fill(
      [
        ['noisy', 400],
        ['noisy', 400],
      ],
      ['noisy', 'noisy', 'noisy', 'polite'],
    )
    await null
    expect(admitted).toEqual([])
    letGo(0)
    expect(admitted).toEqual(['polite', 'noisy'])
  })

  test('goes to the one that has waited longest among clients that hold nothing', () => {
    const { admitted, letGo } = fill([['noisy', 800]], ['one', 'other', 'noisy', 'other'])
    letGo(0)
    expect(admitted).toEqual(['one', 'other', 'noisy', 'other'])
  })

  test('counts again for a client that has released what it held', () => {
    const { memory, waiters, admitted, letGo } = fill(
      [
        ['a', 400],
        ['b', 300],
      ],
      ['a', 'b', 'a'],
    )
    letGo(0)
    // a holds nothing now, and then as much as it got.
    expect(admitted).toEqual(['a', 'a'])
    for (const { waiter } of waiters) memory.letGo(waiter)
    expect([admitted, memory.waiting]).toEqual([['a', 'a', 'b'], 0])
  })

  test('goes past a wait that has ended', async () => {
    const { memory, waiters, admitted, letGo } = fill([['noisy', 800]], ['one', 'other'])
    waiters[0]?.cancel()
    letGo(0)
    expect([admitted, memory.waiting]).toEqual([['other'], 0])
  })

  test('comes first to the gateway itself, for which many clients may wait', () => {
    const { memory, admitted, letGo } = fill([['noisy', 800]], ['noisy', 'noisy'])
    memory.holdLater(holder(), 200 * KB, () => admitted.push('the gateway'))
    letGo(0)
    expect(admitted).toEqual(['noisy', 'the gateway', 'noisy'])
  })
})

describe('answers of unknown length, which take room step by step', () => {
  /** Three holders that receive one each. All but the eldest have taken nearly half of the memory: 400 of 437 KB. */
  function grow() {
    const memory = budget()
    const sizes: Readonly<Record<string, number>> = { a: 100, b: 200, c: 200 }
    const holders = Object.entries(sizes).map(([share, kilobytes]): Holder => {
      const one = { held: 0, share }
      memory.beginGrowing(one)
      expect(memory.hold(one, kilobytes * KB)).toBe(true)
      return one
    })
    const admitted: (string | undefined)[] = []
    const wait = (one: Holder, kilobytes: number): void => {
      memory.holdLater(one, kilobytes * KB, (refusal) => admitted.push(refusal === undefined ? one.share : 'refused'))
    }
    const [a, b, c] = holders as [Holder, Holder, Holder]
    return { memory, a, b, c, admitted, wait }
  }

  test('take half of the memory together, and the eldest takes more', () => {
    const { memory, a, b, c } = grow()
    expect([b, c].map((one) => memory.hold(one, 100 * KB))).toEqual([false, false])
    expect(memory.hold(holder(), 100 * KB)).toBe(true)
    expect(memory.hold(a, 200 * KB)).toBe(true)
  })

  test('become whole one after the other, in the order in which they began', async () => {
    const { memory, a, b, c, admitted, wait } = grow()
    for (const one of [c, b, a]) wait(one, 300)
    await null
    expect(admitted).toEqual(['a'])
    memory.endGrowing(a)
    await null
    // It is whole, and still has to be written.
    expect(admitted).toEqual(['a'])
    memory.end(a)
    expect(admitted).toEqual(['a', 'b'])
    memory.endGrowing(b)
    memory.end(b)
    expect(admitted).toEqual(['a', 'b', 'c'])
    memory.endGrowing(c)
    memory.end(c)
    expect([memory.used, memory.waiting]).toEqual([0, 0])
  })

  test('do not wait for one whose call is over', async () => {
    const { memory, a, b, admitted, wait } = grow()
    wait(b, 300)
    memory.end(a)
    await null
    expect(admitted).toEqual(['b'])
  })

  test('give way only if the eldest needs more than its half', async () => {
    const { a, b, c, admitted, wait } = grow()
    for (const one of [a, b, c]) wait(one, 500)
    await null
    expect(admitted).toEqual(['refused'])
  })
})
