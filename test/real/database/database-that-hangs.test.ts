import { beforeAll, describe, expect, it, vi } from 'vitest'
import { openPostgresStore } from '../../../src/app/postgres-stores.ts'
import type { Database } from '../../../src/control-plane/store/postgres/database.ts'
import { openDatabase } from '../../../src/control-plane/store/postgres/open-database.ts'
import { PostgresError } from '../../../src/control-plane/store/postgres/postgres-error.ts'
import { StateError } from '../../../src/control-plane/store/state-error.ts'
import { STATUS } from '../../control-plane/store/support/replicas.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { isInstalled as hasPgbouncer, startPgbouncer } from '../../support/pgbouncer.ts'
import { isInstalled, PASSWORD, type PostgresServer, ROLE, settingsOf, startPostgres } from '../../support/postgres.ts'
import { startRelay } from '../../support/relay.ts'

/** Five seconds, and what a busy machine adds. Nothing else would end the wait. */
const MOST_MS = 20_000

function openAt(port: number, more: Partial<PostgresServer['settings']> = {}): Database {
  const database = openDatabase({ ...settingsOf(port), ...more })
  closeAtEnd(() => database.close(0))
  return database
}

/** Runs what must fail within five seconds or so. Returns why. */
async function failsInTime(work: Promise<unknown>): Promise<string> {
  const from = performance.now()
  const error = await work.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  )
  expect(performance.now() - from).toBeLessThan(MOST_MS)
  if (!(error instanceof PostgresError)) throw error
  expect(error.isBusy).toBe(true)
  expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(PASSWORD)
  return error.reason
}

const until = (isSo: () => unknown): Promise<unknown> => vi.waitUntil(isSo, { timeout: 25_000, interval: 20 })
const one = (database: Database): Promise<unknown> => database.transaction(({ query }) => query('SELECT 1 AS n'))

describe.skipIf(!isInstalled)(
  'a PostgreSQL database that does not answer (with postgresql)',
  { timeout: 60_000 },
  () => {
    let shared: PostgresServer

    beforeAll(async () => {
      shared = await startPostgres()
    })

    it.concurrent('is given up when it is stopped while idle, and used again when it goes on', async () => {
      const server = await startPostgres()
      const relay = await startRelay(server.port)
      const database = openAt(relay.port)
      await one(database)
      server.pause()
      expect(await failsInTime(one(database))).toBe('it does not answer')
      // Connecting hangs too: the kernel accepts, and nobody comes.
      expect(await failsInTime(one(database))).toBe('it does not answer')
      await until(() => relay.open === 0)
      server.resume()
      expect(await one(database)).toEqual([{ n: 1 }])
    })

    it.concurrent('is not waited for longer than a store has to close', async () => {
      const relay = await startRelay(shared.port)
      const { store, usage } = openPostgresStore({
        ...{ settings: settingsOf(relay.port), replicaId: 'this', status: () => STATUS },
        ...{ onOffset: () => undefined, log: { warn: () => undefined } },
      })
      await store.open()
      await store.keep([])
      relay.stall()
      const reading = usage.read({ since: '2027-03-04' }).catch((error: unknown) => error)
      const from = performance.now()
      await store.close(300)
      expect(performance.now() - from).toBeLessThan(2_000)
      expect(await reading).toBeInstanceOf(StateError)
      await until(() => relay.open === 0)
    })

    it.concurrent('is given up when it is stopped while a statement runs', async () => {
      const server = await startPostgres()
      const relay = await startRelay(server.port)
      const database = openAt(relay.port)
      const running = failsInTime(database.transaction(({ query }) => query('SELECT pg_sleep(2)')))
      await until(
        async () => (await server.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)).length > 0,
      )
      server.pause()
      expect(await running).toBe('it does not answer')
      await until(() => relay.open === 0)
      server.resume()
      expect(await one(database)).toEqual([{ n: 1 }])
    })

    it.concurrent('is given up when packets get lost between two statements', async () => {
      const relay = await startRelay(shared.port)
      const reason = await failsInTime(
        openAt(relay.port).transaction(async ({ query }) => {
          await query('SELECT 1')
          relay.stall()
          await query('SELECT 1')
        }),
      )
      expect(reason).toBe('it does not answer')
      await until(() => relay.open === 0)
    })

    it.concurrent('is given up when it is lost before the commit', async () => {
      const relay = await startRelay(shared.port)
      const work = openAt(relay.port).transaction(async ({ query }) => {
        await query('SELECT 1')
        relay.stall()
      })
      expect(await failsInTime(work)).toBe('it does not answer')
    })

    it.concurrent.each(['prefer', 'verify-full'] as const)(
      'is given up when nobody answers the connection, sslmode=%s',
      async (mode) => {
        const nobody = await startRelay()
        const tls = { mode, ca: undefined, cert: undefined, key: undefined }
        const database = openAt(nobody.port, { connectTimeoutMs: 300, tls })
        expect(await failsInTime(one(database))).toBe('it does not answer')
        await until(() => nobody.open === 0)
      },
    )

    it.skipIf(!hasPgbouncer).concurrent('is given up when pgbouncer waits for a server that is stopped', async () => {
      const server = await startPostgres()
      const pgbouncer = await startPgbouncer(server, 'server_login_retry = 1')
      const database = openAt(pgbouncer.port)
      await one(database)
      server.pause()
      expect(await failsInTime(one(database))).toBe('it does not answer')
      server.resume()
      await until(() => one(database).catch(() => false))
      pgbouncer.pause()
      expect(await failsInTime(one(database))).toBe('it does not answer')
      pgbouncer.resume()
      expect(await one(database)).toEqual([{ n: 1 }])
    })

    it.concurrent('is reached again after it was killed in the middle of a commit', async () => {
      const server = await startPostgres()
      const database = openAt(server.port)
      await server.query(`CREATE TABLE t (id int); GRANT ALL ON t TO ${ROLE};
      CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(4); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow()`)
      const committing = failsInTime(database.transaction(({ query }) => query('INSERT INTO public.t VALUES (1)')))
      await until(async () => (await server.query(`SELECT 1 FROM pg_stat_activity WHERE query = 'COMMIT'`)).length > 0)
      await server.kill9()
      expect(await committing).toMatch(/^the connection was (cut|closed)$/)
      expect(await failsInTime(one(database))).toBe('the connection is refused')
      await server.restart()
      expect(await database.transaction(({ query }) => query('SELECT id FROM public.t'))).toEqual([])
    })

    it.concurrent('is reached again after it was restarted between two transactions', async () => {
      const server = await startPostgres()
      const database = openAt(server.port)
      await one(database)
      await server.restart()
      expect(await one(database)).toEqual([{ n: 1 }])
    })

    it.concurrent('does not keep a process alive when it is closed while it connects', async () => {
      const nobody = await startRelay()
      const database = openAt(nobody.port)
      database.listen('changes', () => {})
      const connecting = failsInTime(one(database))
      await until(() => nobody.open === 2)
      await database.close(50)
      expect(await connecting).toBe('it was closed')
      await until(() => nobody.open === 0)
    })
  },
)
