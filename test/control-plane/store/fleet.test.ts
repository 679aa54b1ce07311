import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ReplicasReport } from '../../../src/control-plane/store/replicas.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { newSchema, type SharedPostgres, sharedPostgres } from '../../support/shared-postgres.ts'
import { type SideBySide, startSideBySide } from '../../support/side-by-side.ts'

const server = sharedPostgres() as SharedPostgres
const ROLLOUT = { operations: { '*': { serve: 'legacy', shadow: 1 } } }
const SOON = { interval: 10 }

const read = async <Result>({ adminUrl }: SideBySide, path: string): Promise<Result> =>
  JSON.parse((await callLegacy(adminUrl, { path })).text) as Result
const replicasOf = (gateway: SideBySide) => read<ReplicasReport>(gateway, '/replicas')
const invoices = async (gateway: SideBySide, times: number): Promise<void> => {
  for (let time = 0; time < times; time++) expect((await gateway.call('/api/invoice/list', {})).status).toBe(200)
}
const requestsAt = async (gateway: SideBySide): Promise<number> =>
  (await gateway.experiments()).operations.find(({ operation }) => operation === 'invoice-list')?.totals.requests ?? 0

describe.skipIf(server === undefined)('gateways that share a PostgreSQL database', () => {
  let one: SideBySide
  let other: SideBySide
  let both: readonly SideBySide[]

  beforeAll(async () => {
    const postgres = { ...server.settings, schema: newSchema() }
    const tokenKeys = [randomBytes(32)]
    const start = (replicaId: string) =>
      startSideBySide(ROLLOUT, { settings: () => ({ postgres, replicaId, tokenKeys }) })
    one = await start('one')
    other = await start('other')
    both = [one, other]
    await invoices(one, 3)
    await invoices(other, 4)
  })

  it('show the same results, which are those of all, and each other', async () => {
    for (const gateway of both) await expect.poll(() => requestsAt(gateway), SOON).toBe(7)
    const [seenByOne, seenByOther] = await Promise.all(both.map((gateway) => gateway.experiments()))
    expect(JSON.stringify(seenByOne?.operations)).toBe(JSON.stringify(seenByOther?.operations))
    for (const gateway of both) {
      const ids = async () => (await replicasOf(gateway)).replicas.map(({ id }) => id)
      await expect.poll(ids, SOON).toEqual(['one', 'other'])
    }
    const report = await replicasOf(one)
    expect(report).toMatchObject({ engine: { kind: 'postgresql', state: 'ok' }, self: 'one' })
    expect(Math.abs(report.replicas[0]?.clockOffsetMs ?? Number.NaN)).toBeLessThan(2_000)
  })

  it('each count their own comparisons, so that the sum of their metrics is the truth', async () => {
    const countedAt = async ({ adminUrl }: SideBySide): Promise<number> => {
      const { text } = await callLegacy(adminUrl, { path: '/metrics' })
      return Number(/comparisons_total\{operation="invoice-list",outcome="matched"\} (\d+)/.exec(text)?.[1])
    }
    expect(await Promise.all(both.map(countedAt))).toEqual([3, 4])
  })

  it('start over at all when evidence is reset at one', async () => {
    const { text } = await callLegacy(one.adminUrl, {
      path: '/evidence/reset',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ operation: 'invoice-list', by: 'test', why: 'ışık; the service was replaced' }),
    })
    expect(JSON.parse(text)).toMatchObject({ kept: true })
    await expect.poll(() => requestsAt(other), SOON).toBe(0)
    await invoices(other, 2)
    await expect.poll(() => requestsAt(one), SOON).toBe(2)
  })
})
