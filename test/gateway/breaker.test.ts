import { expect, test } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { http, startRawServer } from '../support/raw-server.ts'
import { startGateway, until } from '../support/start-gateway.ts'
import { v1Page, v1Record } from '../support/v1-bodies.ts'

/** A v1 that can hang: nothing is answered then, not even the probe. */
async function startV1() {
  const v1 = { hangs: false, status: 200 }
  const server = await startHttpServer(({ target }, response) => {
    if (v1.hangs) return
    response.statusCode = v1.status
    response.end(JSON.stringify(target.includes('/auth/') ? v1Record({ token: 't' }) : v1Page([])))
  })
  return Object.assign(v1, server)
}

const LOGIN = { path: '/auth/application', body: '{}' }
const settings = { upstreamTimeoutMs: 60 }

test('a v1 that is down is given up after some failures in a row, and taken up within seconds of being well', async () => {
  const v1 = await startV1()
  const gateway = await startGateway(v1.url, { settings })
  v1.hangs = true
  const kinds: unknown[] = []
  for (let call = 0; call < 12; call++) kinds.push((await gateway.call(LOGIN)).headers['x-gateway-error'])
  expect(kinds.slice(0, 5)).toEqual(Array(5).fill('timeout'))
  expect(kinds.at(-1)).toBe('unavailable')
  const asked = v1.received.length
  const reply = await gateway.call(LOGIN)
  expect(reply).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unavailable' } })
  expect(v1.received.filter(({ target }) => target.includes('/auth/'))).toHaveLength(asked)
  expect(gateway.log.some(({ msg }) => msg === 'v1 counts as down')).toBe(true)

  v1.hangs = false
  await until(() => gateway.log.some(({ msg }) => msg === 'v1 is back'), 5_000)
  expect((await gateway.call(LOGIN)).status).toBe(200)
})

test.each([
  ['of an error', 503, '{}'],
  ['of a proxy’s page', 200, '<html>'],
  ['that is no HTTP', 1, ''],
])('a v1 that comes back with answers %s is asked again, and given up again', async (_, status, body) => {
  const v1 = { hangs: true }
  const server = await startRawServer((socket) => {
    if (!v1.hangs) socket.write(status === 1 ? 'SSH-2.0-OpenSSH_9.9\r\n' : http(status, body))
  })
  const gateway = await startGateway(server.url, { settings })
  const told = (msg: string): number => gateway.log.filter((line) => line.msg === msg).length
  for (let call = 0; call < 12; call++) await gateway.call(LOGIN)
  v1.hangs = false
  await until(() => told('v1 is back') === 1, 5_000)
  const logins = (): number => server.requests.filter((head) => head.startsWith('POST')).length
  const before = logins()
  await gateway.call(LOGIN)
  expect(logins()).toBe(before + 1)

  v1.hangs = true
  for (let call = 0; call < 12; call++) await gateway.call(LOGIN)
  expect(told('v1 counts as down')).toBe(2)
  v1.hangs = false
  await until(() => told('v1 is back') === 2, 5_000)
})

test('while it hangs on writes alone, reads go on', async () => {
  const v1 = await startHttpServer(({ method }, response) => {
    if (method === 'GET') response.end(JSON.stringify(v1Page([], { perPage: 25 })))
  })
  const gateway = await startGateway(v1.url, { settings })
  for (let call = 0; call < 14; call++) {
    await gateway.call(LOGIN)
    expect((await gateway.call({ path: '/api/invoice/list', body: '{}' })).status).toBe(200)
  }
})

test('a v1 that answers with errors is there: nothing is given up', async () => {
  const v1 = await startV1()
  const gateway = await startGateway(v1.url, { settings })
  v1.status = 503
  for (let call = 0; call < 15; call++) await gateway.call(LOGIN)
  expect(v1.received).toHaveLength(15)
})
