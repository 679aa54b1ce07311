import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import type { RunningGateway } from '../../src/app/start-gateway.ts'
import type { State } from '../../src/observe/readiness.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { startConfigured } from '../support/start-configured.ts'

/** A port of loopback on which nothing else can listen. */
async function takenPort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAtEnd(() => server.close())
  return String((server.address() as AddressInfo).port)
}

const stateOf = async (adminUrl: string): Promise<State> =>
  JSON.parse((await callLegacy(adminUrl, { path: '/readyz' })).text) as State

test('with a real v1 no sandbox runs beside it: neither its ports nor its faults exist', async () => {
  const ports = { SANDBOX_V1_PORT: await takenPort(), SANDBOX_LEGACY_PORT: await takenPort() }
  const { legacyUrl, adminUrl } = await startConfigured({ V1_BASE_URL: 'http://127.0.0.1:9', ...ports })
  expect((await callLegacy(legacyUrl, { path: '/sandbox/faults', body: '{}' })).status).toBe(404)
  expect(await stateOf(adminUrl)).toMatchObject({ services: { v1: 'http://127.0.0.1:9' } })
  expect(await stateOf(adminUrl)).not.toHaveProperty('sandbox')
})

/** On Linux all of 127.0.0.0/8 is this machine. */
const isLinux = process.platform === 'linux'
let gateway: RunningGateway
beforeAll(async () => {
  gateway = await startConfigured(isLinux ? { HOST: '127.0.0.2' } : {})
})

test.skipIf(!isLinux)('beside the gateway the sandbox listens on 127.0.0.1 only, whatever HOST is', async () => {
  const { services, ...state } = await stateOf(gateway.adminUrl)
  expect(state).toHaveProperty('sandbox')
  for (const url of [services.v1, services.legacy ?? '']) {
    const { hostname, port } = new URL(url)
    expect(hostname).toBe('127.0.0.1')
    expect((await callLegacy(url, { path: '/sandbox/faults' })).status).toBe(200)
    await expect(callLegacy(`http://127.0.0.2:${port}`, { path: '/sandbox/faults' })).rejects.toThrow('ECONNREFUSED')
  }
})

test('the faults of the sandbox cannot be set through the gateway', async () => {
  for (const method of ['POST', 'GET', 'DELETE']) {
    expect((await callLegacy(gateway.legacyUrl, { path: '/sandbox/faults', method, body: '{}' })).status).toBe(404)
  }
})
