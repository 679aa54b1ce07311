import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { request, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AuditEntry } from '../../../src/control-plane/cutover/audit.ts'
import type { CutoverReport } from '../../../src/control-plane/cutover/cutover.ts'
import { removeAtEnd } from '../../support/clean-up.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { type Settings, startGateway } from '../../support/start-gateway.ts'
import { clientsBetween, QUICK, rolloutOf } from './support/cutover-bed.ts'

/** Longer than 5 s, from which on it counts (the limit is tested in `run/counting.test.ts`). */
const PATIENT_MS = 6_000
const SOON = { interval: 10 }
/** More than the buffers between a service and a client that does not read. */
const LARGE = Buffer.alloc(32 * 1024 * 1024)

/** A gateway whose plan is at 50 %, between a v1 that never answers and a legacy service that answers only what is large. */
async function hanging(settings: Partial<Settings> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'give-ups-'))
  removeAtEnd(folder)
  const rolloutFile = join(folder, 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify(rolloutOf({ steps: [50, 100], ...QUICK, calls: 1_000 })))
  const v1 = await startHttpServer(() => undefined)
  const unanswered: ServerResponse[] = []
  const legacy = await startHttpServer(({ body }, response) => {
    if (body.includes('large')) response.writeHead(200, { 'content-length': LARGE.length }).end(LARGE)
    else unanswered.push(response)
  })
  const gateway = await startGateway(v1.url, {
    legacyUrl: legacy.url,
    settings: { rolloutFile, stateDb: join(folder, 'state.db'), ...settings },
  })
  const adminUrl = await gateway.openAdmin()
  const report = async (): Promise<CutoverReport> =>
    (JSON.parse((await callLegacy(adminUrl, { path: '/cutover' })).text) as [CutoverReport])[0]
  await expect.poll(async () => (await report()).percent, SOON).toBe(50)
  const { port } = new URL(gateway.url)
  return {
    report,
    served: () => gateway.log.filter(({ msg }) => msg === 'call').length,
    /** The legacy service answers at last, for nobody: the gateway does not break off what it asks it. */
    answerInVain(): void {
      for (const response of unanswered) response.end('{}')
    },
    /** How many calls wait for a slot. */
    async waiting(): Promise<number> {
      const { text } = await callLegacy(adminUrl, { path: '/metrics' })
      return [...text.matchAll(/^legacy_gateway_upstream_waiting\S* (\d+)$/gm)].reduce(
        (sum, [, n]) => sum + Number(n),
        0,
      )
    },
    /** How many calls each service was asked for. */
    asked: () => [v1.received.length, legacy.received.length],
    /** Calls as a client that never reads its answer. */
    call(token: string, body = '{}', sent = body): Call {
      const call = request({
        ...{ host: '127.0.0.1', port, path: '/api/invoice/list', method: 'POST', agent: false },
        headers: { authorization: `Bearer ${token}`, 'content-length': body.length },
      })
      call.on('error', () => undefined)
      const answered = once(call, 'response')
      answered.catch(() => undefined)
      call.flushHeaders()
      call.write(sent)
      return { answered, hangUp: () => call.destroy() }
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

interface Call {
  /** Resolves when the client sees the head of its answer. */
  readonly answered: Promise<unknown>
  hangUp(): void
}

const hangUpAll = (calls: readonly Call[]): void => {
  for (const { hangUp } of calls) hangUp()
}

/** Lets time pass at once, by the clock that waiting is measured with. */
function pass(milliseconds: number): void {
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds)
  onTestFinished(() => clock.mockRestore())
}

describe('a client that gives up after 5 s', () => {
  it('counts against a v1 that hangs, so that the brake trips', async () => {
    const gateway = await hanging()
    const calls = clientsBetween(0, 50, 20).map((token) => gateway.call(token))
    await expect.poll(gateway.asked, SOON).toEqual([20, 0])
    pass(PATIENT_MS)
    hangUpAll(calls)
    await expect.poll(async () => (await gateway.report()).state, SOON).toBe('stopped')
    expect((await gateway.report()).why).toMatch(/^stopped by the brake: v1 failed 20 of 20 calls at this step/)
  })

  it('counts against both services alike; one that gives up earlier, or after its answer, counts for nothing', async () => {
    const gateway = await hanging()
    const [v1, legacy] = [clientsBetween(0, 50, 8), clientsBetween(50, 100, 10)]
    const callsOf = (from: number, to: number, ...sent: readonly string[]): readonly Call[] =>
      [v1, legacy].flatMap((tokens) => tokens.slice(from, to)).map((token) => gateway.call(token, ...sent))
    const patient = callsOf(0, 3)
    const impatient = callsOf(3, 6)
    // The gateway has not received all of these requests, so it asks nobody.
    const halfSent = callsOf(6, 8, '{"page":1}', '{"page"')
    // The service has answered these, which the clients do not read.
    const large = legacy.slice(8).map((token) => gateway.call(token, '{"large":1}'))
    await Promise.all(large.map(({ answered }) => answered))
    await expect.poll(gateway.asked, SOON).toEqual([6, 8])
    hangUpAll(impatient.toReversed())
    // The gateway tells at once of those to v1 alone, which hung up last.
    await expect.poll(gateway.served, SOON).toBe(3)
    pass(PATIENT_MS)
    hangUpAll([...patient, ...halfSent, ...large].toReversed())
    await expect.poll(gateway.served, SOON).toBe(12)
    gateway.answerInVain()
    await expect.poll(gateway.served, SOON).toBe(18)
    expect(await gateway.counted()).toEqual({ calls: 3, failures: 3, legacyCalls: 5, legacyFailures: 3 })
  })

  it('counts for nothing while the gateway keeps it waiting for a slot', async () => {
    const gateway = await hanging({ lanes: { limit: 1, maxWaitMs: 20_000 } })
    const calls = clientsBetween(0, 50, 4).map((token) => gateway.call(token))
    await expect.poll(gateway.asked, SOON).toEqual([1, 0])
    // The others have arrived, too.
    await expect.poll(gateway.waiting, SOON).toBe(3)
    pass(PATIENT_MS)
    hangUpAll(calls)
    await expect.poll(gateway.served, SOON).toBe(calls.length)
    expect(await gateway.counted()).toMatchObject({ calls: 1, failures: 1 })
  })
})
