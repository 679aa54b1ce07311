import { expect, test } from 'vitest'
import { callLegacy, sendBytes } from '../support/legacy-client.ts'
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

test.each([
  ['HTTP/1.0', ''],
  ['HTTP/1.0', 'Host:\r\n'],
  ['HTTP/1.1', 'Host:\r\n'],
])('without a token and without a name of this machine only probes are answered: %s %j', async (version, host) => {
  const admin = await (await startGateway('http://127.0.0.1:9')).openAdmin()
  const ask = (path: string): Promise<string> =>
    sendBytes(admin, `GET ${path} ${version}\r\n${host}Connection: close\r\n\r\n`)
  for (const path of ['/metrics', '/', '/experiments', 'http://localhost/metrics']) {
    expect(await ask(path), path).toMatch(/^HTTP\/1\.1 421 /)
  }
  expect(await ask('/healthz')).toMatch(/^HTTP\/1\.1 200 /)
  // The status may be any: v1 is down.
  expect(await ask('/readyz')).toMatch(/^HTTP\/1\.1 (?:200|503) /)
})
