import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { comparingFleet, eventsAt, planAt } from '../../control-plane/cutover/support/comparing-fleet.ts'
import { clientsBetween, QUICK, rolloutOf, startCutoverBed } from '../../control-plane/cutover/support/cutover-bed.ts'
import { failUntilBraked, orderAt } from '../../control-plane/cutover/support/fleets.ts'
import { isInstalled, startPostgres } from '../../support/postgres.ts'
import { startRelay } from '../../support/relay.ts'
import { newSchema } from '../../support/shared-postgres.ts'
import type { Settings } from '../../support/start-gateway.ts'

const server = isInstalled ? await startPostgres() : undefined
afterAll(() => server?.stop())

const KEY = randomBytes(32)
const below5 = clientsBetween(0, 5, 20)
const [last = ''] = clientsBetween(95, 100, 1)

const settingsOf = (schema: string, replicaId: string): Partial<Settings> => {
  if (server === undefined) throw new Error('no PostgreSQL')
  return { postgres: { ...server.settings, schema }, replicaId, tokenKeys: [KEY] }
}

describe.skipIf(!isInstalled)('plans while the database is away', () => {
  it('stay where they are, and the brake still goes on', async () => {
    const schema = newSchema()
    const bed = await startCutoverBed(rolloutOf({ steps: [5, 50], ...QUICK, calls: 3 }))
    const stateCache = join(bed.folder, 'cache.json')
    const gateway = await bed.start({ ...settingsOf(schema, 'alone'), stateCache })
    await expect.poll(() => gateway.percent()).toBe(5)
    await server?.kill9()
    try {
      for (let call = 0; call < 10; call++) expect(await gateway.answeredBy(below5[call] ?? '')).toBe('v1')
      expect(await gateway.answeredBy(last)).toBe('legacy')
      await expect
        .poll(() => gateway.log.some(({ msg }) => String(msg).includes('the cut-over cannot be stored')), {
          timeout: 15_000,
        })
        .toBe(true)
      expect(await gateway.percent()).toBe(5)
      bed.failV1(503)
      expect(await failUntilBraked(gateway)).toBeLessThan(80)
      expect(await gateway.state()).toBe('stopped')
      await gateway.close()

      const again = await bed.start({ ...settingsOf(schema, 'again'), stateCache })
      expect(await again.state(), 'it knows from STATE_CACHE, although the database never did').toBe('stopped')
      expect(await again.answeredBy(below5[0] ?? '')).toBe('legacy')
      await server?.restart()
      await expect
        .poll(() => again.log.some(({ msg }) => String(msg).includes('stored again')), { timeout: 20_000 })
        .toBe(true)
      // Results and positions are stored again one after the other.
      await expect
        .poll(async () => {
          const [row] = (await server?.query(`SELECT doc FROM ${schema}.position`)) ?? []
          return JSON.parse(String(row?.doc))
        })
        .toMatchObject({ state: 'stopped', percent: 0 })
      expect(await again.state()).toBe('stopped')
    } finally {
      await server?.restart()
    }
  }, 90_000)

  it('are stopped by hand at a replica that last read that they were stopped, and cannot read that they were resumed', async () => {
    const schema = newSchema()
    const bed = await startCutoverBed(rolloutOf({ steps: [5, 50], ...QUICK, calls: 1_000 }))
    const relay = await startRelay(server?.port)
    const settings = settingsOf(schema, 'cut off')
    const hosts = [{ host: '127.0.0.1', port: relay.port }]
    const cutOff = await bed.start({ ...settings, postgres: { ...settings.postgres, hosts } as never })
    const other = await bed.start(settingsOf(schema, 'other'))
    for (const gateway of [cutOff, other]) await expect.poll(() => gateway.percent()).toBe(5)
    expect(await orderAt(other, 'stop', { version: 7 })).toMatchObject({ status: 409 })
    expect(await other.percent(), 'an order that is refused leaves the plan where it is').toBe(5)
    expect(await orderAt(other, 'stop')).toMatchObject({ status: 200 })
    await expect.poll(() => cutOff.state()).toBe('stopped')
    expect(await orderAt(cutOff, 'stop')).toMatchObject({ status: 409 })

    relay.stall()
    expect(await orderAt(other, 'resume')).toMatchObject({ status: 200 })
    // The lease may have to pass on first.
    await expect.poll(() => other.percent(), { timeout: 30_000 }).toBe(5)
    const stopped = await orderAt(cutOff, 'stop')
    expect([stopped.status, stopped.text]).toEqual([200, expect.stringContaining('not stored yet')])
    expect(await other.percent()).toBe(5)
    relay.resume()
    await expect.poll(() => other.state(), { timeout: 30_000 }).toBe('stopped')
    const events = (await other.audit()).map(({ event }) => event)
    expect(events).toEqual(['stopped', 'advanced', 'resumed', 'stopped', 'advanced'])
  }, 90_000)

  it('do not go on after it on what was read before it', async () => {
    if (server === undefined) return
    const fleet = comparingFleet(server)
    const relay = await startRelay(server.port)
    const one = await fleet.start('one', { approve: [5] }, relay.port)
    const other = await fleet.start('other')
    await expect.poll(() => planAt(one)).toMatchObject({ state: 'awaiting approval' })
    relay.stall()
    await fleet.findDifference(other)
    const isAway = () => one.gateway.log.some(({ msg }) => String(msg).includes('the cut-over cannot be stored'))
    await expect.poll(isAway).toBe(true)
    relay.resume()
    // One that was given up, with 503, may have been carried out.
    await expect.poll(async () => (await orderAt(one, 'approve')).status).not.toBe(503)
    await expect.poll(() => planAt(one)).toMatchObject({ why: 'waits for the verdict (not ready)' })
    expect(await eventsAt(one)).not.toContain('advanced')
  })
})
