import { beforeAll, expect, test } from 'vitest'
import { type Fault, faults, notHttp } from '../../support/faults.ts'
import { type FaultyServer, startFaultyServer } from '../../support/faulty-server.ts'
import { madeUp } from '../../support/made-up-operations.ts'
import { deadUrl, http, type RawServer, startRawServer } from '../../support/raw-server.ts'
import { type StartedGateway, startGateway } from '../../support/start-gateway.ts'

const write = { path: '/api/thing', body: '{"title":"a"}' }
const login = { path: '/auth/application', body: '{}' }
const THING = '{"success":true,"data":{"id":1}}'

const all = [...faults, ...notHttp]
let v1: FaultyServer
let patient: StartedGateway
let hurried: StartedGateway
beforeAll(async () => {
  v1 = await startFaultyServer(all, http(201, THING))
  patient = await startGateway(v1.url, { operations: madeUp })
  // For calls that are never answered. Others have as much time as they need.
  hurried = await startGateway(v1.url, { operations: madeUp, settings: { upstreamTimeoutMs: 500 } })
})

const callsWith = (id: string): readonly string[] =>
  v1.requests.filter((head) => head.includes(`x-request-id: ${id}\r`))

test.concurrent.each<Fault>(all)('a write reaches a v1 that $it exactly once', async (fault) => {
  const gateway = fault.kind === 'timeout' ? hurried : patient
  const id = v1.idFor(fault)
  expect((await gateway.call({ ...write, headers: { 'x-request-id': id } })).status).toBe(500)
  // A repeated write would arrive before the next call.
  expect((await gateway.call({ ...write, headers: { 'x-request-id': `${id}-next` } })).status).toBe(200)
  expect([callsWith(id).length, callsWith(`${id}-next`).length]).toEqual([1, 1])
})

test('a write is sent exactly once whatever status it is answered with', async () => {
  const statuses = [200, 201, 400, 401, 408, 409, 422, 425, 429, 500, 502, 503, 504]
  const body = '{"success":true,"data":{"id":1},"code":"C"}'
  const answering: RawServer = await startRawServer((socket, number) => {
    socket.write(http(statuses[number - 1] ?? 500, body, { 'retry-after': '0' }))
  })
  const gateway = await startGateway(answering.url, { operations: madeUp })
  for (const [index, status] of statuses.entries()) {
    await gateway.call(write)
    expect(answering.requests, `${status}`).toHaveLength(index + 1)
  }
  await gateway.close()
  expect(answering.requests).toHaveLength(statuses.length)
})

test('a write on a kept connection that died is sent exactly once', async () => {
  const dying = await startRawServer((socket, number) =>
    number === 1 ? socket.write(http(201, THING)) : socket.destroy(),
  )
  const gateway = await startGateway(dying.url, { operations: madeUp })
  expect((await gateway.call(write)).status).toBe(200)
  expect(await gateway.call(write)).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unreachable' } })
  expect(dying.requests).toHaveLength(2)
})

test('a login is sent exactly once, since a service may count attempts', async () => {
  const resetting = await startRawServer((socket) => socket.resetAndDestroy())
  const gateway = await startGateway(resetting.url)
  expect((await gateway.call(login)).status).toBe(500)
  expect(resetting.requests).toHaveLength(1)
})

test('a list request on a connection that died is sent once more, and the client does not notice', async () => {
  const page = '{"success":true,"items":[],"meta":{"page":1,"perPage":25,"total":0,"pageCount":0}}'
  const dying = await startRawServer((socket, number) =>
    number === 1 ? socket.destroy() : socket.write(http(200, page)),
  )
  const gateway = await startGateway(dying.url)
  expect((await gateway.call({ path: '/api/invoice/list', body: '{}' })).status).toBe(200)
  expect(dying.requests).toHaveLength(2)
})

test('a write while v1 is unreachable is a 500 that says so', async () => {
  const gateway = await startGateway(await deadUrl(), { operations: madeUp })
  expect(await gateway.call(write)).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unreachable' } })
})
