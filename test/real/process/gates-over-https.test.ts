import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CutoverReport } from '../../../src/control-plane/cutover/cutover.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { facesOf, servingAt, startService } from '../../support/service-process.ts'
import { type KeyPair, makeCertificates } from '../certificates.ts'
import { isInstalled, makeFolder } from '../start-program.ts'

const SECRET = 'sixteen-letters-'
const SOON = { interval: 50, timeout: 30_000 }

/** A gate over HTTPS that lets every step be taken, and what it was asked. */
async function startGate({ key, certificate }: KeyPair) {
  const asked: { readonly target: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    async (incoming, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      asked.push({ target: incoming.url ?? '', headers: incoming.headers, body: Buffer.concat(chunks).toString() })
      response.end()
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAtEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/gates/invoices?key=1`, asked }
}

test.skipIf(!isInstalled('openssl'))(
  'a gate over https is asked with a signature if its certificate is trusted; otherwise it hears nothing, and the plan waits',
  { timeout: 60_000 },
  async () => {
    const { ca, server } = makeCertificates()
    const gate = await startGate(server)
    const folder = makeFolder()
    const rolloutFile = join(folder, 'rollout.json')
    const plan = {
      ...{ steps: [50, 100], calls: 1, minutes: 0, withoutVerdict: 'a test' },
      gate: { url: gate.url, timeoutMs: 3_000 },
    }
    writeFileSync(rolloutFile, JSON.stringify({ operations: { 'invoice-list': { serve: 'legacy', plan } } }))
    const faces = await facesOf(startService('sandbox', {}))
    const start = async (env: Readonly<Record<string, string>>) => {
      const service = startService('serve', {
        ...{ V1_BASE_URL: faces.v1, LEGACY_BASE_URL: faces.legacy, ROLLOUT_FILE: rolloutFile, DRAIN_MS: '0' },
        ...{ STATE_DB: join(folder, 'state.db'), WEBHOOK_SECRET: SECRET },
        ...{ TOKEN_KEY: Buffer.alloc(32, 1).toString('base64'), ...env },
      })
      const { admin } = await servingAt(service)
      const report = async (): Promise<CutoverReport | undefined> =>
        (JSON.parse((await callLegacy(admin, { path: '/cutover' })).text) as CutoverReport[])[0]
      return { service, report }
    }

    const distrustful = await start({})
    await expect
      .poll(async () => (await distrustful.report())?.why, SOON)
      .toMatch(/^waits for the gate \(it did not answer: .*certificate/)
    expect(await distrustful.report()).toMatchObject({ percent: 0 })
    expect(gate.asked).toEqual([])
    distrustful.service.child.kill('SIGTERM')
    expect(await distrustful.service.exit).toBe(0)

    const trusting = await start({ NODE_EXTRA_CA_CERTS: ca })
    await expect.poll(async () => (await trusting.report())?.percent, SOON).toBe(50)
    const [{ target, headers, body } = { target: '', headers: {}, body: '' }] = gate.asked
    expect(target).toBe('/gates/invoices?key=1')
    expect(JSON.parse(body)).toMatchObject({ operation: 'invoice-list', step: 0, next: 50 })
    expect(headers['x-signature']).toBe(`sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`)
  },
)
