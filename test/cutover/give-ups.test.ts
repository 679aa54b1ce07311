import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, type ExpectStatic, it } from 'vitest'
import type { AuditEntry } from '../../src/cutover/event.ts'
import type { CutoverReport } from '../../src/cutover/report.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { type Settings, startGateway } from '../support/start-gateway.ts'
import { clientsBetween, QUICK, rolloutOf } from './support/cutover-bed.ts'

/**
 * How long patient and impatient clients wait. Patient is who waits 5 s (the limit is tested in `run/counting.test.ts`), but a busy machine may
 * ask the service more than a second late.
 */
const [PATIENT_MS, IMPATIENT_MS] = [6_500, 1_000]
/** More than the buffers between a service and a client that does not read. */
const LARGE = Buffer.alloc(32 * 1024 * 1024)

/** A gateway whose plan is at 50 %, between a v1 that never answers and a legacy service that answers only what is large. */
async function hanging(expect: ExpectStatic, settings: Partial<Settings> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'give-ups-'))
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  const rolloutFile = join(folder, 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify(rolloutOf({ steps: [50, 100], ...QUICK, calls: 1_000 })))
  const v1 = await startHttpServer(() => undefined)
  const legacy = await startHttpServer(({ body }, response) => {
    if (body.includes('large')) response.writeHead(200, { 'content-length': LARGE.length }).end(LARGE)
  })
  const gateway = await startGateway(v1.url, {
    legacyUrl: legacy.url,
    settings: { rolloutFile, stateDb: join(folder, 'state.db'), upstreamTimeoutMs: 10_000, ...settings },
  })
  const adminUrl = await gateway.openAdmin()
  const report = async (): Promise<CutoverReport> =>
    (JSON.parse((await callLegacy(adminUrl, { path: '/cutover' })).text) as [CutoverReport])[0]
  await expect.poll(async () => (await report()).percent).toBe(50)
  const { port } = new URL(gateway.url)
  return {
    report,
    served: () => gateway.log.filter(({ msg }) => msg === 'call').length,
    /** Calls as a client that hangs up after so long, and never reads its answer. */
    async giveUp(token: string, afterMs: number, body = '{}', sent = body): Promise<void> {
      const call = request({
        ...{ host: '127.0.0.1', port, path: '/api/invoice/list', method: 'POST', agent: false },
        headers: { authorization: `Bearer ${token}`, 'content-length': body.length },
      })
      call.on('error', () => undefined)
      call.flushHeaders()
      call.write(sent)
      await wait(afterMs)
      call.destroy()
    },
    /** What the gateway has counted at this step: stops the plan, whose entry in the audit says it. */
    async counted(): Promise<unknown> {
      const headers = { 'content-type': 'application/json' }
      const stop = { path: '/cutover/invoice-list/stop', body: JSON.stringify({ by: 'Ada', why: 'a test' }), headers }
      expect((await callLegacy(adminUrl, stop)).status).toBe(200)
      const { text } = await callLegacy(adminUrl, { path: '/audit?limit=1' })
      const [entry] = (JSON.parse(text) as { entries: [AuditEntry] }).entries
      return typeof entry.counts === 'string' ? JSON.parse(entry.counts) : entry.counts
    },
  }
}

describe.concurrent('a client that gives up after 5 s', () => {
  it('counts against a v1 that hangs, so that the brake trips', async ({ expect }) => {
    const gateway = await hanging(expect)
    await Promise.all(clientsBetween(0, 50, 20).map((token) => gateway.giveUp(token, PATIENT_MS)))
    await expect.poll(async () => (await gateway.report()).state).toBe('stopped')
    expect((await gateway.report()).why).toMatch(/^stopped by the brake: v1 failed 20 of 20 calls at this step/)
  })

  it('counts against both services alike; one that gives up earlier, or after its answer, counts for nothing', async ({
    expect,
  }) => {
    const gateway = await hanging(expect)
    const [v1, legacy] = [clientsBetween(0, 50, 12), clientsBetween(50, 100, 12)]
    const calls = [v1, legacy].flatMap((tokens) => [
      ...tokens.slice(0, 3).map((token) => gateway.giveUp(token, PATIENT_MS)),
      ...tokens.slice(3, 6).map((token) => gateway.giveUp(token, IMPATIENT_MS)),
      // The gateway has not received all of these requests, so it has asked nobody.
      ...tokens.slice(6, 8).map((token) => gateway.giveUp(token, PATIENT_MS, '{"page":1}', '{"page"')),
    ])
    // The service has answered these, which the clients do not read.
    calls.push(...legacy.slice(8, 10).map((token) => gateway.giveUp(token, PATIENT_MS, '{"large":1}')))
    await Promise.all(calls)
    await expect.poll(gateway.served, { timeout: 15_000 }).toBe(calls.length)
    expect(await gateway.counted()).toEqual({ calls: 3, failures: 3, legacyCalls: 5, legacyFailures: 3 })
  })

  it('counts for nothing while the gateway keeps it waiting for a slot', async ({ expect }) => {
    const gateway = await hanging(expect, { lanes: { limit: 1, maxWaitMs: 20_000 } })
    const tokens = clientsBetween(0, 50, 4)
    await Promise.all(tokens.map((token) => gateway.giveUp(token, PATIENT_MS)))
    await expect.poll(gateway.served).toBe(tokens.length)
    expect(await gateway.counted()).toMatchObject({ calls: 1, failures: 1 })
  })
})
