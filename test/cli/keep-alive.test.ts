import { expect, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { startGateway } from '../../src/app/start-gateway.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { callLegacy } from '../support/legacy-client.ts'

test.each([
  [{}, 75],
  [{ KEEP_ALIVE_MS: '120500' }, 120],
])('both ports keep idle connections, and say how long: %j', async (env, seconds) => {
  const free = { HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', DRAIN_MS: '0', LOG_LEVEL: 'silent' }
  const gateway = await startGateway(readConfig({ ...free, V1_BASE_URL: 'http://127.0.0.1:9', ...env }))
  closeAtEnd(() => gateway.stop())
  for (const url of [`${gateway.legacyUrl}/nothing`, `${gateway.adminUrl}/healthz`]) {
    const { headers } = await callLegacy(url, {
      path: new URL(url).pathname,
      headers: { connection: 'keep-alive' },
    })
    expect(headers['keep-alive']).toBe(`timeout=${seconds}`)
  }
})
