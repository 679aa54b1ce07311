import { describe, expect, it } from 'vitest'
import type { Database } from '../../../../src/control-plane/store/postgres/database.ts'
import { openDatabase } from '../../../../src/control-plane/store/postgres/open-database.ts'
import { PostgresError } from '../../../../src/control-plane/store/postgres/postgres-error.ts'
import type { PostgresSettings } from '../../../../src/control-plane/store/postgres/postgres-settings.ts'
import { StateError } from '../../../../src/control-plane/store/state-error.ts'
import { closeAtEnd } from '../../../support/clean-up.ts'
import { ROLE } from '../../../support/postgres.ts'
import { newSchema, type SharedPostgres } from '../../../support/shared-postgres.ts'

/** Opens a database until the file's tests have run. */
export function openAt(settings: PostgresSettings): Database {
  const database = openDatabase(settings)
  closeAtEnd(() => database.close(0))
  return database
}

/** Runs what must fail. Returns the error. */
export async function failureOf(work: Promise<unknown>): Promise<PostgresError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(PostgresError)
  expect(error).toBeInstanceOf(StateError)
  return error as PostgresError
}

/**
 * Tests what transactions promise.
 * @param server what runs statements as superuser, past whatever is between.
 * @param settingsOf how the server is reached.
 */
export function promiseOfTransactions(
  way: string,
  server: () => Pick<SharedPostgres, 'query'>,
  settingsOf: () => PostgresSettings,
): void {
  describe(`transactions ${way}`, () => {
    const schema = newSchema()
    const open = (): Database => openAt({ ...settingsOf(), applicationName: schema })

    it('commits what a transaction does, and rolls back what throws', async () => {
      const { transaction } = open()
      await transaction(({ query }) =>
        query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.t (id bigint PRIMARY KEY)`),
      )
      const given = await transaction(({ query }) => query(`INSERT INTO ${schema}.t VALUES ($1) RETURNING id`, [1]))
      expect(given).toEqual([{ id: '1' }])
      const failing = transaction(async ({ query }) => {
        await query(`INSERT INTO ${schema}.t VALUES (2)`)
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow(/^changed my mind$/)
      expect(await server().query(`SELECT id FROM ${schema}.t`)).toEqual([{ id: '1' }])
    })

    it('gives values their types, and takes them', async () => {
      const json = { text: 'ş"\\', list: [1, null], nested: { yes: true } }
      const values = [2n ** 62n, '0.10', json, Buffer.from([0, 255]), true, null, ['a', 'b,c']]
      const [row] = await open().transaction(({ query }) =>
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

    it('reads a snapshot: what is committed meanwhile is not seen', async () => {
      const { transaction } = open()
      await server().query(
        `CREATE TABLE ${schema}.snapshot AS SELECT 1 AS n; GRANT ALL ON ${schema}.snapshot TO ${ROLE}`,
      )
      const count = async (read: (text: string) => Promise<readonly unknown[]>): Promise<number> =>
        (await read(`SELECT n FROM ${schema}.snapshot`)).length
      const seen = await transaction(async ({ query }) => {
        const before = await count(query)
        await server().query(`INSERT INTO ${schema}.snapshot VALUES (2)`)
        return [before, await count(query)]
      }, 'read')
      expect([...seen, await transaction(({ query }) => count(query), 'read')]).toEqual([1, 1, 2])
    })

    it('writes nothing in a transaction that reads', async () => {
      const { transaction } = open()
      const failure = await failureOf(transaction(({ query }) => query(`CREATE TABLE ${schema}.no (id int)`), 'read'))
      expect([failure.sqlState, failure.isBusy]).toEqual(['25006', true])
      expect(failure.message).toMatch(/^postgres:\/\/127\.0\.0\.1:\d+\/gateway_test cannot be used: it is read-only \(/)
    })

    it('runs one transaction after the other', async () => {
      const { transaction } = open()
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

    it('runs statements that are given at once one after the other', async () => {
      const answers = await open().transaction(({ query }) =>
        Promise.all([query('SELECT 1 AS n'), query('SELECT $1::int AS n', [2]), query('SELECT 3 AS n')]),
      )
      expect(answers.flat()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    })

    it('leaves no setting and no statement behind', async () => {
      const { transaction } = open()
      const left = await transaction(async ({ query }) => {
        await query('SELECT $1::int', [1])
        return query('SELECT name FROM pg_prepared_statements')
      })
      expect(left).toEqual([])
      const inside = await transaction(({ query }) => query('SHOW statement_timeout'))
      expect(inside).toEqual([{ statement_timeout: '5s' }])
      expect(
        await server().query(
          `SELECT count(*) FROM pg_stat_activity WHERE state ~ '^idle in' AND application_name = '${schema}'`,
        ),
      ).toEqual([{ count: '0' }])
    })

    it('refuses to commit when a statement failed and nobody minded', async () => {
      const { transaction } = open()
      const failure = await failureOf(
        transaction(async ({ query }) => {
          await query(`CREATE TABLE ${schema}.lost (id int)`)
          await query('SELECT 1 / 0').catch(() => {})
        }),
      )
      expect(failure.message).toContain('a statement failed')
      expect(await server().query(`SELECT to_regclass('${schema}.lost') AS name`)).toEqual([{ name: null }])
      const kept = await transaction(async ({ query }) => {
        await query('SAVEPOINT s')
        await query('SELECT 1 / 0').catch(() => query('ROLLBACK TO s'))
        return query('SELECT 1 AS n')
      })
      expect(kept).toEqual([{ n: 1 }])
    })
  })
}
