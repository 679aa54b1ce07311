import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { logOf, type ServiceProcess, servingAt, startService } from '../support/service-process.ts'

/** A port of loopback on which nothing else can listen. */
async function takenPort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAtEnd(() => server.close())
  return String((server.address() as AddressInfo).port)
}

test('with a real v1 no sandbox runs beside it: neither its ports nor its faults exist', async () => {
  const ports = { SANDBOX_V1_PORT: await takenPort(), SANDBOX_LEGACY_PORT: await takenPort() }
  const service = startService('serve', { V1_BASE_URL: 'http://127.0.0.1:9', ...ports })
  const { legacy } = await servingAt(service)
  expect((await callLegacy(legacy, { path: '/sandbox/faults', body: '{}' })).status).toBe(404)
  expect(logOf(service).find(({ msg }) => msg === 'serving')).not.toHaveProperty('sandbox')
})

/** On Linux all of 127.0.0.0/8 is this machine. */
const isLinux = process.platform === 'linux'
let gateway: ServiceProcess
beforeAll(() => {
  gateway = startService('serve', isLinux ? { HOST: '127.0.0.2' } : {})
})

test.skipIf(!isLinux)('beside the gateway the sandbox listens on 127.0.0.1 only, whatever HOST is', async () => {
  await servingAt(gateway)
  const serving = logOf(gateway).find(({ msg }) => msg === 'serving')
  for (const url of [serving?.v1, serving?.sandboxLegacy]) {
    const { hostname, port } = new URL(String(url))
    expect(hostname).toBe('127.0.0.1')
    expect((await callLegacy(String(url), { path: '/sandbox/faults' })).status).toBe(200)
    await expect(callLegacy(`http://127.0.0.2:${port}`, { path: '/sandbox/faults' })).rejects.toThrow('ECONNREFUSED')
  }
})

test('the faults of the sandbox cannot be set through the gateway', async () => {
  const { legacy } = await servingAt(gateway)
  for (const method of ['POST', 'GET', 'DELETE']) {
    expect((await callLegacy(legacy, { path: '/sandbox/faults', method, body: '{}' })).status).toBe(404)
  }
})
