import { expect, it } from 'vitest'
import type { LoginStore } from '../../../../src/control-plane/usage/logins/login-store.ts'
import type { TokenOwner } from '../../../../src/data-plane/gateway/login/known-tokens.ts'
import { ago, onBothEngines, type State } from '../../cutover/store/support/engines.ts'

const login = (hash: string, client = 'shop'): TokenOwner => ({ hash, client })
const many = (rows: number, name: string, client = name): readonly TokenOwner[] =>
  Array.from({ length: rows }, (_, at) => login(`${name}-${at}`, client))

const open = async (state: State, replica?: string): Promise<LoginStore> => (await state.open(replica)).logins

/** Stores as many as are given, a hundred at once, as whoever has them does: a store that is busy is asked again. */
async function addAll(store: LoginStore, logins: readonly TokenOwner[]): Promise<void> {
  for (let at = 0; at < logins.length; ) {
    try {
      await store.add(logins.slice(at, at + 100))
      at += 100
    } catch (error) {
      expect(error).toMatchObject({ isBusy: true })
    }
  }
}

/** Fills the ledger, faster than by logging in. */
const fill = (state: State, rows: number, from = 0): Promise<unknown> =>
  state.sql(`
    WITH RECURSIVE n (n) AS (SELECT ${from + 1} UNION ALL SELECT n + 1 FROM n WHERE n < ${from + rows})
    INSERT INTO ledger (kind, key, part, number, at, doc)
    SELECT 'login', 'filled-' || n, 'client ' || n, n, ${ago(0)}, ${state.bytes(Buffer.from('"a client"'))} FROM n`)
const countTo = (state: State, number: number): Promise<unknown> =>
  state.sql(`UPDATE ledger_head SET number = ${number} WHERE kind = 'login'`)

onBothEngines('logins', (newState) => {
  it('are read by others and after a restart, in order, each once, and what was read is not read again', async () => {
    const state = newState()
    const [one, other] = [await open(state, 'one'), await open(state, 'other')]
    expect(await other.read(0)).toEqual({ logins: [], next: 0 })
    await one.add([login('a'), login('b', 'ışık 🌞')])
    await other.add([login('c', "o'shop")])
    const first = await other.read(0)
    expect(first.logins).toEqual([login('a'), login('b', 'ışık 🌞'), login('c', "o'shop")])
    expect(await other.read(first.next)).toEqual({ logins: [], next: first.next })
    await one.add([login('a', 'renamed'), login('d')])
    expect((await other.read(first.next)).logins).toEqual([login('a', 'renamed'), login('d')])
    expect((await (await open(state)).read(0)).logins).toEqual([
      ...[login('b', 'ışık 🌞'), login('c', "o'shop"), login('a', 'renamed'), login('d')],
    ])
  })

  it('are all read by a process that reads while several write', async () => {
    const state = newState()
    const stores = [await open(state, 'a'), await open(state, 'b'), await open(state, 'c')]
    const reader = await open(state, 'reader')
    const read: string[] = []
    let next = 0
    const readOn = async (): Promise<void> => {
      const page = await reader.read(next)
      next = page.next
      read.push(...page.logins.map(({ hash }) => hash))
    }
    let isDone = false
    const reading = (async () => {
      while (!isDone) await readOn()
    })()
    await Promise.all(
      stores.map(async (store, at) => {
        for (let n = 0; n < 20; n++) await addAll(store, [login(`${at}-${n}`)])
      }),
    )
    isDone = true
    await reading
    await readOn()
    expect(read).toHaveLength(60)
    expect(new Set(read).size).toBe(60)
  })

  it('are 20,000 at most, and the newest stay', async () => {
    const state = newState()
    const store = await open(state)
    await store.add([login('old')])
    await fill(state, 20_050, 1)
    // With the last one, what is beyond the bound is deleted.
    await countTo(state, 20_056)
    // One that is in use is stored again, and is no longer among the oldest.
    await store.add([login('filled-2', 'client 2')])
    await addAll(
      store,
      many(300, 'late').map(({ hash }, at) => login(hash, `late ${at}`)),
    )
    const { logins } = await store.read(0)
    expect(logins.length).toBeGreaterThan(17_900)
    expect(logins.length).toBeLessThanOrEqual(20_000)
    const hashes = new Set(logins.map(({ hash }) => hash))
    expect([hashes.has('old'), hashes.has('filled-3'), hashes.has('filled-2')]).toEqual([false, false, true])
    expect([hashes.has('late-0'), hashes.has('filled-20000')]).toEqual([true, true])
  })

  it('of one client are 1,000 at most, so that it does not push out others', async () => {
    const store = await open(newState())
    await store.add([login('other', 'other')])
    await addAll(store, many(2_400, 'eager'))
    const { logins } = await store.read(0)
    const eager = logins.filter(({ client }) => client === 'eager').map(({ hash }) => hash)
    expect(eager.length).toBeLessThan(1_100)
    expect([eager[0], eager.at(-1), logins.some(({ client }) => client === 'other')]).toEqual([
      ...['eager-1400', 'eager-2399', true],
    ])
  })

  it('are read again from the beginning when the state was restored', async () => {
    const state = newState()
    const store = await open(state)
    for (const one of many(3, 'a')) await store.add([one])
    const { next } = await store.read(0)
    await state.sql("DELETE FROM ledger WHERE key <> 'a-0'")
    await countTo(state, 1)
    expect((await store.read(next)).logins).toEqual([login('a-0', 'a')])
    for (const table of ['ledger', 'ledger_head']) await state.sql(`DELETE FROM ${table}`)
    expect(await store.read(next)).toEqual({ logins: [], next: 0 })
  })
})
