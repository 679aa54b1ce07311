import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import type { ReplicasReport } from '../../src/state/replicas.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { isInstalled, startPostgres } from '../support/postgres.ts'
import { newSchema } from '../support/shared-postgres.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'

const server = isInstalled ? await startPostgres() : undefined
afterAll(() => server?.stop())

const KEY = randomBytes(32)
const ROLLOUT = { operations: { '*': { serve: 'legacy', shadow: 1 } } }

/** A gateway before a sandbox of its own, whose results are in the database. */
const startReplica = (schema: string, replicaId: string): Promise<SideBySide> => {
  if (server === undefined) throw new Error('no PostgreSQL')
  const postgres = { ...server.settings, schema }
  return startSideBySide(ROLLOUT, { settings: () => ({ postgres, replicaId, tokenKeys: [KEY] }) })
}
const read = async <Result>({ adminUrl }: SideBySide, path: string): Promise<Result> =>
  JSON.parse((await callLegacy(adminUrl, { path })).text) as Result
const replicasOf = (gateway: SideBySide) => read<ReplicasReport>(gateway, '/replicas')
const invoices = async (gateway: SideBySide, times: number): Promise<void> => {
  for (let time = 0; time < times; time++) expect((await gateway.call('/api/invoice/list', {})).status).toBe(200)
}
const requestsAt = async (gateway: SideBySide, operation = 'invoice-list'): Promise<number> =>
  (await gateway.experiments()).operations.find((one) => one.operation === operation)?.totals.requests ?? 0

describe.skipIf(!isInstalled)('gateways that share a PostgreSQL database', () => {
  it('show the same results, which are those of all, and each other', async () => {
    const schema = newSchema()
    const [one, other] = [await startReplica(schema, 'one'), await startReplica(schema, 'other')]
    await invoices(one, 3)
    await invoices(other, 4)
    for (const gateway of [one, other]) await expect.poll(() => requestsAt(gateway)).toBe(7)
    const [seenByOne, seenByOther] = [await one.experiments(), await other.experiments()]
    expect(JSON.stringify(seenByOne.operations)).toBe(JSON.stringify(seenByOther.operations))
    for (const gateway of [one, other]) {
      await expect.poll(async () => (await replicasOf(gateway)).replicas.map(({ id }) => id)).toEqual(['one', 'other'])
    }
    const report = await replicasOf(one)
    expect(report).toMatchObject({ engine: { kind: 'postgresql', state: 'ok' }, self: 'one' })
    expect(Math.abs(report.replicas[0]?.clockOffsetMs ?? Number.NaN)).toBeLessThan(2_000)
  })

  it('each count their own comparisons, so that the sum of their metrics is the truth', async () => {
    const schema = newSchema()
    const [one, other] = [await startReplica(schema, 'one'), await startReplica(schema, 'other')]
    await invoices(one, 3)
    await invoices(other, 4)
    for (const gateway of [one, other]) await expect.poll(() => requestsAt(gateway)).toBe(7)
    const countedAt = async ({ adminUrl }: SideBySide): Promise<number> => {
      const { text } = await callLegacy(adminUrl, { path: '/metrics' })
      return Number(/comparisons_total\{operation="invoice-list",outcome="matched"\} (\d+)/.exec(text)?.[1])
    }
    expect([await countedAt(one), await countedAt(other)]).toEqual([3, 4])
  })

  it('evidence that one resets starts over at all', async () => {
    const schema = newSchema()
    const [one, other] = [await startReplica(schema, 'one'), await startReplica(schema, 'other')]
    await invoices(one, 3)
    await expect.poll(() => requestsAt(other)).toBe(3)
    const { text } = await callLegacy(one.adminUrl, {
      path: '/evidence/reset',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ operation: 'invoice-list', by: 'test', why: 'ışık; the service was replaced' }),
    })
    expect(JSON.parse(text)).toMatchObject({ kept: true })
    await expect.poll(() => requestsAt(other)).toBe(0)
    await invoices(other, 2)
    await expect.poll(() => requestsAt(one)).toBe(2)
  })

  it('a database that hangs is reported, holds up no call, and loses nothing', async () => {
    const gateway = await startReplica(newSchema(), 'alone')
    await invoices(gateway, 2)
    await expect.poll(() => requestsAt(gateway)).toBe(2)
    server?.pause()
    try {
      await invoices(gateway, 3)
      await expect.poll(async () => (await replicasOf(gateway)).engine.state).toBe('degraded')
      expect(await read(gateway, '/readyz')).toMatchObject({ state: 'degraded' })
      await expect.poll(() => requestsAt(gateway)).toBe(5)
      await invoices(gateway, 4)
    } finally {
      server?.resume()
    }
    await expect.poll(async () => (await replicasOf(gateway)).engine.state).toBe('ok')
    await expect.poll(() => requestsAt(gateway)).toBe(9)
  }, 60_000)
})
