import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CutoverReport } from '../../../../src/control-plane/cutover/cutover.ts'
import { callLegacy } from '../../../support/legacy-client.ts'
import { runCommand } from '../../../support/run-command.ts'
import { newSchema, type SharedPostgres, sharedPostgres } from '../../../support/shared-postgres.ts'
import { type CutoverGateway, clientsBetween, QUICK, rolloutOf, startCutoverBed } from '../support/cutover-bed.ts'
import { failUntilBraked, orderAt } from '../support/fleets.ts'
import { planOf, read, reportAt, startGate } from '../support/gate-server.ts'

const SECRET = { webhookSecret: 'sixteen-letters-', tickMs: 20 }
const SOON = { interval: 10, timeout: 20_000 }
const [first = ''] = clientsBetween(0, 5, 1)
/** In this pace, a minute lasts so long. */
const MINUTE_MS = 60 * SECRET.tickMs

const eventsAt = async (gateway: CutoverGateway) =>
  (await gateway.audit()).map(({ event, why }) => [event, why]).toReversed()

describe('a plan with a gate', () => {
  it('asks before each step, takes it on 200, and keeps asking every minute', async () => {
    const gate = await startGate(200)
    const bed = await startCutoverBed(rolloutOf(planOf(gate)))
    const gateway = await bed.start(SECRET)
    await expect.poll(() => gateway.percent(), SOON).toBe(5)
    const { since } = (await reportAt(gateway)) as CutoverReport
    expect(gate.asked()[0]).toEqual({
      ...{ operation: 'invoice-list', step: 0, next: 5, since: expect.stringMatching(/Z$/) },
      counts: { calls: 0, failures: 0, legacyCalls: 0, legacyFailures: 0 },
    })
    await expect.poll(() => gate.asked().at(-1), SOON).toMatchObject({ step: 1, next: 50, since })
    const asked = gate.asked().length
    // v1 has answered nothing yet, so no step is due.
    await new Promise((resolve) => setTimeout(resolve, MINUTE_MS * 1.5))
    expect(gate.asked().length - asked).toBeGreaterThanOrEqual(1)
    expect(gate.asked().length - asked).toBeLessThanOrEqual(2)
    expect(await gateway.percent()).toBe(5)
    expect(await gateway.answeredBy(first)).toBe('v1')
    await expect.poll(() => gateway.percent(), SOON).toBe(50)
    expect(
      gate.asked().filter(({ step, counts }) => step === 1 && (counts as { calls: number }).calls === 1),
    ).not.toEqual([])
  }, 30_000)

  it('waits while the gate says so, shows why, and goes on when it may', async () => {
    const gate = await startGate(409, 'no parcel <b>has left</b> since 9')
    const bed = await startCutoverBed(rolloutOf(planOf(gate)))
    const gateway = await bed.start(SECRET)
    const why = 'waits for the gate (it says: no parcel <b>has left</b> since 9)'
    await expect.poll(async () => (await reportAt(gateway))?.why, SOON).toBe(why)
    expect(await reportAt(gateway)).toMatchObject({ state: 'waiting', percent: 0, run: null })
    const escaped = 'it says: no parcel &lt;b&gt;has left&lt;/b&gt; since 9'
    for (const path of ['/', '/audit']) {
      const page = (await callLegacy(gateway.adminUrl, { path, headers: { accept: 'text/html' } })).text
      expect(page, path).toContain(escaped.slice(path === '/' ? 0 : 'it '.length))
      expect(page, path).not.toContain('<b>has left')
    }
    expect(gateway.log.filter(({ msg }) => msg === 'the gate of a plan lets it wait')).toEqual([
      expect.objectContaining({
        operation: 'invoice-list',
        gate: gate.url,
        why: 'says: no parcel <b>has left</b> since 9',
      }),
    ])
    // Each answer is another, but of the same kind: it is neither audited nor logged each minute.
    gate.answer = { status: 409, why: 'no parcel has left since 10' }
    const asked = gate.asked().length
    await expect.poll(() => gate.asked().length, SOON).toBe(asked + 1)
    gate.answer = { status: 200 }
    await expect.poll(() => gateway.percent(), SOON).toBe(5)
    expect(await eventsAt(gateway)).toEqual([
      ['gate-waits', 'the gate says: no parcel <b>has left</b> since 9'],
      ['gate-goes-on', 'the gate lets the plan go on'],
      ['advanced', expect.stringContaining('no verdict is needed')],
    ])
    expect((await reportAt(gateway))?.why).not.toContain('gate')
  }, 30_000)

  it('is not held by its gate after the last step, but braked', async () => {
    const gate = await startGate(200)
    const bed = await startCutoverBed(rolloutOf(planOf(gate, { steps: [100], calls: 1_000 })))
    const gateway = await bed.start(SECRET)
    await expect.poll(() => gateway.percent(), SOON).toBe(100)
    gate.answer = { status: 409, why: 'not now' }
    const asked = gate.asked().length
    await expect.poll(() => gate.asked().length, SOON).toBeGreaterThan(asked + 1)
    expect((await eventsAt(gateway)).map(([event]) => event)).not.toContain('gate-waits')
    gate.answer = { status: 410, why: 'parcels are lost' }
    await expect.poll(() => gateway.state(), SOON).toBe('stopped')
  }, 30_000)

  it('is braked by 410 with a reason, but not at 0 %', async () => {
    const gate = await startGate(410, 'parcels are lost')
    const bed = await startCutoverBed(rolloutOf(planOf(gate)))
    const gateway = await bed.start(SECRET)
    await expect
      .poll(async () => (await reportAt(gateway))?.why, SOON)
      .toBe('waits for the gate (it says: parcels are lost)')
    gate.answer = { status: 200 }
    await expect.poll(() => gateway.percent(), SOON).toBe(5)
    gate.answer = { status: 410, why: 'parcels are lost' }
    await expect.poll(() => gateway.state(), SOON).toBe('stopped')
    expect(await reportAt(gateway)).toMatchObject({
      ...{ percent: 0, why: 'stopped by the brake: the gate says: parcels are lost' },
      run: 'legacy-gateway cutover audit --operation invoice-list',
    })
    expect((await eventsAt(gateway)).at(-1)).toEqual(['braked', 'the gate says: parcels are lost'])
    expect(await gateway.answeredBy(first)).toBe('legacy')
    // Nobody is asked about a plan that is stopped.
    const asked = gate.asked().length
    await new Promise((resolve) => setTimeout(resolve, MINUTE_MS * 1.5))
    expect(gate.asked().length).toBe(asked)
  }, 30_000)

  it('is braked by v1 and stopped by people while its gate says wait', async () => {
    const gate = await startGate(200)
    const bed = await startCutoverBed(rolloutOf(planOf(gate, { calls: 1_000 })))
    const gateway = await bed.start(SECRET)
    await expect.poll(() => gateway.percent(), SOON).toBe(5)
    gate.answer = { status: 409, why: 'not now' }
    await expect.poll(async () => (await reportAt(gateway))?.why, SOON).toMatch(/ and the gate \(it says: not now\)$/)
    bed.failV1(503)
    expect(await failUntilBraked(gateway)).toBeLessThan(60)
    bed.failV1(undefined)
    await orderAt(gateway, 'resume')
    await expect.poll(async () => (await reportAt(gateway))?.why, SOON).toBe('waits for the gate (it says: not now)')
    // A person's order does not wait for the gate, as it waits for no calls and no window.
    expect(JSON.parse((await orderAt(gateway, 'advance')).text)).toMatchObject({ percent: 5 })
    expect(JSON.parse((await orderAt(gateway, 'stop')).text)).toMatchObject({ state: 'stopped', percent: 0 })
  }, 30_000)

  it('delays neither calls nor other plans while its gate hangs', async () => {
    const gate = await startGate(200)
    gate.answer = undefined
    const slow = planOf(gate, { gate: { url: gate.url, timeoutMs: 30_000 } })
    const bed = await startCutoverBed({
      operations: {
        'invoice-list': { serve: 'legacy', plan: slow },
        price: { serve: 'legacy', plan: { steps: [5], ...QUICK } },
      },
    })
    const gateway = await bed.start(SECRET)
    await expect.poll(() => gate.asked().length, SOON).toBe(1)
    await expect.poll(async () => (await reportAt(gateway, 'price'))?.percent, SOON).toBe(5)
    expect(await gateway.answeredBy(first)).toBe('legacy')
    expect(await reportAt(gateway)).toMatchObject({ percent: 0 })
    await gateway.close()
  })

  it('shows neither the path nor the query of its gate', async () => {
    const gate = await startGate(500)
    const bed = await startCutoverBed(rolloutOf(planOf(gate)))
    const gateway = await bed.start({ ...SECRET, rolloutFile: bed.rolloutFile })
    await expect.poll(async () => (await reportAt(gateway))?.why, SOON).toBe('waits for the gate (it answered 500)')
    bed.write(rolloutOf(planOf(gate, { gate: { url: `${gate.url}/other-secret` } })))
    await expect.poll(async () => (await gateway.audit()).map(({ event }) => event), SOON).toContain('rollout-changed')
    const [{ why = '' } = {}] = (await gateway.audit()).filter(({ event }) => event === 'rollout-changed')
    expect(why).toContain(`plan.gate.url ${gate.url}/… -> ${gate.url}/…`)
    const env = { V1_BASE_URL: 'http://127.0.0.1:9', LEGACY_BASE_URL: 'http://127.0.0.1:10', STATE_DB: 'state.db' }
    const told = await runCommand(['rollout', 'check', bed.rolloutFile], { ...env, WEBHOOK_SECRET: 'sixteen-letters-' })
    expect(told.output).toContain(`${gate.url} is asked before each step, and every minute`)
    const refused = await runCommand(['rollout', 'check', bed.rolloutFile], env)
    expect([refused.exit, refused.errors]).toEqual([
      1,
      'operations.invoice-list.plan.gate: needs WEBHOOK_SECRET, which signs what the gate is asked; make one with: openssl rand -hex 32\n',
    ])
    const html = { accept: 'text/html' }
    const pages = await Promise.all(
      ['/', '/audit', '/rollout', '/side-by-side/invoice-list', '/cutover/invoice-list/stop'].map(
        async (path) => (await callLegacy(gateway.adminUrl, { path, headers: html })).text,
      ),
    )
    const others = await Promise.all(
      ['/cutover', '/audit', '/experiments', '/metrics'].map((path) => read(gateway, path)),
    )
    const all = [...pages, ...others, told.output, refused.errors, JSON.stringify(gateway.log)]
    for (const text of all) expect(text).not.toMatch(/path-secret|other-secret|key=secret/)
  }, 30_000)

  it.each([
    ['ftp://gate.example.com/secret', 'url'],
    ['https://user:secret@gate.example.com', 'url'],
    ['no secret', 'url'],
  ])('is refused with the address %s, which is not repeated', async (url) => {
    const bed = await startCutoverBed(rolloutOf({ steps: [5], gate: { url, timeoutMs: 0 } }))
    const env = { V1_BASE_URL: 'http://127.0.0.1:9', LEGACY_BASE_URL: 'http://127.0.0.1:10', STATE_DB: 'state.db' }
    const { exit, errors } = await runCommand(['rollout', 'check', bed.rolloutFile], {
      ...env,
      WEBHOOK_SECRET: 'sixteen-letters-',
    })
    expect(exit).toBe(1)
    expect(errors).toContain(
      'operations.invoice-list.plan.gate.url: must be an http or https URL without fragment or credentials',
    )
    expect(errors).toContain(
      'operations.invoice-list.plan.gate.timeoutMs: must be a whole number of milliseconds, from 1 to 30000',
    )
    expect(errors).not.toContain('secret')
  })
})

const server = sharedPostgres() as SharedPostgres

describe.skipIf(server === undefined)('gateways that share a PostgreSQL database', () => {
  it('ask a gate from one replica alone, show its reason at each, and from another when that one ends', async () => {
    const schema = newSchema()
    const gate = await startGate(409, 'not now')
    const bed = await startCutoverBed(rolloutOf(planOf(gate)))
    const start = (replicaId: string): Promise<CutoverGateway> => {
      const rolloutFile = join(bed.folder, `${replicaId}.json`)
      writeFileSync(rolloutFile, JSON.stringify(rolloutOf(planOf(gate, { gate: { url: `${gate.url}/${replicaId}` } }))))
      const postgres = { ...server.settings, schema }
      return bed.start({ ...SECRET, rolloutFile, postgres, replicaId, tokenKeys: [KEY] })
    }
    const asking = (): ReadonlySet<string> => new Set(gate.received.map(({ target }) => target))
    const [one, other] = [await start('one'), await start('other')]
    const why = 'waits for the gate (it says: not now)'
    for (const gateway of [one, other]) await expect.poll(async () => (await reportAt(gateway))?.why, SOON).toBe(why)
    const asked = gate.received.length
    await expect.poll(() => gate.received.length, SOON).toBeGreaterThan(asked + 1)
    expect(asking().size).toBe(1)
    const isOne = asking().has('/one')
    const [holder, heir] = isOne ? [one, other] : [other, one]
    await holder.close()
    await expect.poll(asking, SOON).toEqual(new Set(['/one', '/other']))
    gate.answer = { status: 200 }
    await expect.poll(() => heir.percent(), SOON).toBe(5)
    gate.answer = { status: 410, why: 'parcels are lost' }
    await expect.poll(() => heir.state(), SOON).toBe('stopped')
    expect((await eventsAt(heir)).map(([event]) => event)).toEqual(['gate-waits', 'gate-goes-on', 'advanced', 'braked'])
  }, 60_000)
})

const KEY = randomBytes(32)
