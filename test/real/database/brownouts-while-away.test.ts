import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import {
  beginBrownout,
  login,
  PATIENCE,
  report,
  shows,
  statuses,
} from '../../control-plane/cutover/brownout/shown-brownouts.ts'
import { clientsBetween, rolloutOf, startCutoverBed } from '../../control-plane/cutover/support/cutover-bed.ts'
import { after, endBrownouts, startBrownout } from '../../control-plane/cutover/support/fleets.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { isInstalled, startPostgres } from '../../support/postgres.ts'
import { newSchema } from '../../support/shared-postgres.ts'
import type { Settings } from '../../support/start-gateway.ts'

const server = isInstalled ? await startPostgres() : undefined
afterAll(() => server?.stop())

const KEY = randomBytes(32)
const [last = ''] = clientsBetween(95, 100, 1)
/** Longer than what is read is shared. */
const SHARED_MS = 1_100

const settingsOf = (schema: string, replicaId: string): Partial<Settings> => {
  if (server === undefined) throw new Error('no PostgreSQL')
  return { postgres: { ...server.settings, schema }, replicaId, tokenKeys: [KEY] }
}

describe.skipIf(!isInstalled)('brownouts while the database is away', () => {
  it('their end is ordered, and reaches every replica when it is back', async () => {
    const schema = newSchema()
    const bed = await startBrownout()
    const one = await bed.start(settingsOf(schema, 'one'))
    const other = await bed.start(settingsOf(schema, 'other'))
    for (const gateway of [one, other]) expect(await gateway.ask(last)).toMatchObject({ status: 503 })
    await server?.stop()
    try {
      const ended = await endBrownouts(one)
      expect(JSON.parse(ended.text)).toMatchObject({ ended: [1], kept: false })
      expect(await one.ask(last)).toMatchObject({ status: 401 })
      expect(await other.ask(last)).toMatchObject({ status: 503 })
      await server?.restart()
      await after(async () => (await other.ask(last)).status === 401)
      expect((await other.audit()).map(({ event, by }) => [event, by])).toEqual([['brownouts-ended', 'Ada']])
    } finally {
      await server?.restart()
    }
  }, 60_000)

  it('a replica that starts refuses nothing by them, as they may have been ended', async () => {
    const schema = newSchema()
    const bed = await startBrownout()
    await server?.stop()
    try {
      const gateway = await bed.start(settingsOf(schema, 'one'))
      expect(await gateway.ask(last)).toMatchObject({ status: 401 })
      await server?.restart()
      await after(async () => (await gateway.ask(last)).status === 503)
    } finally {
      await server?.restart()
    }
  }, 60_000)

  it('their calls are what this process knows, which the report says', async () => {
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
