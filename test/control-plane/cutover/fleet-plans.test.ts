import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settingsOf as postgresAt } from '../../support/postgres.ts'
import { newSchema, type SharedPostgres, sharedPostgres } from '../../support/shared-postgres.ts'
import type { Settings } from '../../support/start-gateway.ts'
import { clientsBetween, QUICK, rolloutOf, startCutoverBed } from './support/cutover-bed.ts'
import { after, endBrownouts, failUntilBraked, startBrownout } from './support/fleets.ts'

const server = sharedPostgres() as SharedPostgres
/** The promise is 2 s; on a busy machine this process is late to see it. */
const PROMISED_MS = 5_000
const KEY = randomBytes(32)
const SOON = { interval: 10 }
const below5 = clientsBetween(0, 5, 20)
const [last = ''] = clientsBetween(95, 100, 1)

const settingsOf = (schema: string, replicaId: string): Partial<Settings> => ({
  ...{ postgres: { ...server.settings, schema }, replicaId, tokenKeys: [KEY] },
})

describe.skipIf(server === undefined)('plans of gateways that share a PostgreSQL database', () => {
  it('a step and a brake reach every replica, and no step is taken twice', async () => {
    const schema = newSchema()
    const bed = await startCutoverBed(rolloutOf({ steps: [5, 50], ...QUICK, calls: 4 }))
    const one = await bed.start(settingsOf(schema, 'one'))
    const other = await bed.start(settingsOf(schema, 'other'))
    for (const gateway of [one, other]) await expect.poll(() => gateway.percent(), SOON).toBe(5)
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
  })

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
  })
})

it('plans begin at 0 % with a broken STATE_CACHE, while the database is away', async () => {
  const bed = await startCutoverBed(rolloutOf({ steps: [5, 50], ...QUICK }))
  const stateCache = join(bed.folder, 'cache.json')
  writeFileSync(stateCache, '{"positions": [')
  // Nobody listens there.
  const postgres = postgresAt(1)
  const gateway = await bed.start({ postgres, tokenKeys: [KEY], stateCache })
  expect(await gateway.percent()).toBe(0)
  expect(await gateway.answeredBy(below5[0] ?? '')).toBe('legacy')
  expect(gateway.log.filter(({ msg }) => String(msg).includes('STATE_CACHE'))).toEqual([
    expect.objectContaining({ level: 40, reason: 'it is not JSON' }),
  ])
})
