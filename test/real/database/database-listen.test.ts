import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/control-plane/store/postgres/open-database.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { isInstalled, settingsOf, startPostgres } from '../../support/postgres.ts'
import { startRelay } from '../../support/relay.ts'
import { runInNode } from '../../support/run-in-node.ts'

describe.skipIf(!isInstalled)('listening to a PostgreSQL database (with postgresql)', () => {
  it('hears each notification on its channel, over a connection of its own', async () => {
    const server = await startPostgres({ fsync: false })
    const relay = await startRelay(server.port)
    const database = openDatabase(settingsOf(relay.port))
    closeAtEnd(() => database.close(0))
    let heard = 0
    database.listen('Changes "two"', () => heard++)
    const listeners = () => server.query("SELECT 1 FROM pg_stat_activity WHERE query ~ '^LISTEN' AND state = 'idle'")
    await expect.poll(async () => (await listeners()).length).toBe(1)
    await database.transaction(({ query }) => query('NOTIFY changes; NOTIFY "Changes ""two"""'))
    await expect.poll(() => heard).toBe(1)
    expect(relay.accepted).toBe(2)
    await database.close(1_000)
    await expect.poll(() => relay.open).toBe(0)
  })

  it('begins again when the server is back', async () => {
    const server = await startPostgres({ fsync: false })
    const database = openDatabase(server.settings)
    closeAtEnd(() => database.close(0))
    let heard = 0
    database.listen('changes', () => heard++)
    const notified = async (): Promise<boolean> => {
      await server.query('NOTIFY changes').catch(() => {})
      return heard > 0
    }
    await expect.poll(notified).toBe(true)
    await server.kill9()
    heard = 0
    await server.restart()
    await expect.poll(notified).toBe(true)
  })

  it('does not keep a process alive', async () => {
    const server = await startPostgres({ fsync: false })
    const code = `
      import { openDatabase } from './src/control-plane/store/postgres/open-database.ts'
      openDatabase(JSON.parse(process.argv[1])).listen('changes', () => {})
      openDatabase({ ...JSON.parse(process.argv[1]), hosts: [{ host: '127.0.0.1', port: 1 }] }).listen('changes', () => {})
      console.log('ends')`
    expect(await runInNode(code, JSON.stringify(server.settings))).toBe('ends\n')
  })
})
