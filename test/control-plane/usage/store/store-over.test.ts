import { expect, it } from 'vitest'
import type { Engine } from '../../../../src/control-plane/store/engine.ts'
import { usageStore } from '../../../../src/control-plane/usage/store/usage-store-on.ts'
import { MOST_CLIENTS, type OperationUsage } from '../../../../src/control-plane/usage/usage.ts'
import { row, seen } from './support/made-up.ts'

const clients = Array.from({ length: 200 }, (_, n) => `client ${n}`)

/** A store whose database has all its rows on one page. */
const onePage = (rows: readonly unknown[]) => {
  const page = async () => ({ rows, last: undefined, unreadable: [] })
  const engine = { transaction: page } as unknown as Engine
  return usageStore({ engine, process: 'this', log: { warn: () => undefined } })
}

it('what was read is put together, the most calls first', async () => {
  const store = onePage(clients.map((client, calls) => row({ client, calls })))
  const rows = await store.read({ since: '2025-03-04' })
  expect(rows.map(({ client }) => client)).toEqual(clients.toReversed())
})

it('the weeks that were read are put together', async () => {
  const weeks = clients.flatMap((client) =>
    [0, 1].map((weeksAgo) => ({ client, operation: 'one', weeksAgo, calls: 1 })),
  )
  expect(await onePage(weeks).weeks()).toEqual(weeks)
})

it('of more clients than are told apart, the calls of all others count together, so that no call is lost', async () => {
  const many = (MOST_CLIENTS + 1_500) * 2
  const rows = Array.from({ length: many }, (_, at) =>
    row({
      ...{ client: `client ${at >> 1}`, operation: at % 2 === 0 ? 'one' : 'two', calls: 1 + (at >> 1), byLegacy: 1 },
      seen: seen({ calls: 1, other: 1, members: { page: 1 } }),
    }),
  )
  const apart = [row({ client: 'others', calls: 5 }), row({ client: 'unidentified', operation: 'two', calls: 1 })]
  const all = [...rows, ...apart]
  const sums = (of: readonly OperationUsage[]) => ({
    calls: of.reduce((sum, { calls }) => sum + calls, 0),
    byLegacy: of.reduce((sum, { byLegacy }) => sum + byLegacy, 0),
    looked: of.reduce((sum, { seen }) => sum + seen.calls + seen.other + (seen.members.page ?? 0), 0),
  })
  const read = await onePage(all).read({ since: '2025-03-04' })
  expect(sums(read)).toEqual(sums(all))
  const clients = new Set(read.map(({ client }) => client))
  expect(clients.size).toBe(MOST_CLIENTS + 2)
  // Those with the fewest calls give way.
  expect([clients.has('client 1499'), clients.has('client 1500')]).toEqual([false, true])
  const others = read.filter(({ client }) => client === 'others')
  const ofOne = rows.filter(({ operation }, at) => at >> 1 < 1_500 && operation === 'one')
  expect(others.map(({ operation }) => operation).sort()).toEqual(['one', 'two'])
  expect(others.find(({ operation }) => operation === 'one')?.calls).toBe(sums(ofOne).calls + 5)
})

it('of more clients than are told apart, no week loses a call', async () => {
  const weeks = Array.from({ length: MOST_CLIENTS + 10 }, (_, at) => ({
    ...{ client: `client ${at}`, operation: 'one', weeksAgo: at % 2, calls: 1 + at },
  }))
  const read = await onePage(weeks).weeks()
  for (const ago of [0, 1]) {
    const callsOf = (all: typeof weeks) =>
      all.filter(({ weeksAgo }) => weeksAgo === ago).reduce((sum, { calls }) => sum + calls, 0)
    expect(callsOf([...read])).toBe(callsOf(weeks))
    expect(read.filter(({ client, weeksAgo }) => client === 'others' && weeksAgo === ago)).toHaveLength(1)
  }
})
