import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/state/postgres/database.ts'
import { openDatabase } from '../../src/state/postgres/open-database.ts'
import { PostgresError } from '../../src/state/postgres/postgres-error.ts'
import { StateError } from '../../src/state/state-error.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { isInstalled as hasPgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { isInstalled, type PostgresServer, ROLE, startPostgres } from '../support/postgres.ts'
import { startRelay } from '../support/relay.ts'

let server: PostgresServer
let atPgbouncer: PostgresServer['settings'] | undefined

function open(settings: PostgresServer['settings']): Database {
  const database = openDatabase(settings)
  closeAtEnd(() => database.close(0))
  return database
}

/** Runs what must fail. Returns the error. */
async function failureOf(work: Promise<unknown>): Promise<PostgresError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(PostgresError)
  expect(error).toBeInstanceOf(StateError)
  return error as PostgresError
}

describe.skipIf(!isInstalled)('a PostgreSQL database (with postgresql)', () => {
  beforeAll(async () => {
    server = await startPostgres({ fsync: false })
    // One connection for all: what one transaction leaves behind, the next one would find.
    if (hasPgbouncer) atPgbouncer = (await startPgbouncer(server, 'default_pool_size = 1')).settings
  })

  const ways = [
    { way: 'directly', isMissing: false, settings: () => server.settings },
    {
      way: 'through pgbouncer in transaction mode',
      isMissing: !hasPgbouncer,
      settings: () => atPgbouncer ?? server.settings,
    },
  ]
  describe.each(ways)('reached $way', ({ way, isMissing, settings }) => {
    const table = `t${way.length}`
    const database = (): Database => open(settings())

    it.skipIf(isMissing)('commits what a transaction does, and rolls back what throws', async () => {
      const { transaction } = database()
      await transaction(({ query }) => query(`CREATE SCHEMA ${table}; CREATE TABLE ${table}.t (id bigint PRIMARY KEY)`))
      const given = await transaction(({ query }) => query(`INSERT INTO ${table}.t VALUES ($1) RETURNING id`, [1]))
      expect(given).toEqual([{ id: '1' }])
      const failing = transaction(async ({ query }) => {
        await query(`INSERT INTO ${table}.t VALUES (2)`)
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow(/^changed my mind$/)
      expect(await server.query(`SELECT id FROM ${table}.t`)).toEqual([{ id: '1' }])
    })

    it.skipIf(isMissing)('gives values their types, and takes them', async () => {
      const json = { text: 'ş"\\', list: [1, null], nested: { yes: true } }
      const values = [2n ** 62n, '0.10', json, Buffer.from([0, 255]), true, null, ['a', 'b,c']]
      const [row] = await database().transaction(({ query }) =>
        query(
          `SELECT $1::bigint AS big, $2::numeric AS exact, $3::jsonb AS json, $4::bytea AS bytes, $5::bool AS yes,
             $6::text AS nothing, $7::text[] AS list, 7::int AS number, '2027-01-02T03:04:05Z'::timestamptz AS at`,
          values,
        ),
      )
      expect(row).toEqual({
        ...{ big: '4611686018427387904', exact: '0.10', json, bytes: Buffer.from([0, 255]), yes: true, nothing: null },
        ...{ list: ['a', 'b,c'], number: 7, at: new Date('2027-01-02T03:04:05Z') },
      })
    })

    it.skipIf(isMissing)('reads a snapshot: what is committed meanwhile is not seen', async () => {
      const { transaction } = database()
      await server.query(`CREATE TABLE ${table}.snapshot AS SELECT 1 AS n; GRANT ALL ON ${table}.snapshot TO ${ROLE}`)
      const count = async (read: (text: string) => Promise<readonly unknown[]>): Promise<number> =>
        (await read(`SELECT n FROM ${table}.snapshot`)).length
      const seen = await transaction(async ({ query }) => {
        const before = await count(query)
        await server.query(`INSERT INTO ${table}.snapshot VALUES (2)`)
        return [before, await count(query)]
      }, 'read')
      expect([...seen, await transaction(({ query }) => count(query), 'read')]).toEqual([1, 1, 2])
    })

    it.skipIf(isMissing)('writes nothing in a transaction that reads', async () => {
      const { transaction } = database()
      const failure = await failureOf(transaction(({ query }) => query(`CREATE TABLE ${table}.no (id int)`), 'read'))
      expect([failure.sqlState, failure.isBusy]).toEqual(['25006', true])
      expect(failure.message).toMatch(/^postgres:\/\/127\.0\.0\.1:\d+\/gateway_test cannot be used: it is read-only \(/)
    })

    it.skipIf(isMissing)('runs one transaction after the other', async () => {
      const { transaction } = database()
      const seen: string[] = []
      const run = (name: string) =>
        transaction(async ({ query }) => {
          seen.push(`${name} begins`)
          await query('SELECT 1')
          await query('SELECT 1')
          seen.push(`${name} ends`)
        })
      await Promise.all([run('a'), run('b'), run('c')])
      expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    })

    it.skipIf(isMissing)('runs statements that are given at once one after the other', async () => {
      const answers = await database().transaction(({ query }) =>
        Promise.all([query('SELECT 1 AS n'), query('SELECT $1::int AS n', [2]), query('SELECT 3 AS n')]),
      )
      expect(answers.flat()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    })

    it.skipIf(isMissing)('leaves no setting and no statement behind', async () => {
      const { transaction } = database()
      const left = await transaction(async ({ query }) => {
        await query('SELECT $1::int', [1])
        return query('SELECT name FROM pg_prepared_statements')
      })
      expect(left).toEqual([])
      const inside = await transaction(({ query }) => query('SHOW statement_timeout'))
      expect(inside).toEqual([{ statement_timeout: '5s' }])
      expect(await server.query(`SELECT count(*) FROM pg_stat_activity WHERE state ~ '^idle in'`)).toEqual([
        { count: '0' },
      ])
    })

    it.skipIf(isMissing)('refuses to commit when a statement failed and nobody minded', async () => {
      const { transaction } = database()
      const failure = await failureOf(
        transaction(async ({ query }) => {
          await query(`CREATE TABLE ${table}.lost (id int)`)
          await query('SELECT 1 / 0').catch(() => {})
        }),
      )
      expect(failure.message).toContain('a statement failed')
      expect(await server.query(`SELECT to_regclass('${table}.lost') AS name`)).toEqual([{ name: null }])
      const kept = await transaction(async ({ query }) => {
        await query('SAVEPOINT s')
        await query('SELECT 1 / 0').catch(() => query('ROLLBACK TO s'))
        return query('SELECT 1 AS n')
      })
      expect(kept).toEqual([{ n: 1 }])
    })
  })

  it('makes three round trips for a transaction of one statement, over one connection', async () => {
    const relay = await startRelay(server.port)
    const { transaction } = open({ ...server.settings, hosts: [{ host: '127.0.0.1', port: relay.port }] })
    await transaction(({ query }) => query('SELECT 1'))
    const before = relay.turns
    for (let at = 0; at < 10; at++) await transaction(({ query }) => query('SELECT $1::text', ['x']))
    expect([relay.turns - before, relay.accepted]).toEqual([30, 1])
  })

  it('connects over a Unix socket', async () => {
    const { folder, port, settings } = server
    const { name, transaction } = open({ ...settings, hosts: [{ host: folder, port }] })
    expect(name).toBe(`postgres://${encodeURIComponent(folder)}:${port}/gateway_test`)
    expect(await transaction(({ query }) => query('SELECT current_user AS me'))).toEqual([{ me: ROLE }])
  })

  it('refuses the use of a transaction that is over', async () => {
    const { transaction } = open(server.settings)
    const { query } = await transaction(async (kept) => kept)
    await expect(query('SELECT 1')).rejects.toThrow('This transaction is over')
  })

  it.concurrent('ends a statement after five seconds, and goes on', async () => {
    const { transaction } = open(server.settings)
    const from = performance.now()
    const failure = await failureOf(transaction(({ query }) => query('SELECT pg_sleep(30)')))
    expect(performance.now() - from).toBeGreaterThan(4_900)
    expect([failure.message, failure.isBusy]).toEqual([
      expect.stringContaining('a statement took longer than 5 s'),
      true,
    ])
    expect(await transaction(({ query }) => query('SELECT 1 AS n'))).toEqual([{ n: 1 }])
  })

  it.concurrent('gives up its turn after five seconds when transactions before it take long', {
    timeout: 20_000,
  }, async () => {
    const { transaction } = open(server.settings)
    const slow = transaction(async ({ query }) => {
      await query('SELECT pg_sleep(3)')
      await query('SELECT pg_sleep(3)')
    })
    const failure = await failureOf(transaction(({ query }) => query('SELECT 1')))
    expect([failure.reason, failure.isBusy]).toEqual(['transactions before this one take too long', true])
    await slow
  })

  it.concurrent('loses its locks when it stands still within a transaction', async () => {
    const { transaction } = open(server.settings)
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
  it('works on after an administrator cancelled statements, whichever it was', async () => {
    const { transaction } = open(server.settings)
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
