import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { startGateway } from '../support/start-gateway.ts'
import { v1Page } from '../support/v1-bodies.ts'

test.skipIf(!existsSync('/dev/full'))(
  'exchanges that are missing in a recording because the disk is full are counted (/dev/full)',
  async () => {
    const page = JSON.stringify(v1Page([{ id: 1, number: 'x'.repeat(5_000_000) }], { page: 1, perPage: 25, total: 1 }))
    const v1 = await startHttpServer((_, response) => response.end(page))
    const gateway = await startGateway(v1.url, { settings: { recordFile: '/dev/full', upstreamTimeoutMs: 30_000 } })
    const admin = await gateway.openAdmin()
    // 32 MiB may wait for the disk.
    for (let number = 0; number < 8; number++) {
      expect((await gateway.call({ path: '/api/invoice/list', body: '{}' })).status).toBe(200)
    }
    // Large lines are made by a thread, which a busy machine starts late.
    const metrics = async (): Promise<string> => (await callLegacy(admin, { path: '/metrics' })).text
    await expect.poll(metrics).toContain('legacy_gateway_recordings_dropped_total 2')
  },
)
