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
