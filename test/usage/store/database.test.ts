import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseState } from '../../cutover/store/support/engines.ts'
import { isInstalled, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { dayAgo, portion, row } from './support/made-up.ts'

let server: PostgresServer
beforeAll(async () => {
  if (isInstalled) server = await startPostgres({ fsync: false })
})
afterAll(() => server?.stop())

describe.skipIf(!isInstalled)('usage in a database', () => {
  it('needs a role with rights to its own schema alone', async () => {
    await server.query(`
      CREATE ROLE narrow LOGIN PASSWORD 'narrow'; CREATE SCHEMA narrow AUTHORIZATION narrow;
      REVOKE ALL ON DATABASE ${server.settings.database} FROM PUBLIC;
      GRANT CONNECT ON DATABASE ${server.settings.database} TO narrow; REVOKE ALL ON SCHEMA public FROM PUBLIC`)
    const { usage } = await databaseState(server, { user: 'narrow', password: 'narrow' }, 'narrow').open()
    await usage.add(portion(1, row()))
    await usage.add(portion(2, row()))
    await usage.forgetBefore(dayAgo(400))
    expect(await usage.weeks()).toEqual([{ client: 'shop', operation: 'one', weeksAgo: 0, calls: 2 }])
    expect(await usage.read({ since: dayAgo(0) })).toMatchObject([{ client: 'shop', calls: 2 }])
  })

  it('makes a process wait for another that brings new clients, and for nobody else', async () => {
    const state = databaseState(server)
    const { usage } = await state.open()
    await usage.add(portion(1, row()))
    const held = await state.hold('UPDATE usage_day SET clients = clients')
    await usage.add(portion(2, row()))
    const waiting = usage.add(portion(3, row({ client: 'new' })))
    await expect
      .poll(() => server.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))
      .not.toEqual([])
    await held.release()
    await waiting
    expect(await state.sql('SELECT clients FROM usage_day')).toEqual([{ clients: 2 }])
  })
})
