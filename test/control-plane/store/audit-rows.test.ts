import { describe, expect, it, vi } from 'vitest'
import { addResets } from '../../../src/control-plane/evidence/tally/evidence-db.ts'
import type { Reset } from '../../../src/control-plane/evidence/tally/resets.ts'
import { migrate } from '../../../src/control-plane/store/postgres/migrate.ts'
import { openDatabase } from '../../../src/control-plane/store/postgres/open-database.ts'
import { runInTurn } from '../../../src/control-plane/store/sql.ts'
import { newSchema, type SharedPostgres, sharedPostgres } from '../../support/shared-postgres.ts'

const server = sharedPostgres() as SharedPostgres

const resetOf = (operation: string): Reset => ({
  ...{ id: `${operation} 1`, operation, at: '2027-03-04T05:06:07.891Z', by: 'somebody', why: 'a test' },
  before: { lineage: { mapping: 'm', v1: null, legacy: null }, verdict: 'ready', requests: 1 },
})

describe.skipIf(server === undefined)('decisions that the database lacks', () => {
  it('are added by several replicas at once, whatever the order in which each knows them', async () => {
    const schema = newSchema()
    const settings = { ...server.settings, schema, applicationName: schema }
    const databases = [openDatabase(settings), openDatabase(settings)]
    for (const database of databases) await migrate(database, settings.schema, { imports: [], canBeNewer: false })
    const resets = ['first', 'second'].map(resetOf)
    let begun = 0
    const waits = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = '${schema}'`
    const isWaiting = async () => (await server.query(waits)).length > 0
    const add = (ordered: readonly Reset[], database = databases[0]) =>
      database?.transaction(({ query }) =>
        runInTurn(addResets(ordered), async ({ text, values }) => {
          const rows = await query(text, values)
          begun++
          // Goes on once the other has added one too, or cannot.
          await vi.waitUntil(async () => begun > 1 || (await isWaiting()), 10_000)
          return rows
        }),
      )
    const added = await Promise.all([add(resets), add(resets.toReversed(), databases[1])])
    expect(added.filter(Boolean).length).toBe(1)
    for (const database of databases) await database.close(0)
  })
})
