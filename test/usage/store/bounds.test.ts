import { expect, it } from 'vitest'
import { stateDb } from '../../../src/compare/tally/state-db.ts'
import { sqliteEngine } from '../../../src/state/sql.ts'
import { memoryUsageDb } from '../../../src/usage/store/memory-db.ts'
import { usageDb } from '../../../src/usage/store/usage-db.ts'
import type { UsageStore } from '../../../src/usage/usage-store.ts'
import { openMemoryStore } from '../../../src/workers/open-stores.ts'
import { onBothEngines, type State } from '../../cutover/store/support/engines.ts'
import { countTurns } from '../../support/count-turns.ts'
import { addAnyhow, dayAgo, dayNumberAgo, manyClients, portion, row, seen } from './support/made-up.ts'

/** Stores a call today of each of so many clients, faster than by counting them. */
async function fill(state: State, clients: number): Promise<void> {
  const [day, now] = [dayNumberAgo(0), `'${new Date().toISOString()}'`]
  await state.sql(`
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${clients})
    INSERT INTO usage (client, day, operation, calls, client_errors, server_errors, by_v1, by_legacy, first_at, last_at, agents, doc)
    SELECT 'filled ' || n, ${day}, 'one', 1, 0, 0, 1, 0, ${now}, ${now}, '[]', '{}' FROM n`)
  await state.sql(`INSERT INTO usage_day (day, clients) VALUES (${day}, ${clients})`)
}

/** Adds portions of invented clients. */
async function invent(usage: UsageStore, name: string, portions: number): Promise<void> {
  for (let at = 0; at < portions; at++) {
    await addAnyhow(usage, { number: at + 1, rows: manyClients(500, name, at * 500) })
  }
}

const countOf = async (state: State, what: string, from = 'usage'): Promise<number> =>
  Number((await state.sql(`SELECT ${what} AS many FROM ${from}`))[0]?.many)

onBothEngines('usage of invented clients', (newState) => {
  it('has 10,000 clients a day, however many processes add how many; the others count together', async () => {
    const state = newState()
    const [one, other] = [await state.openConcurrent('a'), await state.openConcurrent('b')]
    await fill(state, 8_000)
    await Promise.all([invent(one.usage, 'one', 4), invent(other.usage, 'other', 4)])
    const rows = await countOf(state, 'count(*)')
    expect(rows).toBe(10_001)
    expect(await countOf(state, 'clients', 'usage_day')).toBe(10_000)
    expect(await countOf(state, 'sum(calls)')).toBe(12_000)
    expect(await countOf(state, 'calls', "usage WHERE client = 'others'")).toBe(2_000)
    // Those that are known are told apart, also by a process that did not see them before.
    const [known] = await state.sql("SELECT client FROM usage WHERE client LIKE 'filled%' LIMIT 1")
    const { usage } = await state.open('c')
    const more = [String(known?.client), 'unidentified', 'a late one'].map((client) => row({ client, calls: 50 }))
    await usage.add(portion(1, ...more))
    const read = await usage.read({ since: dayAgo(0) })
    // As many clients as a day tells apart, and the two names that stand for others.
    expect(read).toHaveLength(10_002)
    expect(read.reduce((sum, { calls }) => sum + calls, 0)).toBe(12_150)
    expect(read.slice(0, 3).map(({ client, calls }) => [client, calls])).toEqual([
      ['others', 2_050],
      [known?.client, 51],
      ['unidentified', 50],
    ])
    // The next day has room again.
    await usage.add(portion(2, row({ client: 'a late one', days: -1 })))
    expect(await countOf(state, 'count(*)', "usage WHERE client = 'a late one'")).toBe(1)
  })
})

it('usage in memory has a bound of rows, and the newest stay', async () => {
  const db = stateDb(':memory:', 'this')
  const usage = memoryUsageDb(db, sqliteEngine(db), 100)
  for (let days = 12; days >= 0; days--) {
    const rows = manyClients(20, 'client').map(({ client }) => row({ client, days }))
    await usage.add('this', { number: 13 - days, rows })
  }
  const { rows } = await usage.read({ since: dayAgo(400) }, '')
  expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(100)
  expect((await usage.read({ since: dayAgo(2) }, '')).rows.map(({ calls }) => calls)).toEqual(Array(20).fill(3))
  db.close()
})

it('a page has a bound of rows, unless one client has more', async () => {
  const db = stateDb(':memory:', 'this')
  const usage = usageDb(sqliteEngine(db), { mostClients: 100, pageRows: 4 })
  const days: Readonly<Record<string, number>> = { a: 1, b: 3, c: 1, d: 9, e: 2, f: 1, g: 1 }
  const rows = Object.entries(days).flatMap(([client, many]) =>
    Array.from({ length: many }, (_, at) => row({ client, days: at })),
  )
  await usage.add('this', { number: 1, rows })
  const pages: string[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await usage.read({ since: dayAgo(30) }, after)
    pages.push(page.rows.map(({ client, calls }) => `${client}${calls}`).join(' '))
    after = page.last
  }
  expect(pages).toEqual(['a1 b3', 'c1', 'd9', 'e2 f1 g1'])
  db.close()
})

it.each([
  ['25 clients, if they have many rows', 5, [25, 25, 25, 25, 25, 15]],
  ['125 clients, if the first have few rows', 2, [125, 15]],
])('a page has at most %s', async (_, days, sizes) => {
  const db = stateDb(':memory:', 'this')
  const usage = usageDb(sqliteEngine(db), { mostClients: 200, pageRows: 400 })
  for (let at = 1; at <= days; at++) {
    const rows = Array.from({ length: 140 }, (_, index) => row({ client: `client ${index}`, days: days - at }))
    await usage.add('this', { number: at, rows })
  }
  const pages: number[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await usage.read({ since: dayAgo(30) }, after)
    pages.push(page.rows.length)
    after = page.last
  }
  expect(pages).toEqual(sizes)
  db.close()
})

it('memory lets the event loop turn while it stores a portion, and counts it once, however it failed before', async () => {
  const db = stateDb(':memory:', 'this')
  let failsAt = 3
  const engine = sqliteEngine(db)
  const usage = memoryUsageDb(db, {
    transaction: async (work, kind) => {
      if (kind === undefined && --failsAt === 0) throw new Error('away')
      return engine.transaction(work, kind)
    },
  })
  const given = { number: 1, rows: manyClients(200, 'client') }
  await expect(usage.add('this', given)).rejects.toThrow('away')
  let [turns, isStored] = [0, false]
  const turn = (): void => {
    turns++
    if (!isStored) setImmediate(turn)
  }
  setImmediate(turn)
  await usage.add('this', given)
  await usage.add('this', given)
  isStored = true
  expect(turns).toBeGreaterThan(5)
  let calls = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await usage.read({ since: dayAgo(0) }, after)
    calls += page.rows.reduce((sum, one) => sum + one.calls, 0)
    after = page.last
  }
  expect(calls).toBe(200)
  db.close()
})

it('memory lets the event loop turn while it reads what the calls of one client showed, and returns the same', async () => {
  const db = stateDb(':memory:', 'this')
  const usage = memoryUsageDb(db, sqliteEngine(db))
  const operations = ['one', 'two', 'three', 'four', 'five']
  // The order of what is read goes by the last day: not the same for all operations.
  const rows = operations.flatMap((operation, first) =>
    Array.from({ length: 30 }, (_, at) =>
      row({
        operation,
        days: 3 * (first % 3) + at,
        agents: [`agent ${at % 7}`],
        seen: seen({ members: { [`m${at}`]: 1 } }),
      }),
    ),
  )
  await usage.add('this', { number: 1, rows: [...rows, row({ client: 'another' })] })
  const inOneGo = usageDb(sqliteEngine(db))
  for (const query of [{ since: dayAgo(400), client: 'shop' }, { since: dayAgo(20) }]) {
    const [page, turns] = await countTurns(() => usage.read(query, 'another'))
    expect(page).toEqual(await inOneGo.read(query, 'another'))
    expect(page.rows).toHaveLength(operations.length)
    expect(turns).toBeGreaterThanOrEqual(operations.length)
  }
  db.close()
})

it('memory stores usage until the process ends', async () => {
  const { store, usage } = openMemoryStore({ warn: () => undefined })
  await store.open(new Date())
  await usage.add(portion(1, row({ days: 8 })))
  await usage.add(portion(1, row({ days: 8 })))
  expect(await usage.add(portion(2, row()))).toMatchObject([{ operation: 'one' }])
  expect(await usage.read({ since: dayAgo(30) })).toMatchObject([{ client: 'shop', calls: 2 }])
  expect(await usage.weeks()).toHaveLength(2)
  await usage.forgetBefore(dayAgo(400))
  await store.close(500)
})
