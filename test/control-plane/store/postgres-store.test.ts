import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openPostgresStore } from '../../../src/app/postgres-stores.ts'
import { type KeptTally, keptTally } from '../../../src/control-plane/evidence/tally/kept-tally.ts'
import { newSchema, type SharedPostgres, sharedPostgres } from '../../support/shared-postgres.ts'
import { until } from '../../support/start-gateway.ts'
import { expectationsFrom, lost } from '../evidence/support/lines.ts'
import { criteriaOf, observe } from '../evidence/support/observing.ts'
import { replicaOf } from './support/replicas.ts'

const lines = expectationsFrom([lost('gone', 'no more')])
const criteria = () => criteriaOf(new Map([['made-up', lines]]))
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined }
const STATUS = { build: '0', mapping: 'm', rollout: null, position: null }

const server = sharedPostgres() as SharedPostgres

async function startReplica(schema: string, id = randomBytes(3).toString('hex')) {
  const { store, replicas } = openPostgresStore({
    settings: { ...server.settings, schema },
    ...{ replicaId: id, status: () => STATUS, onOffset: () => undefined, log: QUIET },
  })
  const tally = await keptTally({ store, criteria, log: QUIET as never, everyMs: 100 })
  onTestFinished(() => tally.close(500))
  return { id, replicas, tally }
}

const matching = () => observe({ control: { a: 1 }, candidate: { a: 1 }, at: new Date('2027-03-04T12:00:00Z') })
async function requests(tally: KeptTally): Promise<number> {
  await tally.refresh(0)
  return tally.snapshot()[0]?.totals.requests ?? 0
}

it.skipIf(server === undefined)('each replica shows what all of them found', async () => {
  const schema = newSchema()
  const [a, b] = [await startReplica(schema), await startReplica(schema)]
  a.tally.record(matching())
  b.tally.record(matching())
  b.tally.record(matching())
  for (const { tally } of [a, b]) await expect.poll(() => requests(tally), { interval: 10 }).toBe(3)
  for (const { tally } of [a, b]) expect(await tally.days()).toEqual([{ day: '2027-03-04', compared: 3, matched: 3 }])
  expect(a.tally.health().failure).toBe(null)
  await until(() => a.replicas().length === 2)
  expect(a.replicas().map(({ id }) => id)).toEqual([a.id, b.id].sort())
})

it.skipIf(server === undefined)('a replica reads the rows of another each time they are written again', async () => {
  const schema = newSchema()
  const operations = new Map([['made-up', lines]])
  const writer = replicaOf({ ...server.settings, schema }, operations)
  const reader = replicaOf({ ...server.settings, schema }, operations)
  onTestFinished(async () => {
    await writer.leave()
    await reader.leave()
  })
  expect(await reader.flush()).toBe(true)
  for (let portion = 1; portion <= 20; portion++) {
    writer.record(matching())
    expect(await writer.flush()).toBe(true)
    expect((await reader.tally()).snapshot()[0]?.totals.requests, `portion ${portion}`).toBe(portion)
  }
})

it.skipIf(server === undefined)('the results begin when they do by the clock of the database', async () => {
  const { store } = openPostgresStore({
    settings: { ...server.settings, schema: newSchema() },
    ...{ replicaId: 'ahead', status: () => STATUS, onOffset: () => undefined, log: QUIET },
  })
  onTestFinished(() => store.close(500))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 100 * 86_400_000 })
  onTestFinished(() => void vi.useRealTimers())
  const since = await store.open()
  vi.useRealTimers()
  expect(Math.abs(Date.parse(since) - Date.now())).toBeLessThan(60_000)
})
