import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Sweep } from '../../../src/data-plane/reference/reference-lists.ts'
import { down, setUpLists, TTL_MS, wholeList } from '../../support/reference-clock.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** Lists of `setUpLists`, with a clock and timers that advance together. */
function setUp(options: Parameters<typeof setUpLists>[0] = {}) {
  const lists = setUpLists(options)
  const later = async (milliseconds: number): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += TTL_MS / 100) {
      lists.state.now += TTL_MS / 100
      await vi.advanceTimersByTimeAsync(TTL_MS / 100)
    }
  }
  return { ...lists, later }
}

describe('a list that has been used since it was read', () => {
  test('is refreshed before it is stale, so that no caller waits', async () => {
    const { get, later, state, lists } = setUp()
    await get()
    await get()
    await later(TTL_MS * 0.75)
    expect(state.sweeps).toBe(1)
    await later(TTL_MS * 0.2)
    expect(state.sweeps).toBe(2)
    const neverEnds: Sweep = () => new Promise(() => undefined)
    expect(Buffer.from((await lists.get('a', neverEnds)).body).toString()).toBe('list 2')
  })

  test('is refreshed for as long as it is used', async () => {
    const { get, later, state } = setUp()
    await get()
    for (let i = 0; i < 10; i++) {
      await get()
      await later(TTL_MS * 0.9)
    }
    expect(state.sweeps).toBe(11)
  })

  test('is served while it is refreshed', async () => {
    const { get, later, lists } = setUp()
    let end = (): void => undefined
    const slow: Sweep = () =>
      new Promise((resolve) => {
        end = () => resolve(wholeList('slow list'))
      })
    await get()
    await lists.get('a', slow)
    await later(TTL_MS * 0.95)
    expect(await get()).toBe('list 1')
    end()
    await later(TTL_MS * 0.2)
    expect(await get()).toBe('slow list')
  })

  test('is refreshed with the sweep of its last caller', async () => {
    const { get, later, lists } = setUp()
    const sweeps: string[] = []
    const named =
      (name: string): Sweep =>
      async () =>
        wholeList(`${sweeps.push(name)}`)
    await get()
    for (const name of ['first', 'second', 'last']) await lists.get('a', named(name))
    await later(TTL_MS * 0.9)
    expect(sweeps).toEqual(['last'])
  })

  test('is refreshed even when it was used just before it is stale', async () => {
    const { get, state } = setUp()
    await get()
    state.now += TTL_MS - 1
    expect(await get()).toBe('list 1')
    await vi.advanceTimersByTimeAsync(0)
    expect(state.sweeps).toBe(2)
  })
})

test('a list that has not been used since it was read is not refreshed', async () => {
  const { get, later, state } = setUp()
  await get()
  await later(TTL_MS * 5)
  expect(state.sweeps).toBe(1)
})

test('a refresh is the only sweep of its list: callers of a stale list wait for it', async () => {
  const { get, later, lists, state } = setUp()
  let end = (): void => undefined
  const slow: Sweep = () =>
    new Promise((resolve) => {
      end = () => resolve(wholeList('slow list'))
    })
  await get()
  await lists.get('a', slow)
  await later(TTL_MS * 1.5)
  const waiting = Promise.all([get(), get()])
  end()
  expect(await waiting).toEqual(['slow list', 'slow list'])
  expect(state.sweeps).toBe(1)
})

test('lists are refreshed one after another', async () => {
  const { later, lists, get } = setUp()
  let atOnce = 0
  let most = 0
  const counted: Sweep = async () => {
    most = Math.max(most, ++atOnce)
    await new Promise((resolve) => setTimeout(resolve, TTL_MS * 0.06))
    atOnce--
    return wholeList('again')
  }
  for (const key of ['a', 'b', 'c']) {
    await get(key)
    await lists.get(key, counted)
  }
  await later(TTL_MS * 1.1)
  expect(most).toBe(1)
  expect([await get('a'), await get('b'), await get('c')]).toEqual(['again', 'again', 'again'])
})

describe('when a refresh fails', () => {
  test.each([
    ['v1 is down', down('unreachable')],
    ['its answer is malformed', down('malformed')],
    ['it answers 429', new Error('429')],
  ])('because %s, the list is served until it is stale, and the refresh is not repeated', async (_, failure) => {
    const { get, later, state } = setUp({ ttlMs: TTL_MS * 10 })
    await get()
    await get()
    state.failure = failure
    for (let i = 0; i < 98; i++) {
      expect(await get()).toBe('list 1')
      await later(TTL_MS * 0.1)
    }
    expect(state.sweeps).toBe(2)
  })

  test('a stale list is served as while v1 is down', async () => {
    const { get, later, state } = setUp()
    await get()
    await get()
    state.failure = down('unavailable')
    await later(TTL_MS * 1.1)
    expect(await get()).toBe('list 1')
    state.failure = down('malformed')
    await later(TTL_MS * 1.1)
    await expect(get()).rejects.toMatchObject({ kind: 'malformed' })
  })

  test('because v1 refuses the token, the list is dropped', async () => {
    const refusal = new Error('401')
    const { get, later, state } = setUp({ isRefusal: (error) => error === refusal })
    await get()
    await get()
    state.failure = refusal
    await later(TTL_MS * 0.9)
    await expect(get()).rejects.toBe(refusal)
  })
})

test('no list is refreshed after the lists are closed', async () => {
  const { get, later, lists, state } = setUp()
  await get()
  await get()
  lists.close()
  expect(vi.getTimerCount()).toBe(0)
  await later(TTL_MS * 0.9)
  expect(await get()).toBe('list 1')
  expect(state.sweeps).toBe(1)
})
