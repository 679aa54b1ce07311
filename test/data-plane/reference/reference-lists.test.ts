import { describe, expect, test } from 'vitest'
import { down, setUpLists as setUp, TTL_MS } from '../../support/reference-clock.ts'

describe('a fresh list', () => {
  test('is not read again', async () => {
    const { state, get } = setUp()
    await get()
    state.now += TTL_MS * 0.75
    expect(await get()).toBe('list 1')
    expect(state.sweeps).toBe(1)
  })

  test('is read again once it is stale', async () => {
    const { state, get } = setUp()
    await get()
    state.now += TTL_MS + 1
    expect(await get()).toBe('list 2')
  })

  test('is kept by its key', async () => {
    const { get } = setUp()
    expect([await get('a'), await get('b'), await get('a')]).toEqual(['list 1', 'list 2', 'list 1'])
  })

  test('is served without a call of v1, even in an outage', async () => {
    const { state, get } = setUp()
    await get()
    state.failure = down('unreachable')
    expect(await get()).toBe('list 1')
    expect(state.sweeps).toBe(1)
  })
})

describe('many callers at once', () => {
  test('share one sweep', async () => {
    const { state, get } = setUp()
    const answers = await Promise.all(Array.from({ length: 50 }, () => get()))
    expect(new Set(answers)).toEqual(new Set(['list 1']))
    expect(state.sweeps).toBe(1)
  })

  test('share its failure, and the next one tries again', async () => {
    const { state, get } = setUp()
    state.failure = down('timeout')
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => get()))
    expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'rejected'))
    expect(state.sweeps).toBe(1)
    state.failure = undefined
    expect(await get()).toBe('list 2')
  })
})

describe('the memory of lists', () => {
  test('is limited: the list that is unused for longest is dropped', async () => {
    const { state, get } = setUp({ maxBytes: 40 })
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await get(key)
    await get('a')
    expect(state.sweeps).toBe(8)
  })

  test('does not prevent an answer with a list that exceeds it', async () => {
    const { get } = setUp({ maxBytes: 3 })
    expect(await get()).toBe('list 1')
    expect(await get()).toBe('list 2')
  })
})
