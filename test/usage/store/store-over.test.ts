import { expect, it } from 'vitest'
import { usageStore } from '../../../src/usage/store/store-over.ts'
import type { UsageDb } from '../../../src/usage/store/usage-db.ts'
import { countTurns } from '../../support/count-turns.ts'
import { slowClock } from '../../support/slow-clock.ts'
import { row } from './support/made-up.ts'

const CLIENTS = 200
const clients = Array.from({ length: CLIENTS }, (_, n) => `client ${n}`)

/** A store whose database has all its rows on one page. */
const onePage = (rows: readonly unknown[]) =>
  usageStore({
    process: 'this',
    ask: async (name: keyof UsageDb) => {
      if (name === 'read' || name === 'weeks') return { rows, last: undefined, unreadable: [] }
      throw new Error(`not asked for ${name}`)
    },
    log: { warn: () => undefined },
  })

it('calls are answered while what was read is put together, the most calls first', async () => {
  const store = onePage(clients.map((client, calls) => row({ client, calls })))
  await slowClock()
  const [rows, turns] = await countTurns(() => store.read({ since: '2025-03-04' }))
  expect(rows.map(({ client }) => client)).toEqual(clients.toReversed())
  const [eachClient, eachRow] = [CLIENTS, CLIENTS]
  expect(turns).toBeGreaterThanOrEqual(eachClient + eachRow)
})

it('calls are answered while the weeks that were read are put together', async () => {
  const weeks = clients.flatMap((client) =>
    [0, 1].map((weeksAgo) => ({ client, operation: 'one', weeksAgo, calls: 1 })),
  )
  const store = onePage(weeks)
  await slowClock()
  const [read, turns] = await countTurns(() => store.weeks())
  expect(read).toEqual(weeks)
  expect(turns).toBeGreaterThanOrEqual(CLIENTS)
})
