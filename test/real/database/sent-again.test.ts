import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { IMPORTS } from '../../../src/app/stores.ts'
import { evidenceDb } from '../../../src/control-plane/evidence/tally/evidence-db.ts'
import { countPortions } from '../../../src/control-plane/evidence/tally/portions.ts'
import type { Portion } from '../../../src/control-plane/evidence/tally/state-store.ts'
import type { Database } from '../../../src/control-plane/store/postgres/database.ts'
import { openDatabase } from '../../../src/control-plane/store/postgres/open-database.ts'
import { postgresEngine } from '../../../src/control-plane/store/postgres/postgres-engine.ts'
import { expectationsFrom, lost } from '../../control-plane/evidence/support/lines.ts'
import { criteriaOf, observe } from '../../control-plane/evidence/support/observing.ts'
import { isInstalled, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { newSchema } from '../../support/shared-postgres.ts'

const lines = expectationsFrom([lost('gone', 'no more')])
let server: PostgresServer
beforeAll(async () => {
  if (isInstalled) server = await startPostgres({ fsync: false })
})
afterAll(() => server?.stop())

/** Portions of one process, and its connections. */
function startProcess() {
  const settings = { ...server.settings, schema: newSchema() }
  let last: Portion | undefined
  const portions = countPortions(
    () => criteriaOf(new Map([['first', lines]])),
    async (portion) => {
      last = portion
    },
  )
  return {
    schema: settings.schema,
    async nextPortion(): Promise<Portion> {
      portions.record(observe({ operation: 'first', control: { a: 1 }, candidate: { a: 1 }, expectations: lines }))
      await portions.send()
      return last as Portion
    },
    /** @param wrap changes how its transactions go. */
    connect(wrap: (database: Database) => Database = (database) => database) {
      const database = openDatabase(settings)
      onTestFinished(() => database.close(0))
      const engine = postgresEngine({
        ...{ database: wrap(database), schema: settings.schema, holder: 'replica start', imports: IMPORTS },
      })
      const { changes, ...db } = evidenceDb(engine, 'replica start')
      const matches = async () => (await changes()).documents[0]?.doc?.judged.content.matched
      return { ...db, engine, matches }
    },
  }
}

describe.skipIf(!isInstalled)('a portion that is sent again', () => {
  it('counts once, even while its first transaction has not ended', async () => {
    const { nextPortion, connect } = startProcess()
    const reached = Promise.withResolvers<void>()
    const commit = Promise.withResolvers<void>()
    let isHeld = false
    const slow = (database: Database): Database => ({
      ...database,
      transaction: (work, kind) =>
        database.transaction(async (transaction) => {
          const result = await work(transaction)
          if (isHeld) {
            reached.resolve()
            await commit.promise
          }
          return result
        }, kind),
    })
    const before = connect(slow)
    await before.open()
    await before.add(await nextPortion())
    isHeld = true
    const portion = await nextPortion()
    const storing = before.add(portion)
    await reached.promise
    const after = connect()
    await after.open()
    const again = after.add(portion)
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    await Promise.race([again, vi.waitUntil(async () => (await server.query(waiting)).length > 0, 10_000)])
    commit.resolve()
    await Promise.all([storing, again])
    expect(await after.matches()).toBe(2)
  })

  it('is stored where newer gateways have brought the schema further since', async () => {
    const { nextPortion, connect, schema } = startProcess()
    const { open, add, engine } = connect()
    await open()
    await server.query(`UPDATE ${schema}.version SET steps = 99`)
    await expect(engine.statement('SELECT 1 / 0')).rejects.toThrow('22012')
    const portion = await nextPortion()
    await vi.waitFor(() => add(portion), { timeout: 10_000, interval: 100 })
    expect(await server.query(`SELECT kind FROM ${schema}.ledger`)).toEqual([{ kind: 'evidence' }])
  })
})
