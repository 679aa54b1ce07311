import { it, vi } from 'vitest'
import type { ReplicasReport } from '../../src/control-plane/store/replicas.ts'
import { type ComparingProcess, startComparingProcess } from '../support/comparing-process.ts'
import { canFakeTime, fakeTime } from '../support/fake-time.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { newSchema, sharedPostgres } from '../support/shared-postgres.ts'

/** Each starts real processes, some of them several. */
vi.setConfig({ testTimeout: 150_000 })

const server = canFakeTime ? sharedPostgres() : undefined
const canRun = server !== undefined

const startReplica = (
  schema: string,
  id: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ComparingProcess> =>
  startComparingProcess(server?.url ?? '', { STATE_SCHEMA: schema, REPLICA_ID: id, ...env })
const replicasAt = async ({ admin }: ComparingProcess): Promise<ReplicasReport['replicas']> =>
  (JSON.parse((await callLegacy(admin, { path: '/replicas' })).text) as ReplicasReport).replicas
const fleetPageOf = async ({ admin }: ComparingProcess): Promise<string> =>
  (await callLegacy(admin, { path: '/fleet' })).text
const ONE_IS_OFF = 'The clock of 1 replica is off by more than 2 s.'

it.skipIf(!canRun).concurrent(
  'a replica whose clock is 5 s ahead says so in its log, and the others show it (faketime, postgresql)',
  async ({ expect }) => {
    const schema = newSchema()
    const time = fakeTime('+5s')
    const right = await startReplica(schema, 'right')
    const wrong = await startReplica(schema, 'wrong', time.env)
    await wrong.said(/^the clock is off by more than 2 s: [3-6]\.\d s ahead of the database's$/)
    const offsetOf = async (id: string): Promise<number | undefined> =>
      (await replicasAt(right)).find((replica) => replica.id === id)?.clockOffsetMs
    // Measured again each second: on a busy machine one may be far out.
    await expect.poll(async () => Math.round(((await offsetOf('wrong')) ?? 0) / 1_000)).toBe(5)
    await expect.poll(async () => Math.round(((await offsetOf('right')) ?? Number.NaN) / 1_000)).toBe(0)
    await expect.poll(() => fleetPageOf(right)).toContain(ONE_IS_OFF)
    expect(await fleetPageOf(right)).toMatch(/<strong>[45]\.\d s ahead<\/strong>/)
    expect(right.complaints()).toEqual([])
    time.set('+0d')
    await wrong.said(/^the clock agrees with the database's again$/)
    await expect.poll(() => fleetPageOf(right)).not.toContain(ONE_IS_OFF)
  },
)

it.skipIf(!canRun).concurrent(
  'a replica whose clock is 100 days ahead stores by the clock of the database (faketime, postgresql)',
  async ({ expect }) => {
    const schema = newSchema()
    const sql = async (text: string) => (await server?.query(text)) ?? []
    const right = await startReplica(schema, 'right')
    await right.call(2)
    await right.counted(2)
    const ahead = await startReplica(schema, 'ahead', fakeTime('+100d').env)
    await ahead.call(1)
    for (const replica of [right, ahead]) await replica.counted(3)
    // What is old by the clock of the replica alone is stamped by that of the database, like everything.
    const [stored] = await sql(`SELECT max(abs(extract(epoch FROM now() - at)))::int AS off FROM ${schema}.ledger`)
    expect(Number(stored?.off)).toBeLessThan(60)
    expect((await replicasAt(ahead)).map(({ id }) => id)).toEqual(['ahead', 'right'])
    for (const replica of [right, ahead]) await replica.counted(3)
    await expect.poll(() => fleetPageOf(right)).toContain(ONE_IS_OFF)
  },
)
