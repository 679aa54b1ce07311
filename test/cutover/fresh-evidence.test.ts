import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../src/cutover/event.ts'
import type { CutoverReport } from '../../src/cutover/report.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { isInstalled, startPostgres } from '../support/postgres.ts'
import { startRelay } from '../support/relay.ts'
import { newSchema } from '../support/shared-postgres.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'

const server = isInstalled ? await startPostgres() : undefined
afterAll(() => server?.stop())

const KEY = randomBytes(32)

/** A gateway before a sandbox of its own. Its database is at `port`. Without a plan it only compares, so that it takes and stops no steps. */
function startReplica(schema: string, replicaId: string, own?: object, port = server?.port ?? 0): Promise<SideBySide> {
  if (server === undefined) throw new Error('no PostgreSQL')
  const postgres = { ...server.settings, schema, hosts: [{ host: '127.0.0.1', port }] }
  const plan = { steps: [5], calls: 1, minutes: 0, withoutVerdict: 'a test', ...own }
  return startSideBySide(
    { operations: { 'invoice-list': { serve: 'legacy', shadow: 1, ...(own !== undefined && { plan }) } } },
    { settings: () => ({ postgres, replicaId, tokenKeys: [KEY] }) },
  )
}

const read = async <Result>({ adminUrl }: SideBySide, path: string): Promise<Result> =>
  JSON.parse((await callLegacy(adminUrl, { path })).text) as Result
const planAt = async (gateway: SideBySide): Promise<CutoverReport | undefined> =>
  (await read<CutoverReport[]>(gateway, '/cutover'))[0]
const eventsAt = async (gateway: SideBySide) =>
  (await read<{ entries: AuditEntry[] }>(gateway, '/audit')).entries.map(({ event }) => event)

const orderAt = ({ adminUrl }: SideBySide, action: string): ReturnType<typeof callLegacy> =>
  callLegacy(adminUrl, {
    path: `/cutover/invoice-list/${action}`,
    body: JSON.stringify({ by: 'Ada', why: 'a test' }),
    headers: { 'content-type': 'application/json' },
  })

/** Lets a gateway find a difference, and waits until it is stored. */
async function findDifference(gateway: SideBySide, schema: string): Promise<void> {
  await gateway.plant('v1', { path: '/api/v1/finance/invoices', kind: 'status', status: 400, calls: 'all' })
  await gateway.call('/api/invoice/list', {})
  await gateway.compared(1)
  const stored = `SELECT replica FROM ${schema}.tally UNION SELECT replica FROM ${schema}.portion`
  await expect.poll(() => server?.query(stored)).toEqual([{ replica: 'other' }])
}

describe.skipIf(!isInstalled)('no gateway of a fleet takes a step against what another has found', () => {
  it('when someone orders it, even if it has just judged without that', async () => {
    const schema = newSchema()
    // Closed for days, so that nobody takes the step without an order.
    const days = new Date(Date.now() + 3 * 86_400_000).toUTCString().slice(0, 3)
    const plan = { window: { days, from: '10:00', to: '11:00', zone: 'UTC' } }
    const one = await startReplica(schema, 'one', plan)
    const other = await startReplica(schema, 'other')
    await findDifference(other, schema)
    expect(await orderAt(one, 'advance')).toMatchObject({
      status: 409,
      text: expect.stringContaining('the verdict is not ready'),
    })
    expect(await eventsAt(one)).not.toContain('advanced')
  })

  it('after an outage, on what it had read before', async () => {
    const schema = newSchema()
    const plan = { approve: [5] }
    const relay = await startRelay(server?.port)
    const one = await startReplica(schema, 'one', plan, relay.port)
    const other = await startReplica(schema, 'other')
    await expect.poll(() => planAt(one)).toMatchObject({ state: 'awaiting approval' })
    relay.stall()
    await findDifference(other, schema)
    const isAway = () => one.gateway.log.some(({ msg }) => String(msg).includes('the cut-over cannot be stored'))
    await expect.poll(isAway).toBe(true)
    relay.resume()
    // One that was given up, with 503, may have been carried out.
    await expect.poll(async () => (await orderAt(one, 'approve')).status).not.toBe(503)
    await expect.poll(() => planAt(one)).toMatchObject({ why: 'waits for the verdict (not ready)' })
    expect(await eventsAt(one)).not.toContain('advanced')
  })
})
