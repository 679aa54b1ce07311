import { describe, expect, it } from 'vitest'
import { openPostgresStore } from '../../../src/app/postgres-stores.ts'
import type { Reset } from '../../../src/control-plane/evidence/tally/resets.ts'
import { storedResults } from '../../../src/control-plane/evidence/tally/stored-results.ts'
import { readDatabase } from '../../../src/control-plane/store/postgres/migrate.ts'
import { openDatabase } from '../../../src/control-plane/store/postgres/open-database.ts'
import type { PostgresSettings } from '../../../src/control-plane/store/postgres/postgres-settings.ts'
import { wholeUsage } from '../../../src/control-plane/usage/store/read-pages.ts'
import { newSchema, type SharedPostgres, sharedPostgres } from '../../support/shared-postgres.ts'
import { until } from '../../support/start-gateway.ts'
import { STATUS } from './support/replicas.ts'

const server = sharedPostgres() as SharedPostgres

const RESET: Reset = {
  ...{ id: 'first 1', operation: 'first', at: '2027-03-04T05:06:07.891Z', by: 'somebody', why: 'a test' },
  before: { lineage: { mapping: 'm', v1: null, legacy: null }, verdict: 'ready', requests: 1 },
}

function startStore(settings: PostgresSettings) {
  let decided = 0
  const stores = openPostgresStore({
    ...{ settings, replicaId: 'replica', status: () => STATUS, onOffset: () => undefined },
    log: { warn: () => undefined },
  })
  stores.cutover.onDecided(() => decided++)
  return { store: stores.store, decided: () => decided, end: () => stores.store.close(500) }
}

describe.skipIf(server === undefined)('the schema', () => {
  it.each(['user', 'order', 'a'.repeat(63)])('may be called %s', async (schema) => {
    const settings = { ...server.settings, schema }
    const [one, other] = [startStore(settings), startStore(settings)]
    for (const { store } of [one, other]) {
      await store.open()
      await store.keep([])
    }
    await one.store.keep([RESET])
    await until(() => other.decided() > 0)
    expect(await other.store.resets()).toEqual([RESET])
    for (const { end } of [one, other]) await end()
  })

  it('is refused in a database of an encoding that lacks characters', async () => {
    await server.query(`
      CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' OWNER gateway`)
    const { store, end } = startStore({ ...server.settings, database: 'latin' })
    await expect(store.open()).rejects.toMatchObject({
      message: expect.stringMatching(/its encoding is LATIN1; it must be UTF8/),
      isBusy: false,
    })
    await end()
  })
  it('is read for a dossier only if there is one, and not if it is newer', async () => {
    const schema = newSchema()
    const settings = { ...server.settings, schema }
    const database = openDatabase(settings)
    const read = () => readDatabase(database, schema, storedResults())
    await expect(read()).rejects.toThrow(`: no gateway has stored anything in schema ${schema}`)
    const { store, end } = startStore(settings)
    await store.open()
    expect(await read()).toEqual({
      since: expect.stringMatching(/^20.*Z$/),
      counts: [],
      resets: [],
      ...{ steps: [], percents: new Map() },
    })
    const calls = () => readDatabase(database, schema, wholeUsage('2026-10-01'))
    expect(await calls()).toEqual([])
    await server.query(`
      INSERT INTO ${schema}.audit (id, event, operation, at, "by", "from", "to", why, lineage, requests) VALUES
        ('1', 'advanced', 'price', '2026-11-22T10:00:00Z', 'auto', 'at 1 %', 'at 5 %', '', '{}', 0),
        ('2', 'braked', 'price', '2026-11-22T12:00:00.5+01:00', 'auto', 'at 5 %', 'stopped', 'v1 failed', '{}', 0)`)
    await server.query(`
      INSERT INTO ${schema}.usage VALUES
        ('anna', 20727, 'price', 7, 0, 0, 7, 0, '2026-10-01T00:00:00Z', '2026-10-01T01:00:00.5+01:00', '[]', '{}'),
        ('anna', 20728, 'price', 5, 0, 0, 1, 3, '2026-10-02T00:00:00Z', '2026-10-02T01:00:00.5+01:00', '[]', '{}'),
        ('anna', 20726, 'price', 9, 0, 0, 9, 0, '2026-09-30T00:00:00Z', '2026-09-30T01:00:00Z', '[]', '{}')`)
    await server.query(`INSERT INTO ${schema}.position VALUES ('price', 3, 3, 2, '{"percent":25}')`)
    const { steps, percents } = await read()
    expect([...percents]).toEqual([['price', 25]])
    expect(await calls()).toMatchObject([
      { client: 'anna', operation: 'price', byV1: 8, byLegacy: 3, lastAt: '2026-10-02T00:00:00.500Z' },
    ])
    expect(steps).toEqual([
      {
        ...{ at: '2026-11-22T11:00:00.500Z', event: 'braked', operation: 'price', by: 'auto' },
        ...{ from: 'at 5 %', to: 'stopped', why: 'v1 failed' },
      },
      expect.objectContaining({ at: '2026-11-22T10:00:00.000Z', event: 'advanced' }),
    ])
    await server.query(`UPDATE ${schema}.version SET steps = 99`)
    await expect(read()).rejects.toThrow(`schema ${schema} has version 99; this gateway reads up to`)
    await end()
    await database.close(0)
  })
})
