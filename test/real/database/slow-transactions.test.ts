import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { failureOf, openAt, promiseOfTransactions } from '../../control-plane/store/support/transactions.ts'
import { isInstalled as hasPgbouncer, startPgbouncer } from '../../support/pgbouncer.ts'
import { isInstalled, type PostgresServer, ROLE, startPostgres } from '../../support/postgres.ts'

let server: PostgresServer

describe.skipIf(!isInstalled)('a PostgreSQL database (with postgresql)', () => {
  beforeAll(async () => {
    server = await startPostgres({ fsync: false })
  })

  describe.skipIf(!hasPgbouncer)('behind pgbouncer in transaction mode', () => {
    let pooled: PostgresServer['settings']
    beforeAll(async () => {
      // One connection for all: what one transaction leaves behind, the next one would find.
      pooled = (await startPgbouncer(server, 'default_pool_size = 1')).settings
    })
    promiseOfTransactions(
      'through pgbouncer',
      () => server,
      () => pooled,
    )
  })

  it('connects over a Unix socket', async () => {
    const { folder, port, settings } = server
    const { name, transaction } = openAt({ ...settings, hosts: [{ host: folder, port }] })
    expect(name).toBe(`postgres://${encodeURIComponent(folder)}:${port}/gateway_test`)
    expect(await transaction(({ query }) => query('SELECT current_user AS me'))).toEqual([{ me: ROLE }])
  })

  it.concurrent('ends a statement after five seconds, and goes on', async () => {
    const { transaction } = openAt(server.settings)
    const from = performance.now()
    const failure = await failureOf(transaction(({ query }) => query('SELECT pg_sleep(30)')))
    expect(performance.now() - from).toBeGreaterThan(4_900)
    expect([failure.message, failure.isBusy]).toEqual([
      expect.stringContaining('a statement took longer than 5 s'),
      true,
    ])
    expect(await transaction(({ query }) => query('SELECT 1 AS n'))).toEqual([{ n: 1 }])
  })

  it.concurrent('loses its locks when it stands still within a transaction', async () => {
    const { transaction } = openAt(server.settings)
    const failure = await failureOf(
      transaction(async ({ query }) => {
        await query('SELECT 1')
        await wait(5_500)
        await query('SELECT 1')
      }),
    )
    expect(failure.isBusy).toBe(true)
    expect(await transaction(({ query }) => query('SELECT 1 AS n'))).toEqual([{ n: 1 }])
  })

  it('works on after an administrator cancelled statements, whichever it was', async () => {
    const { transaction } = openAt(server.settings)
    await transaction(({ query }) => query('SELECT 1'))
    let isCancelling = true
    let cancelled = 0
    const working = (async () => {
      while (isCancelling) await transaction(({ query }) => query('SELECT 1')).catch(() => cancelled++)
    })()
    const cancel = `DO $$ BEGIN FOR i IN 1..300 LOOP
      PERFORM pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = '${ROLE}'; END LOOP; END $$`
    while (cancelled < 20) await server.query(cancel)
    isCancelling = false
    await working
    expect(await transaction(({ query }) => query('SELECT 1 AS one'))).toEqual([{ one: 1 }])
  })
})
