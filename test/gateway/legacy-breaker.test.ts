import { expect, test } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { startRawServer } from '../support/raw-server.ts'
import { type StartedGateway, startGateway, until } from '../support/start-gateway.ts'
import { v1Page, v1Record } from '../support/v1-bodies.ts'

/** Services of which the legacy one can hang: nothing is answered then, not even the probe. */
async function startServices(slow: { readonly logins?: boolean } = {}) {
  const state = { hangs: false, status: 200 }
  const legacy = await startHttpServer(({ target }, response) => {
    if (state.hangs || (slow.logins === true && target.includes('/auth/'))) return
    response.writeHead(state.status).end('{"data":[]}')
  })
  const v1 = await startHttpServer(({ target }, response) => {
    response.end(JSON.stringify(target.includes('/auth/') ? v1Record({ token: 't' }) : v1Page([], { perPage: 1 })))
  })
  const gateway = await startGateway(v1.url, { legacyUrl: `${legacy.url}/prefix`, settings: { upstreamTimeoutMs: 60 } })
  return { state, legacy, gateway }
}

const CHARGES = { path: '/api/transaction/charge/list', body: '{}' }
const UNKNOWN = { path: '/some/where', body: '{}' }
const LOGIN = { path: '/auth/application', body: '{}' }

const statuses = async (gateway: StartedGateway, call: typeof CHARGES, times: number): Promise<readonly number[]> => {
  const all: number[] = []
  for (let time = 0; time < times; time++) all.push((await gateway.call(call)).status)
  return all
}

test('a legacy service that is down is given up after some failures in a row, and taken up when anything answers', async () => {
  const { state, legacy, gateway } = await startServices()
  const admin = await gateway.openAdmin()
  state.hangs = true
  expect((await statuses(gateway, CHARGES, 12)).slice(0, 5)).toEqual(Array(5).fill(504))
  const asked = legacy.received.length
  const started = performance.now()
  const reply = await gateway.call(CHARGES)
  expect(performance.now() - started).toBeLessThan(50)
  expect(reply).toMatchObject({ status: 503, headers: { 'x-gateway-error': 'unavailable' } })
  expect(JSON.parse(reply.text)).toEqual({ message: expect.any(String) })
  expect(legacy.received.slice(asked).filter(({ method }) => method === 'POST')).toEqual([])

  const ready = await callLegacy(admin, { path: '/readyz' })
  expect(ready.status).toBe(200)
  expect(ready.text).toContain('{"upstream":"legacy","lane":"reads","open":true}')
  expect(ready.text).toContain('"legacy":"down"')
  const { text } = await callLegacy(admin, { path: '/metrics' })
  expect(text).toContain('legacy_gateway_breaker_open{upstream="legacy",lane="reads"} 1')
  expect(text).toContain('legacy_gateway_breaker_open{upstream="legacy",lane="others"} 0')
  expect(gateway.log).toContainEqual(expect.objectContaining({ level: 40, msg: 'the legacy service counts as down' }))

  state.hangs = false
  state.status = 404
  await until(() => gateway.log.some(({ msg }) => msg === 'the legacy service is back'), 5_000)
  state.status = 200
  expect(await statuses(gateway, CHARGES, 1)).toEqual([200])
  expect(legacy.received.filter(({ method }) => method === 'GET').map(({ target }) => target)).toContain('/prefix/')
})

test('while it hangs on writes alone, reads go on', async () => {
  const { state, gateway } = await startServices()
  state.hangs = true
  await statuses(gateway, UNKNOWN, 11)
  state.hangs = false
  expect((await gateway.call(UNKNOWN)).status).toBe(503)
  expect(await statuses(gateway, CHARGES, 1)).toEqual([200])
})

test('a service that is slow with logins alone is not down for what is passed on', async () => {
  const { gateway } = await startServices({ logins: true })
  expect(await statuses(gateway, LOGIN, 13)).toEqual(Array(13).fill(200))
  expect(gateway.log.some(({ msg, lane }) => msg === 'the legacy service counts as down' && lane === 'logins')).toBe(
    true,
  )
  expect(await statuses(gateway, UNKNOWN, 1)).toEqual([200])
  const started = performance.now()
  expect(await statuses(gateway, LOGIN, 1)).toEqual([200])
  expect(performance.now() - started).toBeLessThan(50)
})

test('one that answers with errors is there: nothing is given up', async () => {
  const { state, legacy, gateway } = await startServices()
  state.status = 503
  expect(await statuses(gateway, CHARGES, 15)).toEqual(Array(15).fill(503))
  expect(legacy.received).toHaveLength(15)
})

test('an answer that is passed on is streamed still', async () => {
  let go = (): void => undefined
  const legacy = await startRawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nfirst')
    go = () => socket.write('later')
  })
  const gateway = await startGateway(legacy.url, { legacyUrl: legacy.url })
  const response = await fetch(`${gateway.url}/some/where`)
  const reader = response.body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first')
  go()
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('later')
})
