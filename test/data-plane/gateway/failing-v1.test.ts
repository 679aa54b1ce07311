import { beforeAll, expect, test } from 'vitest'
import { type Fault, faults, notHttp } from '../../support/faults.ts'
import { type FaultyServer, startFaultyServer } from '../../support/faulty-server.ts'
import type { Reply } from '../../support/legacy-client.ts'
import { deadUrl, http, startRawServer } from '../../support/raw-server.ts'
import { type StartedGateway, startGateway } from '../../support/start-gateway.ts'

// Clients may see v1's public address, never the internal one.
const settings = { v1PublicUrl: new URL('https://api.example.com') }
/** For a v1 that never ends its answer. Other tests have as much time as they need. */
const impatient = { ...settings, upstreamTimeoutMs: 500 }
/** Far less than an endless call would take. */
const SOON_MS = 10_000
const UNEXPECTED = '{"message":"An unexpected error occurred."}'
const EMPTY_PAGE = '{"success":true,"items":[],"meta":{"page":1,"perPage":25,"total":0,"pageCount":0}}'

/** What no legacy answer may show: addresses, codes of libraries, stacks, files. */
const INSIDES = /127\.0\.0\.1|localhost|ECONN|UND_ERR|HPE_|ERR_|undici|node:|\.[jt]s\b|\bat \w/

const all = [...faults, ...notHttp]
let v1: FaultyServer
let patient: StartedGateway
let hurried: StartedGateway
beforeAll(async () => {
  v1 = await startFaultyServer(all, http(200, EMPTY_PAGE))
  patient = await startGateway(v1.url, { settings })
  hurried = await startGateway(v1.url, { settings: impatient })
})

const list = (gateway: StartedGateway, headers = {}): Promise<Reply> =>
  gateway.call({ path: '/api/invoice/list', headers: { 'accept-language': 'en', ...headers }, body: '{}' })

async function failsAs(fault: Fault): Promise<void> {
  const { kind } = fault
  const gateway = kind === 'timeout' ? hurried : patient
  const id = v1.idFor(fault)
  const started = performance.now()
  const reply = await list(gateway, { 'x-request-id': id })

  expect(performance.now() - started).toBeLessThan(SOON_MS)
  expect(reply).toMatchObject({ status: 500, text: UNEXPECTED, headers: { 'x-gateway-error': kind } })
  expect(JSON.stringify(reply.headers)).not.toMatch(INSIDES)
  const lines = gateway.log.filter(({ requestId }) => requestId === id)
  expect(lines).toMatchObject([{ operation: 'invoice-list', status: 500, failure: kind }])
  // As soon as it is well, v1 is used again.
  expect((await list(gateway)).status).toBe(200)
}

test.concurrent.each(all)('a v1 that $it is a legacy 500 that says $kind, and is used again', failsAs)

test('a v1 that refuses connections is a legacy 500 that says unreachable', async () => {
  const reply = await list(await startGateway(await deadUrl(), { settings }))
  expect(reply).toMatchObject({ status: 500, text: UNEXPECTED, headers: { 'x-gateway-error': 'unreachable' } })
})

test('a v1 that sends 100 Continue endlessly is a legacy 500 in time', async () => {
  const endless = await startRawServer((socket) => {
    const timer = setInterval(() => socket.writable && socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  const gateway = await startGateway(endless.url, { settings: impatient })
  const started = performance.now()
  expect(await list(gateway)).toMatchObject({ status: 500, text: UNEXPECTED })
  expect(performance.now() - started).toBeLessThan(SOON_MS)
})
