import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newSchema, type SharedPostgres, sharedPostgres } from '../../../support/shared-postgres.ts'
import type { Settings } from '../../../support/start-gateway.ts'
import { rolloutOf, startCutoverBed } from '../support/cutover-bed.ts'
import { endBrownouts } from '../support/fleets.ts'
import { beginBrownout, login, report, shows, statuses } from './shown-brownouts.ts'

const server = sharedPostgres() as SharedPostgres
const KEY = randomBytes(32)

const settingsOf = (schema: string, replicaId: string): Partial<Settings> => ({
  ...{ postgres: { ...server.settings, schema }, replicaId, tokenKeys: [KEY] },
})

describe('the calls of a brownout', () => {
  it('survive a restart: those before, those refused, and those since', async () => {
    const begun = new Date().toISOString()
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
    // The first call came after `begun`: who called before is not known.
    expect((await report(third)).since > begun).toBe(true)
  })
})

describe.skipIf(server === undefined)('the calls of a brownout, of gateways that share a PostgreSQL database', () => {
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
  })
})
