import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { countPortions } from '../../../src/compare/tally/portions.ts'
import { postgresDb, type StoreNews } from '../../../src/compare/tally/postgres/postgres-db.ts'
import type { Reset } from '../../../src/compare/tally/resets.ts'
import type { Database } from '../../../src/state/postgres/database.ts'
import { openDatabase } from '../../../src/state/postgres/open-database.ts'
import { expectationsFrom, lost } from '../../compare/support/lines.ts'
import { criteriaOf, observe } from '../../compare/support/observing.ts'
import { STATUS } from '../../state/support/replicas.ts'
import { isInstalled, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { newSchema } from '../../support/shared-postgres.ts'
import { until } from '../../support/start-gateway.ts'

const lines = expectationsFrom([lost('gone', 'no more')])
const operations = ['first', 'second']
let server: PostgresServer
beforeAll(async () => {
  if (isInstalled) server = await startPostgres({ fsync: false })
})
afterAll(() => server?.stop())

/** Portions of one process, and its threads. */
function startProcess() {
  const settings = { ...server.settings, schema: newSchema() }
  const portions = countPortions(() => criteriaOf(new Map(operations.map((id) => [id, lines]))))
  let thread = 0
  return {
    schema: settings.schema,
    nextPortion() {
      portions.stored()
      for (const operation of operations) {
        portions.record(observe({ operation, control: { a: 1 }, candidate: { a: 1 }, expectations: lines }))
      }
      return portions.next('2027-03-04')
    },
    /** @param wrap changes how its transactions go. */
    startThread(wrap: (database: Database) => Database = (database) => database) {
      const database = openDatabase(settings)
      const news: StoreNews[] = []
      const db = postgresDb({
        database: wrap(database),
        ...{
          schema: settings.schema,
          id: 'replica',
          start: 'start',
          thread: thread++,
          tell: (told) => news.push(told),
        },
      })
      return { db, news, end: () => database.close(0) }
    },
  }
}

describe.skipIf(!isInstalled)('a thread that takes the place of one that ended', () => {
  it('counts a portion once that the one before was just storing', async () => {
    const { nextPortion, startThread } = startProcess()
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
    const before = startThread(slow)
    await before.db.open(new Date())
    await before.db.keep({ portion: nextPortion() }, STATUS)
    isHeld = true
    const portion = nextPortion()
    const storing = before.db.keep({ portion }, STATUS)
    await reached.promise
    const after = startThread()
    await after.db.open(new Date())
    const again = after.db.keep({ portion }, STATUS)
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    await Promise.race([again, vi.waitUntil(async () => (await server.query(waiting)).length > 0, 10_000)])
    commit.resolve()
    await Promise.all([storing, again])
    expect((await after.db.read(undefined))?.counts.judged.content.matched).toBe(2)
    await before.end()
    await after.end()
  })

  it('does not take the rest of a list for all of it', async () => {
    const { nextPortion, startThread } = startProcess()
    const before = startThread()
    await before.db.open(new Date())
    await before.db.keep({ portion: nextPortion() }, STATUS)
    const first = await before.db.read(undefined)
    const after = startThread()
    await expect(after.db.read(first)).rejects.toMatchObject({ isBusy: true })
    await before.end()
    await after.end()
  })
  it('hears of decisions as the one before did', async () => {
    const { nextPortion, startThread } = startProcess()
    const before = startThread()
    await before.db.open(new Date())
    await before.db.keep({ portion: nextPortion() }, STATUS)
    const after = startThread()
    await after.db.keep({ portion: nextPortion() }, STATUS)
    const reset: Reset = {
      ...{ id: 'first 1', operation: 'first', at: '2027-03-04T05:06:07.891Z', by: 'somebody', why: 'a test' },
      before: { lineage: { mapping: 'm', v1: null, legacy: null }, verdict: 'ready', requests: 1 },
    }
    await before.db.keep({ resets: [reset] }, STATUS)
    await until(() => after.news.some((news) => 'decided' in news))
    await before.end()
    await after.end()
  })
  it('goes on where newer gateways have brought the schema further, as the one before would have', async () => {
    const { nextPortion, startThread, schema } = startProcess()
    const before = startThread()
    await before.db.open(new Date())
    await server.query(`UPDATE ${schema}.version SET steps = 99`)
    const after = startThread()
    await after.db.keep({ portion: nextPortion() }, STATUS)
    expect((await after.db.read(undefined))?.counts.judged.content.matched).toBe(1)
    await before.end()
    await after.end()
  })
})
