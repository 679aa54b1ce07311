import { describe, expect, it, vi } from 'vitest'
import { countPortions } from '../../src/compare/tally/portions.ts'
import { postgresDb, type StoreNews } from '../../src/compare/tally/postgres/postgres-db.ts'
import type { Portion } from '../../src/compare/tally/state-store.ts'
import type { Database } from '../../src/state/postgres/database.ts'
import { openDatabase } from '../../src/state/postgres/open-database.ts'
import { expectationsFrom, lost } from '../compare/support/lines.ts'
import { criteriaOf, observe } from '../compare/support/observing.ts'
import { newSchema, type SharedPostgres, sharedPostgres } from '../support/shared-postgres.ts'
import { STATUS } from './support/replicas.ts'

const lines = expectationsFrom([lost('gone', 'no more')])
const server = sharedPostgres() as SharedPostgres

/** A store whose statements are told to `seen` before they run. */
async function startStore(seen: (text: string, values: readonly unknown[]) => void) {
  const settings = { ...server.settings, schema: newSchema() }
  const real = openDatabase(settings)
  const database: Database = {
    ...real,
    transaction: (work, kind) =>
      real.transaction(
        ({ query }) =>
          work({
            query: (text, values = []) => {
              seen(text, values)
              return query(text, values)
            },
          }),
        kind,
      ),
  }
  const news: StoreNews[] = []
  const db = postgresDb({
    ...{ database, schema: settings.schema, id: 'replica', start: 'start', thread: 0 },
    tell: (told) => news.push(told),
  })
  await db.open(new Date())
  return { db, news, schema: settings.schema, end: () => real.close(0) }
}

/** Results of so many operations, each with 200 long names. */
function portionOf(operations: number): Portion | undefined {
  const ids = Array.from({ length: operations }, (_, at) => `operation-${at}`)
  const portions = countPortions(() => criteriaOf(new Map(ids.map((id) => [id, lines]))))
  const answer = (value: number) =>
    Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${at}${'x'.repeat(1_000)}`, value]))
  for (const operation of ids) {
    portions.record(observe({ operation, control: answer(1), candidate: answer(2), expectations: lines }))
  }
  return portions.next('2027-03-04')
}

describe.skipIf(server === undefined)('storing results', () => {
  it('takes several statements where there are many, so that none takes too long', async () => {
    const lengths: number[] = []
    const { db, schema, end } = await startStore((text, values) => {
      if (/INSERT INTO tally/.test(text)) lengths.push(JSON.stringify(values).length)
    })
    await db.keep({ portion: portionOf(50) }, STATUS)
    expect(lengths.length).toBeGreaterThan(1)
    expect(Math.max(...lengths)).toBeLessThan(6_000_000)
    expect(await server.query(`SELECT count(*)::int AS count FROM ${schema}.tally`)).toEqual([{ count: 50 }])
    await end()
  })

  it('does not take a write that lasts long for a clock that is off', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    try {
      const { db, news, end } = await startStore((text) => {
        if (/INSERT INTO tally/.test(text)) vi.setSystemTime(Date.now() + 60_000)
      })
      await db.keep({ portion: portionOf(1) }, STATUS)
      expect(news).toEqual([expect.objectContaining({ clockOffsetMs: expect.any(Number) })])
      const [first] = news
      expect(first !== undefined && 'clockOffsetMs' in first && Math.abs(first.clockOffsetMs)).toBeLessThan(20_000)
      await end()
    } finally {
      vi.useRealTimers()
    }
  })
})
