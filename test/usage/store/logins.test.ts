import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import type { KnownLogin, LoginStore } from '../../../src/usage/logins/login-store.ts'
import type { Stores } from '../../../src/workers/open-stores.ts'
import { ago, fileState, onBothEngines, type State } from '../../cutover/store/support/engines.ts'
import { stateFolder } from '../../support/comparing-process.ts'

const DAY_MS = 86_400_000

const login = (hash: string, client = 'shop'): KnownLogin => ({ hash, client })
const many = (rows: number, name: string, client = name): readonly KnownLogin[] =>
  Array.from({ length: rows }, (_, at) => login(`${name}-${at}`, client))

const storeOf = ({ logins }: Stores): LoginStore => {
  if (logins === undefined) throw new Error('they are not stored')
  return logins
}
const open = async (state: State, replica?: string): Promise<LoginStore> => storeOf(await state.open(replica))
const openConcurrent = async (state: State, replica: string): Promise<LoginStore> =>
  storeOf(await state.openConcurrent(replica))

/** Stores as many as are given, a hundred at once, as whoever has them does: a store that is busy is asked again. */
async function addAll(store: LoginStore, logins: readonly KnownLogin[]): Promise<void> {
  for (let at = 0; at < logins.length; ) {
    try {
      await store.add(logins.slice(at, at + 100))
      at += 100
    } catch (error) {
      expect(error).toMatchObject({ isBusy: true })
    }
  }
}

/** Reads what was stored after a page, to the end. */
async function readAll(store: LoginStore, after = 0): Promise<{ logins: readonly KnownLogin[]; next: number }> {
  const logins: KnownLogin[] = []
  for (let from = after; ; ) {
    const page = await store.read(from)
    logins.push(...page.logins)
    from = page.next
    if (page.isLast) return { logins, next: from }
  }
}

/** Fills the table, faster than by logging in. */
const fill = (state: State, rows: number, from = 0): Promise<unknown> =>
  state.sql(`
    WITH RECURSIVE n (n) AS (SELECT ${from + 1} UNION ALL SELECT n + 1 FROM n WHERE n < ${from + rows})
    INSERT INTO login (hash, client, number, at) SELECT 'filled-' || n, 'client ' || n, n, ${ago(0)} FROM n`)
const countTo = (state: State, number: number): Promise<unknown> =>
  state.sql(`UPDATE login_count SET number = ${number}`)

onBothEngines('logins', (newState) => {
  it('are read by others and after a restart, in order, each once, and what was read is not read again', async () => {
    const state = newState()
    const [one, other] = [await open(state, 'one'), await open(state, 'other')]
    expect(await other.read(0)).toEqual({ logins: [], next: 0, isLast: true })
    await one.add([login('a'), login('b', 'ışık 🌞')])
    await other.add([login('c', "o'shop")])
    const first = await readAll(other)
    expect(first.logins).toEqual([login('a'), login('b', 'ışık 🌞'), login('c', "o'shop")])
    expect(await other.read(first.next)).toEqual({ logins: [], next: first.next, isLast: true })
    await one.add([login('a', 'renamed'), login('d')])
    expect((await readAll(other, first.next)).logins).toEqual([login('a', 'renamed'), login('d')])
    expect((await readAll(await open(state))).logins).toEqual([
      ...[login('b', 'ışık 🌞'), login('c', "o'shop"), login('a', 'renamed'), login('d')],
    ])
  })

  it('are read in pages', async () => {
    const state = newState()
    const store = await open(state)
    await addAll(
      store,
      many(2_345, 'token', 'x').map(({ hash }, at) => login(hash, `client ${at}`)),
    )
    const pages = [await store.read(0)]
    while (pages.at(-1)?.isLast === false) pages.push(await store.read(pages.at(-1)?.next ?? 0))
    expect(pages.map(({ logins }) => logins.length)).toEqual([1_000, 1_000, 345])
    expect(new Set(pages.flatMap(({ logins }) => logins.map(({ hash }) => hash))).size).toBe(2_345)
  })

  it('are all read by a process that reads while several write', async () => {
    const state = newState()
    const stores = [
      await openConcurrent(state, 'a'),
      await openConcurrent(state, 'b'),
      await openConcurrent(state, 'c'),
    ]
    const reader = await openConcurrent(state, 'reader')
    const read: string[] = []
    let next = 0
    const readOn = async (): Promise<void> => {
      const page = await readAll(reader, next)
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
    await countTo(state, 20_051)
    // One that is in use is stored again, and is no longer among the oldest.
    await store.add([login('filled-2', 'client 2')])
    await addAll(
      store,
      many(300, 'late').map(({ hash }, at) => login(hash, `late ${at}`)),
    )
    const { logins } = await readAll(store)
    expect(logins.length).toBeGreaterThan(19_700)
    expect(logins.length).toBeLessThanOrEqual(20_000)
    const hashes = new Set(logins.map(({ hash }) => hash))
    expect([hashes.has('old'), hashes.has('filled-3'), hashes.has('filled-2')]).toEqual([false, false, true])
    expect([hashes.has('late-0'), hashes.has('filled-20000')]).toEqual([true, true])
  })

  it('of one client are 1,000 at most, so that it does not push out others', async () => {
    const store = await open(newState())
    await store.add([login('other', 'other')])
    await addAll(store, many(2_400, 'eager'))
    const { logins } = await readAll(store)
    const eager = logins.filter(({ client }) => client === 'eager').map(({ hash }) => hash)
    expect(eager.length).toBeLessThan(1_100)
    expect([eager[0], eager.at(-1), logins.some(({ client }) => client === 'other')]).toEqual([
      ...['eager-1400', 'eager-2399', true],
    ])
  })

  it('are deleted after 90 days, by both clocks', async () => {
    const state = newState()
    const store = await open(state)
    await store.add([login('fresh'), login('old'), login('older')])
    await state.sql(`UPDATE login SET at = ${ago(89 * DAY_MS)} WHERE hash = 'old'`)
    await state.sql(`UPDATE login SET at = ${ago(91 * DAY_MS)} WHERE hash = 'older'`)
    const hashes = async () => (await readAll(store)).logins.map(({ hash }) => hash)
    await store.forget(new Date(Date.now() - 5 * DAY_MS))
    expect(await hashes()).toEqual(['fresh', 'old', 'older'])
    await store.forget(new Date(Date.now() + 5 * DAY_MS))
    expect(await hashes()).toEqual(['fresh', 'old'])
  })

  it('are read again from the beginning when the state was restored', async () => {
    const state = newState()
    const store = await open(state)
    await addAll(store, many(3, 'a'))
    const { next } = await readAll(store)
    await state.sql("DELETE FROM login WHERE hash <> 'a-0'")
    await countTo(state, 1)
    expect((await readAll(store, next)).logins).toEqual([login('a-0', 'a')])
    for (const table of ['login', 'login_count']) await state.sql(`DELETE FROM ${table}`)
    expect(await readAll(store, next)).toEqual({ logins: [], next: 0 })
  })
})

it('a state file of a gateway before gets the tables of logins, and a removed one is created again with them', async () => {
  const file = join(stateFolder(), 'state.db')
  const { store } = await fileState(file).open()
  await store.close(500)
  const db = new DatabaseSync(file, { timeout: 10_000 })
  for (const table of ['login', 'login_count']) db.exec(`DROP TABLE ${table}`)
  db.close()
  const logins = await open(fileState(file))
  await logins.add([login('a')])
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
  await logins.add([login('b')])
  expect((await readAll(await open(fileState(file)))).logins).toEqual([login('a'), login('b')])
})
