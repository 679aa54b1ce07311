import { expect, test } from 'vitest'
import { callLegacy } from '../support/legacy-client.ts'
import { startGateway } from '../support/start-gateway.ts'

test.each([
  ['localhost:8081', 200],
  ['127.0.0.1', 200],
  ['[::1]:8081', 200],
  ['evil.example', 421],
  ['evil.example:8081', 421],
  ['127.0.0.1.evil.example', 421],
  ['localhost.evil.example', 421],
])('without a token the admin port answers as %s: %i', async (host, status) => {
  const admin = await (await startGateway('http://127.0.0.1:9')).openAdmin()
  for (const path of ['/metrics', '/', '/experiments']) {
    expect((await callLegacy(admin, { path, headers: { host } })).status).toBe(status)
  }
  expect((await callLegacy(admin, { path: '/healthz', headers: { host } })).status).toBe(200)
})
