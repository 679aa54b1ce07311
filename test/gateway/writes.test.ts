import { expect, test } from 'vitest'
import { type Fault, notHttp, quickFaults, slowFaults } from '../support/faults.ts'
import { madeUp } from '../support/made-up-operations.ts'
import { deadUrl, http, startRawServer } from '../support/raw-server.ts'
import { startGateway } from '../support/start-gateway.ts'

const write = { path: '/api/thing', body: '{"title":"a"}' }
const login = { path: '/auth/application', body: '{}' }
/** For calls that are never answered. Others have as much time as they need. */
const impatient = { upstreamTimeoutMs: 1_000 }

async function sendsOnce({ kind, answer }: Fault): Promise<void> {
  const v1 = await startRawServer(answer)
  const settings = kind === 'timeout' ? impatient : {}
  const gateway = await startGateway(v1.url, { settings, operations: madeUp })
  expect((await gateway.call(write)).status).toBe(500)
  // A repeated write would arrive before the next call.
  const next = { 'x-request-id': 'next' }
  await gateway.call({ ...write, headers: next })
  expect(v1.requests.map((head) => head.includes('x-request-id: next'))).toEqual([false, true])
}

test.concurrent.each(slowFaults)('a write reaches a v1 that $it exactly once', sendsOnce)

test.each([...quickFaults, ...notHttp])('a write reaches a v1 that $it exactly once', sendsOnce)

test.each([200, 201, 400, 401, 408, 409, 422, 425, 429, 500, 502, 503, 504])(
  'a write that is answered %i is sent exactly once',
  async (status) => {
    const body = '{"success":true,"data":{"id":1},"code":"C"}'
    const v1 = await startRawServer((socket) => socket.write(http(status, body, { 'retry-after': '0' })))
    const gateway = await startGateway(v1.url, { operations: madeUp })
    await gateway.call(write)
    expect(v1.requests).toHaveLength(1)
  },
)

test('a write on a kept connection that died is sent exactly once', async () => {
  const body = '{"success":true,"data":{"id":1}}'
  const v1 = await startRawServer((socket, number) => (number === 1 ? socket.write(http(201, body)) : socket.destroy()))
  const gateway = await startGateway(v1.url, { operations: madeUp })
  expect((await gateway.call(write)).status).toBe(200)
  expect(await gateway.call(write)).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unreachable' } })
  expect(v1.requests).toHaveLength(2)
})

test('a login is sent exactly once, since a service may count attempts', async () => {
  const v1 = await startRawServer((socket) => socket.resetAndDestroy())
  const gateway = await startGateway(v1.url)
  expect((await gateway.call(login)).status).toBe(500)
  expect(v1.requests).toHaveLength(1)
})

test('a list request on a connection that died is sent once more, and the client does not notice', async () => {
  const page = '{"success":true,"items":[],"meta":{"page":1,"perPage":25,"total":0,"pageCount":0}}'
  const v1 = await startRawServer((socket, number) => (number === 1 ? socket.destroy() : socket.write(http(200, page))))
  const gateway = await startGateway(v1.url)
  expect((await gateway.call({ path: '/api/invoice/list', body: '{}' })).status).toBe(200)
  expect(v1.requests).toHaveLength(2)
})

test('a write while v1 is unreachable is a 500 that says so', async () => {
  const gateway = await startGateway(await deadUrl(), { operations: madeUp })
  expect(await gateway.call(write)).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unreachable' } })
})
