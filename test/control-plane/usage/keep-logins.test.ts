import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { StateError } from '../../../src/control-plane/store/state-error.ts'
import { keepLogins } from '../../../src/control-plane/usage/logins/keep-logins.ts'
import type { TokenOwner } from '../../../src/data-plane/gateway/login/known-tokens.ts'

const login = (hash: string, client = 'shop'): TokenOwner => ({ hash, client })

/** A keeper before a store in memory, which can be away. */
function bed() {
  const stored: TokenOwner[] = []
  const given: number[] = []
  const learnt: TokenOwner[] = []
  const errors: unknown[] = []
  const state: { away?: Error | undefined; answers?: Promise<void> } = {}
  const work = async (): Promise<void> => {
    if (state.away !== undefined) throw state.away
    await state.answers
  }
  const keeper = keepLogins({
    store: {
      async add(logins) {
        await work()
        given.push(logins.length)
        stored.push(...logins)
      },
      async read(after) {
        await work()
        return { logins: stored.slice(after), next: stored.length }
      },
    },
    learn: (one) => learnt.push(one),
    log: { error: (problem: unknown) => void errors.push(problem) },
  })
  return { stored, given, learnt, errors, state, keeper }
}

it('what is noted is stored in pieces of 100, and what others store is learnt once', async () => {
  const { stored, given, learnt, keeper } = bed()
  stored.push(login('a'), login('b'), login('c'))
  await keeper.keep()
  expect([given, learnt.splice(0)]).toEqual([[], [login('a'), login('b'), login('c')]])
  for (let n = 0; n < 250; n++) keeper.note(login(`${n}`))
  await keeper.keep()
  expect([given, learnt.length]).toEqual([[100, 100, 50], 250])
  await keeper.keep()
  expect([given.length, learnt.length]).toEqual([3, 250])
})

it('while the store is away all waits, up to 20,000, and only another error is logged, once', async () => {
  const { stored, learnt, errors, state, keeper } = bed()
  stored.push(login('other'))
  state.away = new StateError('away', true)
  for (let n = 0; n < 20_001; n++) keeper.note(login(`${n}`))
  keeper.note(login('7', 'the last one'))
  await keeper.keep()
  expect(errors).toEqual([])
  state.away = undefined
  await keeper.keep()
  expect(stored.length).toBe(20_001)
  expect([stored[1], stored.at(-1)]).toEqual([login('1'), login('7', 'the last one')])
  expect(learnt.slice(0, 3)).toEqual([login('other'), login('1'), login('2')])
  state.away = new TypeError('a bug')
  await keeper.keep()
  await keeper.keep()
  expect(errors).toHaveLength(1)
})

it('what was noted while it was stored is stored too, and not overwritten by what is read meanwhile', async () => {
  const { stored, learnt, state, keeper } = bed()
  stored.push(login('a', 'before'))
  const { promise, resolve } = Promise.withResolvers<void>()
  state.answers = promise
  const kept = keeper.keep()
  await nextTurn()
  keeper.note(login('a', 'now'))
  resolve()
  await kept
  expect(learnt).toEqual([])
  await keeper.keep()
  expect(stored).toEqual([login('a', 'before'), login('a', 'now')])
  const later = Promise.withResolvers<void>()
  state.answers = later.promise
  keeper.note(login('b', 'before'))
  const keptLater = keeper.keep()
  await nextTurn()
  keeper.note(login('b', 'now'))
  later.resolve()
  await keptLater
  expect(stored.slice(2)).toEqual([login('b', 'before'), login('b', 'now')])
})

it('a client id that a database would change is not stored: it could become another’s', async () => {
  const { stored, keeper } = bed()
  keeper.note(login('a', 'shop\0'))
  keeper.note(login('b', 'shop\ud800'))
  keeper.note(login('c', 'shop\ufffd'))
  await keeper.keep()
  expect(stored).toEqual([login('c', 'shop\ufffd')])
})

it('what is left is stored at the end, as soon as the store is back, and not waited for longer', async () => {
  const { stored, state, keeper } = bed()
  keeper.note(login('a'))
  state.away = new StateError('away', true)
  const closed = keeper.close(60_000)
  await keeper.keep()
  state.away = undefined
  await closed
  expect(stored).toEqual([login('a')])
  keeper.note(login('b'))
  state.away = new StateError('away', true)
  await keeper.close(0)
  expect(stored).toEqual([login('a')])
})
