import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CutoverReport } from '../../../src/control-plane/cutover/cutover.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { facesOf, servingAt, startService } from '../../support/service-process.ts'
import { makeFolder } from '../start-program.ts'

const SOON = { interval: 50, timeout: 30_000 }

test('a gateway that is killed while its gate hangs has taken no step, asks again when it starts, and stops while it hangs', async () => {
  let isHanging = true
  const gate = await startHttpServer((_, response) => {
    if (!isHanging) response.end()
  })
  const folder = makeFolder()
  const rolloutFile = join(folder, 'rollout.json')
  const plan = {
    ...{ steps: [50, 100], calls: 1, minutes: 0, withoutVerdict: 'a test' },
    gate: { url: `${gate.url}/gate`, timeoutMs: 30_000 },
  }
  writeFileSync(rolloutFile, JSON.stringify({ operations: { 'invoice-list': { serve: 'legacy', plan } } }))
  const faces = await facesOf(startService('sandbox', {}))
  const start = async () => {
    const service = startService('serve', {
      ...{ V1_BASE_URL: faces.v1, LEGACY_BASE_URL: faces.legacy, ROLLOUT_FILE: rolloutFile, DRAIN_MS: '0' },
      ...{ STATE_DB: join(folder, 'state.db'), WEBHOOK_SECRET: 'sixteen-letters-' },
      TOKEN_KEY: Buffer.alloc(32, 1).toString('base64'),
    })
    const { legacy, admin } = await servingAt(service)
    const percent = async (): Promise<number | undefined> =>
      (JSON.parse((await callLegacy(admin, { path: '/cutover' })).text) as CutoverReport[])[0]?.percent
    return { service, legacy, percent }
  }

  const first = await start()
  await expect.poll(() => gate.received.length, SOON).toBe(1)
  expect((await callLegacy(first.legacy, { path: '/api/invoice/list', body: '{}' })).status).toBe(401)
  expect(await first.percent()).toBe(0)
  first.service.child.kill('SIGKILL')
  await first.service.exit

  const second = await start()
  await expect.poll(() => gate.received.length, SOON).toBe(2)
  expect(await second.percent()).toBe(0)
  second.service.child.kill('SIGTERM')
  expect(await second.service.exit).toBe(0)

  isHanging = false
  const third = await start()
  await expect.poll(third.percent, SOON).toBe(50)
}, 120_000)
