import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Holder, MemoryBudget, SMALL_BYTES } from '../../../src/data-plane/upstream/memory-budget.ts'

const KB = 1024
/** Of its 1,800 KB, requests get 600 and answers 1,200; large ones 525 and 1,050 of these. */
const budget = (): MemoryBudget => new MemoryBudget(1_800 * KB)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a request for memory that does not fit', () => {
  test('waits until there is room, and takes it', async () => {
    const memory = budget()
    const [one, other] = [new Holder(), new Holder()]
    await memory.holdSoon(one, 'answer', 800 * KB)
    const waits = memory.holdSoon(other, 'answer', 700 * KB)
    expect(memory.waiting).toBe(1)
    memory.letGo(one, 'answer', 800 * KB)
    await waits
    expect([memory.used, other.answer, memory.waiting]).toEqual([700 * KB, 700 * KB, 0])
  })

  test('fails as overloaded, and is counted, when it has waited for five seconds', async () => {
    const memory = budget()
    memory.hold(new Holder(), 'answer', 800 * KB)
    const waits = memory.holdSoon(new Holder(), 'answer', 700 * KB)
    const failed = expect(waits).rejects.toMatchObject({ kind: 'overloaded' })
    await vi.advanceTimersByTimeAsync(4_999)
    expect(memory.waiting).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    await failed
    expect([memory.refused.answer, memory.waiting, memory.used]).toEqual([1, 0, 800 * KB])
  })

  test('fails as overloaded at once when it exceeds the whole part', async () => {
    const memory = budget()
    await expect(memory.holdSoon(new Holder(), 'request', 530 * KB)).rejects.toMatchObject({ kind: 'overloaded' })
    expect([memory.refused.request, memory.most('request')]).toEqual([1, 525 * KB])
  })

  test('comes first, served first', async () => {
    const memory = budget()
    const first = new Holder()
    memory.hold(first, 'answer', 1_000 * KB)
    const admitted: string[] = []
    const wait = (name: string, kilobytes: number) =>
      memory.holdSoon(new Holder(), 'answer', kilobytes * KB).then(() => admitted.push(name))
    const all = [wait('large', 900), wait('smaller', 100)]
    memory.letGo(first, 'answer', 500 * KB)
    // The smaller one would fit.
    expect(memory.hold(new Holder(), 'answer', 100 * KB)).toBe(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(admitted).toEqual([])
    memory.end(first)
    await Promise.all(all)
    expect(admitted).toEqual(['large', 'smaller'])
  })

  test('lets the next one go when it gives up', async () => {
    const memory = budget()
    memory.hold(new Holder(), 'answer', 800 * KB)
    const refused = memory.holdSoon(new Holder(), 'answer', 700 * KB).catch(() => 'refused')
    await vi.advanceTimersByTimeAsync(1_000)
    const next = memory.holdSoon(new Holder(), 'answer', 200 * KB)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(await refused).toBe('refused')
    await next
  })

  test('waits no longer, and takes nothing, once the work of its holder is over', async () => {
    const memory = budget()
    const [first, gone, next] = [new Holder(), new Holder(), new Holder()]
    memory.hold(first, 'answer', 800 * KB)
    const waits = [memory.holdSoon(gone, 'answer', 900 * KB), memory.holdSoon(next, 'answer', 250 * KB)]
    memory.end(gone)
    await Promise.all(waits)
    memory.holdAnyway(gone, 100)
    expect([gone.answer, next.answer, memory.used]).toEqual([0, 250 * KB, 1_050 * KB])
  })

  test('does not hold up small requests, for which a reserve is kept', () => {
    const memory = budget()
    memory.hold(new Holder(), 'request', 525 * KB)
    void memory.holdSoon(new Holder(), 'request', 100 * KB)
    expect(memory.hold(new Holder(), 'request', 70 * KB)).toBe(false)
    expect(memory.hold(new Holder(), 'request', SMALL_BYTES)).toBe(true)
  })

  test('does not wait for the other part', () => {
    const memory = budget()
    memory.hold(new Holder(), 'request', 525 * KB)
    void memory.holdSoon(new Holder(), 'request', 100 * KB)
    expect(memory.hold(new Holder(), 'answer', 1_000 * KB)).toBe(true)
  })

  test('is refused first for comparing and recording: they take no more than half, and calls never wait for them', () => {
    const memory = budget()
    const beside = new Holder()
    expect(memory.holdBeside(beside, 1_000 * KB, 'comparison')).toBe(false)
    expect(memory.holdBeside(beside, 800 * KB, 'comparison')).toBe(true)
    void memory.holdSoon(new Holder(), 'answer', 600 * KB)
    expect(memory.holdBeside(beside, 1, 'recording')).toBe(false)
    expect(memory.refused).toMatchObject({ comparison: 1, recording: 1 })
  })
})

test('a call that writes its answer holds no more than that', () => {
  const memory = budget()
  const holder = new Holder()
  memory.hold(holder, 'request', 300 * KB)
  memory.hold(holder, 'answer', 900 * KB)
  memory.settle(holder, 400 * KB)
  expect([holder.request, holder.answer, memory.used]).toEqual([0, 400 * KB, 400 * KB])
  memory.end(holder)
  expect(memory.used).toBe(0)
})
