import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Fault, notHttp, quickFaults, slowFaults } from '../support/faults.ts'
import { deadUrl, http, startRawServer } from '../support/raw-server.ts'
import { startGateway } from '../support/start-gateway.ts'

// Clients may see v1's public address, never the internal one.
const settings = { v1PublicUrl: new URL('https://api.example.com') }
/** For a v1 that never ends its answer. Other tests have as much time as they need. */
const impatient = { ...settings, upstreamTimeoutMs: 1_000 }
/** Far less than an endless call would take. */
const SOON_MS = 10_000
const call = { method: 'POST', path: '/api/invoice/list', headers: { 'accept-language': 'en' }, body: '{}' }
const UNEXPECTED = '{"message":"An unexpected error occurred."}'

/** What no legacy answer may show: addresses, codes of libraries, stacks, files. */
const INSIDES = /127\.0\.0\.1|localhost|ECONN|UND_ERR|HPE_|ERR_|undici|node:|\.[jt]s\b|\bat \w/

async function failsAs({ kind, answer }: Fault): Promise<void> {
  const v1 = await startRawServer(answer)
  const gateway = await startGateway(v1.url, { settings: kind === 'timeout' ? impatient : settings })
  const started = performance.now()
  const reply = await gateway.call(call)

  expect(performance.now() - started).toBeLessThan(SOON_MS)
  expect(reply).toMatchObject({ status: 500, text: UNEXPECTED, headers: { 'x-gateway-error': kind } })
  expect(JSON.stringify(reply.headers)).not.toMatch(INSIDES)
  expect(gateway.log).toHaveLength(1)
  expect(gateway.log[0]).toMatchObject({ operation: 'invoice-list', status: 500, failure: kind })
}

test.concurrent.each(slowFaults)('a v1 that $it is a legacy 500 that says $kind', failsAs)

test.each(quickFaults)('a v1 that $it is a legacy 500 that says $kind', failsAs)

test.each(notHttp)('a v1 that $it is a legacy 500 that says $kind', failsAs)

test.each(notHttp)('a v1 that $it is a legacy 500 with the unexpected error', async ({ answer }) => {
  const v1 = await startRawServer(answer)
  const gateway = await startGateway(v1.url, { settings })
  expect(await gateway.call(call)).toMatchObject({ status: 500, text: UNEXPECTED })
})

test('a v1 that refuses connections is a legacy 500 that says unreachable', async () => {
  const gateway = await startGateway(await deadUrl(), { settings })
  const reply = await gateway.call(call)
  expect(reply).toMatchObject({ status: 500, text: UNEXPECTED, headers: { 'x-gateway-error': 'unreachable' } })
})

test('a v1 that sends 100 Continue endlessly is a legacy 500 in time', async () => {
  const v1 = await startRawServer((socket) => {
    const timer = setInterval(() => socket.writable && socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  const gateway = await startGateway(v1.url, { settings: impatient })
  const started = performance.now()
  expect(await gateway.call(call)).toMatchObject({ status: 500, text: UNEXPECTED })
  expect(performance.now() - started).toBeLessThan(SOON_MS)
})

test('after any failure v1 is used again as soon as it is well', async () => {
  const quick = [...quickFaults, ...notHttp]
  const page = '{"success":true,"items":[],"meta":{"page":1,"perPage":25,"total":0,"pageCount":0}}'
  let fault: Fault | undefined
  const v1 = await startRawServer((socket, number) => {
    if (fault === undefined) socket.write(http(200, page))
    else fault.answer(socket, number)
  })
  const gateway = await startGateway(v1.url, { settings })
  for (fault of quick) {
    expect((await gateway.call(call)).status, fault.it).toBe(500)
    const { it } = fault
    fault = undefined
    expect((await gateway.call(call)).status, it).toBe(200)
  }
})

test('an answer that unpacks to more than the limit is a legacy 500 that says too-large', async () => {
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, ' '))
  const v1 = await startRawServer((socket) => socket.end(http(200, bomb, { 'content-encoding': 'gzip' })))
  const gateway = await startGateway(v1.url)
  const reply = await gateway.call(call)
  expect(reply).toMatchObject({ status: 500, text: UNEXPECTED, headers: { 'x-gateway-error': 'too-large' } })
})
