import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/control-plane/store/postgres/open-database.ts'
import { startRelay } from '../../support/relay.ts'
import { type SharedPostgres, sharedPostgres } from '../../support/shared-postgres.ts'
import { failureOf, openAt, promiseOfTransactions } from './support/transactions.ts'

const server = sharedPostgres() as SharedPostgres

describe.skipIf(server === undefined)('a PostgreSQL database (with postgresql)', () => {
  promiseOfTransactions(
    'directly',
    () => server,
    () => server.settings,
  )

  it('makes three round trips for a transaction of one statement, over one connection', async () => {
    const relay = await startRelay(server.port)
    const { transaction } = openAt({ ...server.settings, hosts: [{ host: '127.0.0.1', port: relay.port }] })
    await transaction(({ query }) => query('SELECT 1'))
    const before = relay.turns
    for (let at = 0; at < 10; at++) await transaction(({ query }) => query('SELECT $1::text', ['x']))
    expect([relay.turns - before, relay.accepted]).toEqual([30, 1])
  })

  it('refuses the use of a transaction that is over', async () => {
    const { transaction } = openAt(server.settings)
    const { query } = await transaction(async (kept) => kept)
    await expect(query('SELECT 1')).rejects.toThrow('This transaction is over')
  })

  it('is closed: what is under way ends, what comes later is refused', async () => {
    const database = openDatabase(server.settings)
    const last = database.transaction(({ query }) => query('SELECT 1 AS n, pg_sleep(0.2)::text'))
    const closed = database.close(5_000)
    expect(await last).toMatchObject([{ n: 1 }])
    await closed
    const failure = await failureOf(database.transaction(({ query }) => query('SELECT 1')))
    expect([failure.reason, failure.isBusy]).toEqual(['it was closed', false])
  })

  it('is closed in time even while a statement runs', async () => {
    const database = openDatabase(server.settings)
    const last = failureOf(database.transaction(({ query }) => query('SELECT pg_sleep(4)')))
    await expect
      .poll(() => server.query("SELECT 1 FROM pg_stat_activity WHERE query ~ '^SELECT pg_sleep.4'"))
      .not.toEqual([])
    const from = performance.now()
    await database.close(100)
    expect((await last).isBusy).toBe(true)
    expect(performance.now() - from).toBeLessThan(3_000)
  })
})
