import { describe, expect, it } from 'vitest'
import type { BrownoutQuery } from '../../../../src/control-plane/usage/brownouts/brownout-calls.ts'
import { knownBrownouts } from '../../../../src/control-plane/usage/brownouts/stored-brownouts.ts'
import { countUsage } from '../../../../src/control-plane/usage/count-usage.ts'
import { keepUsage } from '../../../../src/control-plane/usage/keep-usage.ts'
import { memoryUsageStore } from '../support/memory-usage-store.ts'

const NOON = Date.parse('2026-11-23T12:00:00Z')
const DAY_MS = 86_400_000
const QUERY: BrownoutQuery = { key: 'noon', operations: ['a'], from: NOON }

function bed() {
  const store = memoryUsageStore()
  const counter = countUsage(['a', 'b'])
  const keeper = keepUsage({ counter, store, onUsedAgain: () => undefined, log: { error: () => undefined } })
  const known = knownBrownouts({ store, keeper })
  const call = (client: string, at: number, mark?: 'refused' | 'passed' | 'since'): void => {
    if (mark !== undefined) counter.mark({ at, client, operation: 'a' }, QUERY.key, mark)
    counter.count({ at, operation: 'a', client, status: 200, code: undefined, answeredBy: 'v1', agent: undefined })
  }
  return { store, keeper, known, call }
}

describe('what is known of brownouts', () => {
  it('is what is stored and what this process has counted since, and nothing is asked where none has begun', async () => {
    const { store, keeper, known, call } = bed()
    call('shop', NOON - DAY_MS)
    call('shop', NOON, 'refused')
    await keeper.keep()
    call('shop', NOON, 'refused')
    call('erp', NOON + 1, 'since')
    expect(await known([QUERY])).toEqual({
      isWhole: true,
      lists: [
        {
          clients: [
            { client: 'erp', before: 0, refused: 0, since: 1 },
            { client: 'shop', before: 1, refused: 2, since: 0 },
          ],
          others: { before: 0, refused: 0, since: 0 },
        },
      ],
    })
    store.away = 'before'
    expect(await known([])).toEqual({ isWhole: true, lists: [] })
  })

  it('while the store is away is what was read last, and what is not stored', async () => {
    const { store, keeper, known, call } = bed()
    call('shop', NOON - DAY_MS)
    call('shop', NOON, 'refused')
    await keeper.keep()
    store.away = 'before'
    call('shop', NOON, 'refused')
    const clients = async (...queries: readonly BrownoutQuery[]) => {
      const { lists, isWhole } = await known(queries)
      return [isWhole, ...lists.map((list) => list.clients)]
    }
    expect(await clients(QUERY)).toEqual([false, [{ client: 'shop', before: 0, refused: 1, since: 0 }]])
    store.away = false
    const other = { ...QUERY, key: 'other' }
    expect(await clients(QUERY, other)).toMatchObject([true, [{ before: 1, refused: 2 }], [{ before: 3 }]])
    store.away = 'before'
    call('shop', NOON, 'refused')
    const third = { ...QUERY, key: 'third' }
    expect(await clients(QUERY, third)).toMatchObject([false, [{ before: 1, refused: 3 }], [{ before: 2 }]])
  })

  it('is 1,000 clients of each brownout, and all others together', async () => {
    const [CLIENTS, BROWNOUTS, PER_PAGE] = [3_000, 3, 25]
    const { store, keeper, call } = bed()
    const clients = Array.from({ length: CLIENTS }, (_, n) => `client ${n}`)
    for (const client of clients) call(client, NOON - DAY_MS)
    const rows = keeper.unstored()
    const queries = Array.from({ length: BROWNOUTS }, (_, n) => ({
      ...{ key: `${n}`, operations: ['*'], from: NOON + n * 60_000 },
    }))
    const stored = clients.map((client, n) => ({
      client,
      calls: new Map(queries.map(({ key }) => [key, { before: n, refused: 1, since: n % 7 }])),
    }))
    const paged = {
      ...store,
      async *brownouts() {
        for (let from = 0; from < CLIENTS; from += PER_PAGE) yield stored.slice(from, from + PER_PAGE)
      },
    }
    const known = knownBrownouts({ store: paged, keeper: { between: (read) => read(), unstored: () => rows } })
    const { lists } = await known(queries)
    expect(lists).toHaveLength(BROWNOUTS)
    for (const { clients: listed, others } of lists) expect([listed.length, others.refused]).toEqual([1_000, 2_000])
  })
})
