import { describe, expect, test } from 'vitest'
import { down, STALE_MS, setUpLists as setUp, TTL_MS } from '../../support/reference-clock.ts'

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

  test('not every call is tried at v1', async () => {
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
    // The call that finds v1 well may still get the last list: no call waits for a v1 that was down a moment ago.
    await get()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await get()).toBe('list 3')
  })

  test('the last list is served for REFERENCE_STALE_S at most, counted from when it was read', async () => {
    const { state, get } = setUp()
    await get()
    state.failure = down('unreachable')
    state.now += STALE_MS / 2
    expect(await get()).toBe('list 1')
    state.now += STALE_MS / 2 + 10
    await expect(get()).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(get()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  // The pause before v1 is called again must not prolong the list.
  test('the last list is served for REFERENCE_STALE_S at most, even when v1 was called just before', async () => {
    const { state, get } = setUp()
    await get()
    state.failure = down('unreachable')
    state.now += STALE_MS - 10
    expect(await get()).toBe('list 1')
    state.now += 20
    await expect(get()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('a list that was never read cannot be served', async () => {
    const { state, get } = setUp()
    state.failure = down('unavailable')
    await expect(get()).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('a v1 that answers with a refusal', () => {
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

  // This caller gets the last list once more, and only the next one the refusal.
  test('is passed on even to the first caller after an outage', async () => {
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
