import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { BrownoutRule } from '../../src/compare/rollout/brownout-rule.ts'
import { brownoutRule } from '../support/brownout-rule.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { isInstalled, startPostgres } from '../support/postgres.ts'
import { startRelay } from '../support/relay.ts'
import { newSchema } from '../support/shared-postgres.ts'
import type { Settings } from '../support/start-gateway.ts'
import { type CutoverGateway, clientsBetween, QUICK, rolloutOf, startCutoverBed } from './support/cutover-bed.ts'

const server = isInstalled ? await startPostgres() : undefined
afterAll(() => server?.stop())

/** The promise is 2 s; on a busy machine this process is late to see it. */
const PROMISED_MS = 5_000
/** The brake looks at most ten times a second. */
const PACE_MS = 25
const KEY = randomBytes(32)
const below5 = clientsBetween(0, 5, 20)
const [last = ''] = clientsBetween(95, 100, 1)

const settingsOf = (schema: string, replicaId: string): Partial<Settings> => {
  if (server === undefined) throw new Error('no PostgreSQL')
  return { postgres: { ...server.settings, schema }, replicaId, tokenKeys: [KEY] }
}

/** Makes calls that v1 fails until legacy answers them again. Returns how many failed. */
async function failUntilBraked(gateway: CutoverGateway): Promise<number> {
  for (let failed = 0; failed < 100; failed++) {
    const { status } = await gateway.ask(below5[failed % below5.length] ?? '')
    if (status !== 500) return failed
    await wait(PACE_MS)
  }
  throw new Error('the brake did not go on')
}

/** Returns after how many ms a condition holds. */
async function after(holds: () => Promise<boolean>): Promise<number> {
  const started = performance.now()
  while (!(await holds())) {
    if (performance.now() - started > 20_000) throw new Error('it did not happen')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return performance.now() - started
}

/** A bed whose brownout began a minute ago and lasts for an hour. */
function startBrownout(): ReturnType<typeof startCutoverBed> {
  const [from, to] = [-60_000, 3_600_000].map((later) => new Date(Date.now() + later).toISOString())
  const brownouts = [brownoutRule({ from, to } as Partial<BrownoutRule>)]
  return startCutoverBed({ ...rolloutOf(undefined), brownouts })
}

/** Gives an order to the plan. */
const orderAt = ({ adminUrl }: CutoverGateway, action: string, more: object = {}): ReturnType<typeof callLegacy> =>
  callLegacy(adminUrl, {
    path: `/cutover/invoice-list/${action}`,
    body: JSON.stringify({ by: 'Ada', why: 'a test', ...more }),
    headers: { 'content-type': 'application/json' },
  })

const endBrownouts = ({ adminUrl }: CutoverGateway): ReturnType<typeof callLegacy> =>
  callLegacy(adminUrl, {
    path: '/brownouts/end',
    body: JSON.stringify({ by: 'Ada', why: 'a client cannot wait' }),
    headers: { 'content-type': 'application/json' },
  })

describe.skipIf(!isInstalled)('plans of gateways that share a PostgreSQL database', () => {
  it('a step and a brake reach every replica, and no step is taken twice', async () => {
    const schema = newSchema()
    const bed = await startCutoverBed(rolloutOf({ steps: [5, 50], ...QUICK, calls: 4 }))
    const one = await bed.start(settingsOf(schema, 'one'))
    const other = await bed.start(settingsOf(schema, 'other'))
    for (const gateway of [one, other]) await expect.poll(() => gateway.percent()).toBe(5)
    // Two calls each: they count together.
    for (const gateway of [one, other, one, other]) expect(await gateway.answeredBy(below5[0] ?? '')).toBe('v1')
    await after(async () => (await one.percent()) === 50 || (await other.percent()) === 50)
    expect(await after(async () => (await one.percent()) === (await other.percent()))).toBeLessThan(PROMISED_MS)
    const moves = [one, other].flatMap(({ log }) => log.filter(({ msg }) => msg === 'a plan has moved'))
    expect(moves.map(({ to }) => to)).toEqual([5, 50])

    bed.failV1(503)
    expect(await failUntilBraked(one)).toBeLessThan(60)
    const reached = async () => (await other.answeredBy(below5[1] ?? '')) === 'legacy'
    expect(await after(reached)).toBeLessThan(PROMISED_MS)
    expect(await other.state()).toBe('stopped')
  }, 60_000)

  it('stay where they are while the database is away, and the brake still goes on', async () => {
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

  it('an end of all brownouts at one replica is one at every replica, and after a restart', async () => {
    const schema = newSchema()
    const bed = await startBrownout()
    const one = await bed.start(settingsOf(schema, 'one'))
    const other = await bed.start(settingsOf(schema, 'other'))
    // The sandbox knows no such client: whoever is not refused by the brownout is refused by the service.
    for (const gateway of [one, other]) expect(await gateway.ask(last)).toMatchObject({ status: 503 })
    const ended = await endBrownouts(one)
    expect(JSON.parse(ended.text)).toMatchObject({ ended: [1], kept: true })
    expect(await one.ask(last)).toMatchObject({ status: 401 })
    expect(await after(async () => (await other.ask(last)).status !== 503)).toBeLessThan(PROMISED_MS)
    expect((await other.audit()).map(({ event, by }) => [event, by])).toEqual([['brownouts-ended', 'Ada']])
    const again = await bed.start(settingsOf(schema, 'again'))
    expect(await again.ask(last)).toMatchObject({ status: 401 })
  }, 60_000)

  it('an end of all brownouts that is ordered while the database is away reaches every replica when it is back', async () => {
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

  it('a replica that starts while the database is away refuses nothing by a brownout, which may have been ended', async () => {
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

  it('begin at 0 % with a broken STATE_CACHE, while the database is away', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [5, 50], ...QUICK }))
    const stateCache = join(bed.folder, 'cache.json')
    writeFileSync(stateCache, '{"positions": [')
    await server?.stop()
    try {
      const gateway = await bed.start({ ...settingsOf(newSchema(), 'alone'), stateCache })
      expect(await gateway.percent()).toBe(0)
      expect(await gateway.answeredBy(below5[0] ?? '')).toBe('legacy')
      expect(gateway.log.filter(({ msg }) => String(msg).includes('STATE_CACHE'))).toEqual([
        expect.objectContaining({ level: 40, reason: 'it is not JSON' }),
      ])
    } finally {
      await server?.restart()
    }
  }, 60_000)
})
