import { expect, it } from 'vitest'
import { openMemoryStore } from '../../../src/aside/open-memory-store.ts'
import type { UsageStore } from '../../../src/usage/usage-store.ts'
import { onBothEngines, type State } from '../../cutover/store/support/engines.ts'
import { dayAgo, manyClients, portion, row } from './support/made-up.ts'

/** Adds portions of invented clients. */
async function invent(usage: UsageStore, name: string, portions: number): Promise<void> {
  for (let at = 0; at < portions; at++) {
    await usage.add({ number: at + 1, rows: manyClients(500, name, at * 500) })
  }
}

const countOf = async (state: State, what: string): Promise<number> =>
  Number((await state.sql(`SELECT ${what} AS many`))[0]?.many)

await onBothEngines('usage of invented clients', (newState) => {
  it('has 10,000 clients a day, however many processes add how many; the others count together', async () => {
    const state = newState()
    const [one, other] = [await state.open('a'), await state.open('b')]
    await Promise.all([invent(one.usage, 'one', 12), invent(other.usage, 'other', 12)])
    const rows = await countOf(state, 'count(*) FROM usage')
    expect(rows).toBe(10_001)
    expect(await countOf(state, 'clients FROM usage_day')).toBe(10_000)
    expect(await countOf(state, 'sum(calls) FROM usage')).toBe(12_000)
    expect(await countOf(state, "calls FROM usage WHERE client = 'others'")).toBe(2_000)
    // Those that are known are told apart, also by a process that did not see them before.
    const [known] = await state.sql("SELECT client FROM usage WHERE client LIKE 'one%' LIMIT 1")
    const { usage } = await state.open('c')
    const more = [String(known?.client), 'unidentified', 'a late one'].map((client) => row({ client, calls: 50 }))
    await usage.add(portion(1, ...more))
    const read = await usage.read({ since: dayAgo(0) })
    // Of those that call most, as many as a day tells apart.
    expect(read).toHaveLength(10_000)
    expect(read.slice(0, 3).map(({ client, calls }) => [client, calls])).toEqual([
      ['others', 2_050],
      [known?.client, 51],
      ['unidentified', 50],
    ])
    // The next day has room again.
    await usage.add(portion(2, row({ client: 'a late one', days: -1 })))
    expect(await countOf(state, "count(*) FROM usage WHERE client = 'a late one'")).toBe(1)
  })
})

it('usage in memory has a bound of rows, of which the newest stay', async () => {
  const { store, usage } = openMemoryStore({ warn: () => undefined })
  await store.open(new Date())
  // A thousand clients of a day are told apart, each with some operations.
  for (let day = 12; day >= 0; day--) {
    for (let at = 0; at < 10; at++) {
      const rows = manyClients(125, 'client', 0).flatMap((one) =>
        ['one', 'two', 'three', 'four'].map((name) =>
          row({ days: day, client: one.client, operation: `${name} ${at}` }),
        ),
      )
      await usage.add({ number: (12 - day) * 10 + at + 1, rows })
    }
  }
  const rows = await usage.read({ since: dayAgo(400) })
  expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(50_000)
  const today = await usage.read({ since: dayAgo(0) })
  expect(today).toHaveLength(5_000)
  await store.close(500)
})
