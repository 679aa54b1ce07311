import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/state/postgres/open-database.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { isInstalled, startPostgres } from '../support/postgres.ts'

describe.skipIf(!isInstalled)('a PostgreSQL database (with postgresql)', () => {
  it('commits what a transaction does, and rolls back what throws', async () => {
    const server = await startPostgres({ fsync: false })
    const database = openDatabase(server.settings)
    closeAtEnd(() => database.close(0))
    await database.transaction(async ({ query }) => {
      await query('CREATE SCHEMA s; CREATE TABLE s.t (id bigint)')
      await query('INSERT INTO s.t VALUES ($1)', [1n])
    })
    const failing = database.transaction(async ({ query }) => {
      await query('INSERT INTO s.t VALUES (2)')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow(/^no$/)
    expect(await server.query('SELECT id FROM s.t')).toEqual([{ id: '1' }])
  })
})
