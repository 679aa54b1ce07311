import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { BrownoutReport, BrownoutsReport } from '../../../src/cutover/brownout/brownout-report.ts'
import { brownoutRule } from '../../support/brownout-rule.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { isInstalled, startPostgres } from '../../support/postgres.ts'
import { newSchema } from '../../support/shared-postgres.ts'
import { DEMO_LOGIN } from '../../support/side-by-side.ts'
import type { Settings } from '../../support/start-gateway.ts'
import { wholeToken } from '../../support/whole-token.ts'
import { type CutoverBed, type CutoverGateway, rolloutOf, startCutoverBed } from '../support/cutover-bed.ts'

const server = isInstalled ? await startPostgres() : undefined
afterAll(() => server?.stop())

const KEY = randomBytes(32)
/** Longer than what is read is shared. */
const SHARED_MS = 1_100
const PATIENCE = { timeout: 20_000, interval: 50 }

const settingsOf = (schema: string, replicaId: string): Partial<Settings> => {
  if (server === undefined) throw new Error('no PostgreSQL')
  return { postgres: { ...server.settings, schema }, replicaId, tokenKeys: [KEY] }
}

const login = (gateway: CutoverGateway): Promise<string> =>
  wholeToken(() => gateway.call({ path: '/auth/application', body: JSON.stringify(DEMO_LOGIN) }))

/** Begins a brownout of invoices, which lasts for an hour. Resolves when it is in effect at these gateways. */
async function beginBrownout(bed: CutoverBed, ...gateways: readonly CutoverGateway[]): Promise<void> {
  const [from, to] = [0, 3_600_000].map((later) => new Date(Date.now() + later).toISOString())
  bed.write({
    ...rolloutOf(undefined),
    brownouts: [brownoutRule({ operations: ['invoice-list'], from, to } as object)],
  })
  // Calls of another client, so that those of the first can be told.
  for (const gateway of gateways) {
    await expect.poll(async () => (await gateway.ask('nobody')).status, PATIENCE).toBe(503)
  }
}

const endBrownouts = ({ adminUrl }: CutoverGateway): ReturnType<typeof callLegacy> =>
  callLegacy(adminUrl, {
    path: '/brownouts/end',
    body: JSON.stringify({ by: 'Ada', why: 'a test' }),
    headers: { 'content-type': 'application/json' },
  })

const report = async ({ adminUrl }: CutoverGateway): Promise<BrownoutsReport> =>
  JSON.parse((await callLegacy(adminUrl, { path: '/brownouts' })).text)

/** The calls of the client that logged in; of a busy machine, after a while. */
const shows = (gateway: CutoverGateway, calls: Partial<BrownoutReport['clients'][number]>): Promise<void> =>
  expect
    .poll(async () => (await report(gateway)).brownouts[0]?.clients, PATIENCE)
    .toEqual([expect.objectContaining({ client: 'demo-client', ...calls })])

/** Calls for invoices. Returns the statuses. */
async function statuses(gateway: CutoverGateway, token: string, calls: number): Promise<readonly number[]> {
  const all: number[] = []
  for (let call = 0; call < calls; call++) all.push((await gateway.ask(token)).status)
  return all
}

describe('the calls of a brownout', () => {
  it('survive a restart: those before, those refused, and those since', async () => {
    const bed = await startCutoverBed(rolloutOf(undefined))
    const first = await bed.start({ tokenKeys: [KEY] })
    const token = await login(first)
    expect(await statuses(first, token, 3)).toEqual([200, 200, 200])
    await beginBrownout(bed, first)
    expect(await statuses(first, token, 2)).toEqual([503, 503])
    await shows(first, { before: 3, refused: 2, since: 0 })
    await first.close()

    const second = await bed.start({ tokenKeys: [KEY] })
    await shows(second, { before: 3, refused: 2, since: 0 })
    expect(await statuses(second, token, 1)).toEqual([503])
    await endBrownouts(second)
    expect(await statuses(second, token, 1)).toEqual([200])
    await shows(second, { before: 3, refused: 3, since: 1 })
    await second.close()

    const third = await bed.start({ tokenKeys: [KEY] })
    expect(await statuses(third, token, 1)).toEqual([200])
    await shows(third, { before: 3, refused: 3, since: 2 })
    expect(await report(third)).toMatchObject({ brownouts: [{ state: 'ended' }] })
    expect(await report(third)).not.toHaveProperty('incomplete')
  }, 60_000)
})

describe.skipIf(!isInstalled)('the calls of a brownout, of gateways that share a PostgreSQL database', () => {
  it('are the fleet’s at each of them', async () => {
    const schema = newSchema()
    const bed = await startCutoverBed(rolloutOf(undefined))
    const one = await bed.start(settingsOf(schema, 'one'))
    const other = await bed.start(settingsOf(schema, 'other'))
    const token = await login(one)
    expect(await statuses(other, token, 1)).toEqual([200])
    await beginBrownout(bed, one, other)
    expect(await statuses(one, token, 2)).toEqual([503, 503])
    await shows(other, { before: 1, refused: 2, since: 0 })
    expect(await statuses(other, token, 1)).toEqual([503])
    for (const gateway of [one, other]) await shows(gateway, { before: 1, refused: 3, since: 0 })
    await endBrownouts(one)
    expect(await statuses(one, token, 1)).toEqual([200])
    await shows(other, { before: 1, refused: 3, since: 1 })
  }, 60_000)

  it('are what this process knows while the database is away, which the report says', async () => {
    const bed = await startCutoverBed(rolloutOf(undefined))
    const schema = newSchema()
    const gateway = await bed.start(settingsOf(schema, 'alone'))
    const token = await login(gateway)
    expect(await statuses(gateway, token, 1)).toEqual([200])
    await beginBrownout(bed, gateway)
    expect(await statuses(gateway, token, 1)).toEqual([503])
    const sum = `SELECT sum(calls) AS calls FROM ${schema}.usage WHERE client = 'demo-client'`
    // With the login.
    await expect.poll(async () => Number((await server?.query(sum))?.[0]?.calls), PATIENCE).toBe(3)
    // What is read is shared for a second: this reading is after all was stored.
    await wait(SHARED_MS)
    await shows(gateway, { before: 1, refused: 1 })
    await server?.kill9()
    try {
      expect(await statuses(gateway, token, 1)).toEqual([503])
      await expect.poll(async () => (await report(gateway)).incomplete, PATIENCE).toBe(true)
      // What was read last, and what is not stored.
      await shows(gateway, { before: 1, refused: 2, since: 0 })
      const page = await callLegacy(gateway.adminUrl, { path: '/brownouts', headers: { accept: 'text/html' } })
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('Usage cannot be read now')])
    } finally {
      await server?.restart()
    }
    await expect.poll(async () => (await report(gateway)).incomplete, PATIENCE).toBe(undefined)
    await shows(gateway, { before: 1, refused: 2, since: 0 })
  }, 90_000)
})
