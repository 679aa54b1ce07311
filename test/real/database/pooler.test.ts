import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { IMPORTS } from '../../../src/app/stores.ts'
import { EVIDENCE, evidenceDb } from '../../../src/control-plane/evidence/tally/evidence-db.ts'
import { exchangesIn } from '../../../src/control-plane/evidence/tally/operation-state.ts'
import { countPortions } from '../../../src/control-plane/evidence/tally/portions.ts'
import type { Reset } from '../../../src/control-plane/evidence/tally/resets.ts'
import { whileHeld } from '../../../src/control-plane/store/engine.ts'
import type { Lease } from '../../../src/control-plane/store/lease.ts'
import { documentsAfter } from '../../../src/control-plane/store/ledger.ts'
import { type FleetNews, fleetWatch } from '../../../src/control-plane/store/postgres/fleet-watch.ts'
import { openDatabase } from '../../../src/control-plane/store/postgres/open-database.ts'
import { postgresEngine } from '../../../src/control-plane/store/postgres/postgres-engine.ts'
import type { ReplicasReport } from '../../../src/control-plane/store/replicas.ts'
import { query } from '../../../src/control-plane/store/sql.ts'
import { expectationsFrom, lost } from '../../control-plane/evidence/support/lines.ts'
import { criteriaOf, observe } from '../../control-plane/evidence/support/observing.ts'
import { STATUS } from '../../control-plane/store/support/replicas.ts'
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
    const news: FleetNews[] = []
    let polls = 0
    const database: typeof real = {
      ...real,
      query: (text, values) => {
        if (text.startsWith('SELECT version')) polls++
        return real.query(text, values)
      },
    }
    const process = `${id} ${randomBytes(6).toString('hex')}`
    const engine = postgresEngine({ database, schema, holder: process, imports: IMPORTS })
    const fleet = fleetWatch({
      ...{ engine, listen: database.listen, schema, process: { id, incarnation: process } },
      tell: (told) => news.push(told),
    })
    const { open, add, keep, ...db } = evidenceDb(engine, process)
    const close = async (): Promise<void> => {
      fleet.close()
      await engine.close(fleet.leave, 1_000)
    }
    onTestFinished(close)
    const portions = countPortions(criteria, add)
    await open()
    fleet.start()
    const store = {
      ...{ engine, database, close, resets: db.resets },
      polls: () => polls,
      isTold: () => news.some((one) => 'decided' in one),
      async keep(unstored: readonly Reset[]): Promise<void> {
        await keep(unstored)
        await fleet.beat(STATUS)
      },
      async compare(times: number): Promise<void> {
        for (let time = 0; time < times; time++) portions.record(observe({ control: { a: 1 }, candidate: { a: 1 } }))
        await portions.send()
        await store.keep([])
      },
      async requests(): Promise<number> {
        const all = await engine.transaction(() => documentsAfter(EVIDENCE, 0), 'read')
        return all.reduce((sum, { doc }) => sum + exchangesIn(doc), 0)
      },
    }
    return store
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
    await one.keep([aReset()])
    await until(() => heard >= 1)
    expect(other.polls()).toBe(polls)
    expect(other.isTold()).toBe(false)
    vi.advanceTimersByTime(1_000)
    await until(other.isTold)
    expect(await other.resets()).toEqual([aReset()])
  })

  it('add up, and leave nothing of one that is gone but its number', async () => {
    const schema = newSchema()
    const [one, other] = [await openStore(schema, 'one'), await openStore(schema, 'other')]
    const leaving = await openStore(schema, 'leaving')
    await one.compare(2)
    await other.compare(3)
    await leaving.compare(4)
    await leaving.close()
    for (const store of [one, other]) expect(await store.requests()).toBe(9)
    expect(await server?.query(`SELECT count(*)::int AS many FROM ${schema}.ledger`)).toEqual([{ many: 1 }])
    expect(await server?.query(`SELECT id FROM ${schema}.replica ORDER BY id`)).toEqual([
      { id: 'one' },
      { id: 'other' },
    ])
  })

  it('have one holder of a lease, who can write no more once another has taken it, and gives it back with its end', async () => {
    const schema = newSchema()
    const [one, other] = [await openStore(schema, 'one'), await openStore(schema, 'other')]
    const held = await one.engine.lease('cutover')
    expect(held).toMatchObject({ token: '1' })
    expect(await other.engine.lease('cutover')).toBe(undefined)
    await server?.query(`UPDATE ${schema}.lease SET until = now() - interval '1 second'`)
    expect(await other.engine.lease('cutover')).toMatchObject({ token: '2' })
    const late = await whileHeld(one.engine, held as Lease, () => query("INSERT INTO moment VALUES ('late', now())"))
    expect([late, await server?.query(`SELECT * FROM ${schema}.moment`)]).toEqual([undefined, []])
    for (const store of [one, other]) await store.close()
    const next = await openStore(schema, 'next')
    expect(await next.engine.lease('cutover')).toMatchObject({ token: '3' })
  })
})
