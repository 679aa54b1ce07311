import { expect, it } from 'vitest'
import { openFileStore } from '../../../../src/app/stores.ts'
import type { Engine } from '../../../../src/control-plane/store/engine.ts'
import { sqliteEngine } from '../../../../src/control-plane/store/sqlite-engine.ts'
import { usagePage } from '../../../../src/control-plane/usage/store/read-pages.ts'
import { type UsageBounds, usageStore } from '../../../../src/control-plane/usage/store/usage-store-on.ts'
import type { UsageStore } from '../../../../src/control-plane/usage/usage-store.ts'
import { onBothEngines, type State } from '../../cutover/store/support/engines.ts'
import { addAnyhow, dayAgo, dayNumberAgo, manyClients, portion, row } from './support/made-up.ts'

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
    const [one, other] = [await state.open('a'), await state.open('b')]
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

const usageOn = (engine: Engine, bounds?: UsageBounds) =>
  usageStore({ engine, process: 'this', bounds, log: { warn: () => undefined } })
const pageOf = (engine: Engine, after: string, most: number) =>
  engine.transaction(() => usagePage({ since: dayAgo(30) }, after, most), 'read')

it('usage in memory has a bound of rows, and the newest stay', async () => {
  const engine = sqliteEngine({ path: ':memory:', holder: 'this' })
  const usage = usageOn(engine, { mostClients: 1_000, pageRows: 2_000, mostRows: 100 })
  for (let days = 12; days >= 0; days--) {
    const rows = manyClients(20, 'client').map(({ client }) => row({ client, days }))
    await usage.add({ number: 13 - days, rows })
  }
  const rows = await usage.read({ since: dayAgo(400) })
  expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(100)
  expect((await usage.read({ since: dayAgo(2) })).map(({ calls }) => calls)).toEqual(Array(20).fill(3))
  engine.close()
})

it('a page has a bound of rows, unless one client has more', async () => {
  const engine = sqliteEngine({ path: ':memory:', holder: 'this' })
  const usage = usageOn(engine)
  const days: Readonly<Record<string, number>> = { a: 1, b: 3, c: 1, d: 9, e: 2, f: 1, g: 1 }
  const rows = Object.entries(days).flatMap(([client, many]) =>
    Array.from({ length: many }, (_, at) => row({ client, days: at })),
  )
  await usage.add({ number: 1, rows })
  const pages: string[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await pageOf(engine, after, 4)
    pages.push(page.rows.map(({ client, calls }) => `${client}${calls}`).join(' '))
    after = page.last
  }
  expect(pages).toEqual(['a1 b3', 'c1', 'd9', 'e2 f1 g1'])
  engine.close()
})

it.each([
  ['25 clients, if they have many rows', 5, [25, 25, 25, 25, 25, 15]],
  ['125 clients, if the first have few rows', 2, [125, 15]],
])('a page has at most %s', async (_, days, sizes) => {
  const engine = sqliteEngine({ path: ':memory:', holder: 'this' })
  const usage = usageOn(engine)
  for (let at = 1; at <= days; at++) {
    const rows = Array.from({ length: 140 }, (_, index) => row({ client: `client ${index}`, days: days - at }))
    await usage.add({ number: at, rows })
  }
  const pages: number[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await pageOf(engine, after, 400)
    pages.push(page.rows.length)
    after = page.last
  }
  expect(pages).toEqual(sizes)
  engine.close()
})

it('memory stores usage until the process ends', async () => {
  const { store, usage } = openFileStore(':memory:', {
    ...{ replica: 'this', log: { warn: () => undefined } },
  })
  await store.open()
  await usage.add(portion(1, row({ days: 8 })))
  await usage.add(portion(1, row({ days: 8 })))
  expect(await usage.add(portion(2, row()))).toMatchObject([{ operation: 'one' }])
  expect(await usage.read({ since: dayAgo(30) })).toMatchObject([{ client: 'shop', calls: 2 }])
  expect(await usage.weeks()).toHaveLength(2)
  await store.close(500)
})
