import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type EvidenceDb, evidenceDb } from '../../../src/compare/tally/evidence-db.ts'
import { countPortions } from '../../../src/compare/tally/portions.ts'
import type { Reset } from '../../../src/compare/tally/resets.ts'
import type { ToKeep } from '../../../src/compare/tally/state-store.ts'
import type { Database } from '../../../src/state/postgres/database.ts'
import { fleetWatch } from '../../../src/state/postgres/fleet-watch.ts'
import { openDatabase } from '../../../src/state/postgres/open-database.ts'
import { postgresEngine } from '../../../src/state/postgres/postgres-engine.ts'
import { IMPORTS, type StoreNews } from '../../../src/workers/store-functions.ts'
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
      return portions.next()
    },
    /** @param wrap changes how its transactions go. */
    startThread(wrap: (database: Database) => Database = (database) => database) {
      const database = openDatabase(settings)
      const news: StoreNews[] = []
      const { schema } = settings
      const engine = postgresEngine({
        ...{ database: wrap(database), schema, holder: 'replica start', imports: IMPORTS, canBeNewer: thread++ > 0 },
        onFailed: () => db.distrust(),
      })
      const fleet = fleetWatch({
        ...{ engine, listen: database.listen, schema, tell: (told) => news.push(told) },
        process: { id: 'replica', incarnation: 'start' },
      })
      const db = evidenceDb(engine, 'replica start')
      const keep = async (what: ToKeep): Promise<void> => {
        await db.keep(what)
        await fleet.beat(STATUS)
        fleet.start()
      }
      const end = (): Promise<void> => {
        fleet.close()
        return database.close(0)
      }
      return { db: { ...db, keep }, news, end }
    },
  }
}

/** How many matches a reader finds under the first key. */
async function firstMatches({ changes, counts }: Pick<EvidenceDb, 'changes' | 'counts'>): Promise<number | undefined> {
  const { keys } = await changes()
  return (await counts(keys[0] ?? ''))?.judged.content.matched
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
    await before.db.open()
    await before.db.keep({ portion: nextPortion() })
    isHeld = true
    const portion = nextPortion()
    const storing = before.db.keep({ portion })
    await reached.promise
    const after = startThread()
    await after.db.open()
    const again = after.db.keep({ portion })
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    await Promise.race([again, vi.waitUntil(async () => (await server.query(waiting)).length > 0, 10_000)])
    commit.resolve()
    await Promise.all([storing, again])
    expect(await firstMatches(after.db)).toBe(2)
    await before.end()
    await after.end()
  })

  it('does not take the rest of a list for all of it', async () => {
    const { nextPortion, startThread } = startProcess()
    const before = startThread()
    await before.db.open()
    await before.db.keep({ portion: nextPortion() })
    before.db.distrust()
    const { keys } = await before.db.changes()
    expect(keys).toHaveLength(2)
    const after = startThread()
    await expect(after.db.counts(keys[0] as string)).rejects.toMatchObject({ isBusy: true })
    await before.end()
    await after.end()
  })
  it('hears of decisions as the one before did', async () => {
    const { nextPortion, startThread } = startProcess()
    const before = startThread()
    await before.db.open()
    await before.db.keep({ portion: nextPortion() })
    const after = startThread()
    await after.db.keep({ portion: nextPortion() })
    const reset: Reset = {
      ...{ id: 'first 1', operation: 'first', at: '2027-03-04T05:06:07.891Z', by: 'somebody', why: 'a test' },
      before: { lineage: { mapping: 'm', v1: null, legacy: null }, verdict: 'ready', requests: 1 },
    }
    await before.db.keep({ resets: [reset] })
    await until(() => after.news.some((news) => 'decided' in news))
    await before.end()
    await after.end()
  })
  it('goes on where newer gateways have brought the schema further, as the one before would have', async () => {
    const { nextPortion, startThread, schema } = startProcess()
    const before = startThread()
    await before.db.open()
    await server.query(`UPDATE ${schema}.version SET steps = 99`)
    const after = startThread()
    await after.db.keep({ portion: nextPortion() })
    expect(await firstMatches(after.db)).toBe(1)
    await before.end()
    await after.end()
  })
})
