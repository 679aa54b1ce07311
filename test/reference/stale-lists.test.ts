import { describe, expect, test } from 'vitest'
import { down, STALE_MS, setUpLists as setUp, TTL_MS } from '../support/reference-clock.ts'

describe('while v1 is down', () => {
  test.each(['unreachable', 'timeout', 'unavailable', 'overloaded'] as const)(
    'the last list is served: %s',
    async (kind) => {
      const { state, get } = setUp()
      await get()
      state.now += TTL_MS + 1
      state.failure = down(kind)
      expect(await get()).toBe('list 1')
    },
  )

  test('v1 is not asked for every call', async () => {
    const { state, get } = setUp()
    await get()
    state.now += TTL_MS + 1
    state.failure = down('unreachable')
    for (const _ of Array(20)) await get()
    expect(state.sweeps).toBe(2)
  })

  test('the new list is served soon after v1 is well again', async () => {
    const { state, get } = setUp()
    await get()
    state.now += TTL_MS + 1
    state.failure = down('unreachable')
    await get()
    state.failure = undefined
    state.now += 5_000
    // The caller who finds v1 well may still get the last list: nobody waits for a v1 that was down a moment ago.
    await get()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await get()).toBe('list 3')
  })

  test('the last list is served no longer than it may be, counted from when it was read', async () => {
    const { state, get } = setUp()
    await get()
    state.failure = down('unreachable')
    state.now += STALE_MS / 2
    expect(await get()).toBe('list 1')
    state.now += STALE_MS / 2 + 10
    await expect(get()).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(get()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  // For as long as v1 is not asked again, the list is served beyond its time.
  test('the last list is served no longer than it may be, also when v1 was asked just before', async () => {
    const { state, get } = setUp()
    await get()
    state.failure = down('unreachable')
    state.now += STALE_MS - 10
    expect(await get()).toBe('list 1')
    state.now += 20
    await expect(get()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('without a list there is none to serve', async () => {
    const { state, get } = setUp()
    state.failure = down('unavailable')
    await expect(get()).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('a v1 that answers, and says no', () => {
  const refusal = new Error('401')

  test('a refusal of the token is passed on and drops the list', async () => {
    const { state, get } = setUp({ isRefusal: (error) => error === refusal })
    await get()
    state.now += TTL_MS + 1
    state.failure = refusal
    await expect(get()).rejects.toBe(refusal)
    state.failure = down('unreachable')
    await expect(get()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test.each([
    ['another refusal', new Error('429')],
    ['a malformed answer', down('malformed')],
    ['too large an answer', down('too-large')],
  ])('%s is passed on, and the list is kept for when v1 is down', async (_, failure) => {
    const { state, get } = setUp()
    await get()
    state.now += TTL_MS + 1
    state.failure = failure
    await expect(get()).rejects.toBe(failure)
    state.failure = down('unreachable')
    expect(await get()).toBe('list 1')
  })

  // The caller gets the last list once more, and only the one after that the refusal.
  test('is passed on also to the first caller after an outage', async () => {
    const { state, get } = setUp()
    await get()
    state.now += TTL_MS + 1
    state.failure = down('unreachable')
    await get()
    state.now += 5_000
    state.failure = refusal
    await expect(get()).rejects.toBe(refusal)
  })
})
