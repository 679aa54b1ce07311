import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { countPortions } from '../../../src/compare/tally/portions.ts'
import { foldGone } from '../../../src/compare/tally/postgres/fold-gone.ts'
import { postgresDb, type StoreNews } from '../../../src/compare/tally/postgres/postgres-db.ts'
import type { Reset } from '../../../src/compare/tally/resets.ts'
import type { KeptCounts } from '../../../src/compare/tally/state-store.ts'
import { openDatabase } from '../../../src/state/postgres/open-database.ts'
import { takeLease } from '../../../src/state/postgres/postgres-lease.ts'
import type { ReplicasReport } from '../../../src/state/replicas.ts'
import { expectationsFrom, lost } from '../../compare/support/lines.ts'
import { criteriaOf, observe } from '../../compare/support/observing.ts'
import { AT_ONCE, STATUS } from '../../state/support/replicas.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { isInstalled, startPgbouncer } from '../../support/pgbouncer.ts'
import { startPostgres } from '../../support/postgres.ts'
import { newSchema } from '../../support/shared-postgres.ts'
import { type SideBySide, startSideBySide } from '../../support/side-by-side.ts'
import { until } from '../../support/start-gateway.ts'

const server = isInstalled ? await startPostgres() : undefined
/** Fewer connections than there are gateways: what one of them left in a session, another would find. */
const pooler = server && (await startPgbouncer(server, 'default_pool_size = 2'))
afterAll(() => server?.stop())

const poolerSettings = (schema: string) => {
  if (pooler === undefined) throw new Error('no pgbouncer')
  return { ...pooler.settings, schema }
}

describe.skipIf(!isInstalled)('gateways with pgbouncer in transaction mode before their database (pgbouncer)', () => {
  const key = randomBytes(32)
  const startReplica = (schema: string, replicaId: string): Promise<SideBySide> =>
    startSideBySide(
      { operations: { '*': { serve: 'legacy', shadow: 1 } } },
      { settings: () => ({ postgres: poolerSettings(schema), replicaId, tokenKeys: [key] }) },
    )
  const invoices = async (gateway: SideBySide, times: number): Promise<void> => {
    for (let time = 0; time < times; time++) expect((await gateway.call('/api/invoice/list', {})).status).toBe(200)
  }
  const requestsAt = async (gateway: SideBySide): Promise<number> =>
    (await gateway.experiments()).operations.find(({ operation }) => operation === 'invoice-list')?.totals.requests ?? 0
  const replicasAt = async ({ adminUrl }: SideBySide): Promise<ReplicasReport> =>
    JSON.parse((await callLegacy(adminUrl, { path: '/replicas' })).text) as ReplicasReport
  const stateOf = async (gateway: SideBySide): Promise<string> => (await replicasAt(gateway)).engine.state

  it('show the results of all, see each other, and start over together', async () => {
    const schema = newSchema()
    const both = [await startReplica(schema, 'one'), await startReplica(schema, 'other')] as const
    const [one, other] = both
    await invoices(one, 3)
    await invoices(other, 4)
    for (const gateway of both) await expect.poll(() => requestsAt(gateway)).toBe(7)
    for (const gateway of both) {
      await expect.poll(async () => (await replicasAt(gateway)).replicas.map(({ id }) => id)).toEqual(['one', 'other'])
    }
    const { text } = await callLegacy(one.adminUrl, {
      path: '/evidence/reset',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ operation: 'invoice-list', by: 'test', why: 'the service was replaced' }),
    })
    expect(JSON.parse(text)).toMatchObject({ kept: true })
    await expect.poll(() => requestsAt(other)).toBe(0)
    await invoices(other, 2)
    await expect.poll(() => requestsAt(one)).toBe(2)
  })

  it('lose nothing when pgbouncer is restarted, and count nothing twice', async () => {
    const schema = newSchema()
    const both = [await startReplica(schema, 'one'), await startReplica(schema, 'other')] as const
    const [one, other] = both
    await invoices(one, 2)
    for (const gateway of both) await expect.poll(() => requestsAt(gateway)).toBe(2)
    onTestFinished(() => pooler?.restart())
    await pooler?.stop()
    await invoices(one, 3)
    await invoices(other, 4)
    for (const gateway of both) await expect.poll(() => stateOf(gateway)).toBe('degraded')
    await expect.poll(() => requestsAt(one)).toBe(5)
    await pooler?.restart()
    for (const gateway of both) await expect.poll(() => stateOf(gateway)).toBe('ok')
    for (const gateway of both) await expect.poll(() => requestsAt(gateway)).toBe(9)
    // In the middle of the work, too.
    let made = 9
    for (let restart = 0; restart < 5; restart++) {
      const working = Promise.all(both.map((gateway) => invoices(gateway, 10)))
      await pooler?.restart()
      await working
      made += 20
    }
    for (const gateway of both) await expect.poll(() => requestsAt(gateway)).toBe(made)
  }, 60_000)
})

describe.skipIf(!isInstalled)('stores with pgbouncer in transaction mode before their database (pgbouncer)', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const criteria = () => criteriaOf(new Map([['made-up', expectationsFrom([lost('gone', 'no more')])]]))

  /** A store in this thread. Its timers are virtual. */
  async function openStore(schema: string, id: string) {
    const real = openDatabase(poolerSettings(schema))
    const news: StoreNews[] = []
    let polls = 0
    const database: typeof real = {
      ...real,
      query: (text, values) => {
        if (text.startsWith('SELECT version')) polls++
        return real.query(text, values)
      },
    }
    const start = randomBytes(6).toString('hex')
    const db = postgresDb({ database, schema, id, start, thread: 0, tell: (told) => news.push(told) })
    onTestFinished(() => db.close())
    const portions = countPortions(criteria)
    await db.open(new Date())
    return {
      db,
      database,
      polls: () => polls,
      isTold: () => news.some((one) => 'decided' in one),
      async compare(times: number): Promise<void> {
        for (let time = 0; time < times; time++) portions.record(observe({ control: { a: 1 }, candidate: { a: 1 } }))
        await db.keep({ portion: portions.next('2027-03-04') }, STATUS)
        portions.stored()
      },
      async requests(): Promise<number> {
        let sum = 0
        let kept: KeptCounts | undefined
        do {
          kept = await db.read(kept)
          for (const { matched } of Object.values(kept?.counts.judged ?? {})) sum += matched
          for (const { requests } of kept?.counts.patterns ?? []) sum += requests
        } while (kept !== undefined)
        return sum
      },
    }
  }

  const aReset = (): Reset => ({
    ...{ id: 'one', operation: 'made-up', at: '2027-03-04T00:00:00.000Z', by: 'test', why: 'replaced' },
    before: { lineage: { mapping: 'm', v1: null, legacy: null }, verdict: 'ready', requests: 1 },
  })

  it('learn of another’s decision within a second by asking, because no NOTIFY comes through', async () => {
    const schema = newSchema()
    const [one, other] = [await openStore(schema, 'one'), await openStore(schema, 'other')]
    const direct = openDatabase({ ...(server as NonNullable<typeof server>).settings, schema })
    onTestFinished(() => direct.close(0))
    let heard = 0
    direct.listen(schema, () => heard++)
    while (heard === 0) {
      await direct.transaction(({ query }) => query(`NOTIFY ${schema}`))
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    // Not `expect.poll`, which lets virtual time pass.
    vi.advanceTimersByTime(500)
    await until(() => other.polls() > 0)
    // After the poll, which has told the version.
    await other.database.transaction(({ query }) => query('SELECT 1'))
    // A notification that comes just while it listens slips through.
    const polls = other.polls()
    heard = 0
    await one.db.keep({ resets: [aReset()] }, STATUS)
    await until(() => heard === 1)
    expect(other.polls()).toBe(polls)
    expect(other.isTold()).toBe(false)
    vi.advanceTimersByTime(1_000)
    await until(other.isTold)
    expect(await other.db.resets()).toEqual([aReset()])
  })

  it('fold the rows of one that is gone, once, and show the same as before', async () => {
    const schema = newSchema()
    const [one, other] = [await openStore(schema, 'one'), await openStore(schema, 'other')]
    const leaving = await openStore(schema, 'leaving')
    await one.compare(2)
    await other.compare(3)
    await leaving.compare(4)
    await leaving.db.close()
    vi.advanceTimersByTime(10_000)
    const rows = async (): Promise<unknown> =>
      (await server?.query(`SELECT replica FROM ${schema}.tally ORDER BY replica`))?.map(({ replica }) => replica)
    await expect.poll(rows).toEqual(['', 'one', 'other'])
    for (const store of [one, other]) expect(await store.requests()).toBe(9)
    expect(await server?.query(`SELECT id FROM ${schema}.folded`)).toEqual([{ id: 'leaving' }])
  })

  it('have one holder of a lease, who can write no more once another has taken it, and gives it back with its end', async () => {
    const schema = newSchema()
    const [one, other, gone] = [
      ...[await openStore(schema, 'one'), await openStore(schema, 'other')],
      await openStore(schema, 'gone'),
    ] as const
    const take = ({ database }: typeof one, holder: string) =>
      database.transaction((transaction) => takeLease(transaction, { name: 'housekeeping', holder, seconds: 30 }))
    const held = await take(one, 'one')
    expect(held).toMatchObject({ token: '1' })
    expect(await take(other, 'other')).toBe(undefined)
    await gone.compare(1)
    await gone.db.close()
    await server?.query(`UPDATE ${schema}.lease SET until = now() - interval '1 second'`)
    expect(await take(other, 'other')).toMatchObject({ token: '2' })
    expect(held && (await foldGone(one.database, held, AT_ONCE))).toBe(0)
    // By itself, now that the lease is over.
    await server?.query(`UPDATE ${schema}.lease SET until = now() - interval '1 second'`)
    await one.compare(1)
    vi.advanceTimersByTime(10_000)
    const holder = async (): Promise<unknown> =>
      (await server?.query(`SELECT holder FROM ${schema}.lease`))?.[0]?.holder
    await expect.poll(holder).toMatch(/^(one|other) [0-9a-f]/)
    for (const store of [one, other]) await store.db.close()
    const next = await openStore(schema, 'next')
    expect(await take(next, 'next')).toMatchObject({ token: '4' })
  })
})
