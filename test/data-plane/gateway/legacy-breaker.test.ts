import { expect, test } from 'vitest'
import { startHttpServer } from '../../support/http-server.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { startRawServer } from '../../support/raw-server.ts'
import { type StartedGateway, startGateway, until } from '../../support/start-gateway.ts'
import { v1Page, v1Record } from '../../support/v1-bodies.ts'

/** A service counts as down after this many failures in a row. */
const FAILURES = 10

/** The time-out for a legacy service that hangs. Other answers arrive sooner, even on a busy machine. */
const TIMEOUT_MS = 1_000

/** Both services; the legacy one can be made to hang. */
async function startServices(hangsOnceAndForAll: (target: string) => boolean = () => false, timeoutMs = TIMEOUT_MS) {
  const state = { hangs: false, status: 200 }
  const legacy = await startHttpServer(({ target }, response) => {
    if (!state.hangs && !hangsOnceAndForAll(target)) response.writeHead(state.status).end('{"data":[]}')
  })
  const v1 = await startHttpServer(({ target }, response) => {
    response.end(JSON.stringify(target.includes('/auth/') ? v1Record({ token: 't' }) : v1Page([], { perPage: 1 })))
  })
  const settings = { upstreamTimeoutMs: timeoutMs }
  const gateway = await startGateway(v1.url, { legacyUrl: `${legacy.url}/prefix`, settings })
  return { state, legacy, gateway }
}

const PROBE = '/prefix/'
const CHARGES = { path: '/api/transaction/charge/list', body: '{}' }
const UNKNOWN = { path: '/some/where', body: '{}' }
const LOGIN = { path: '/auth/application', body: '{}' }

/** The answers to this many simultaneous calls. */
const statuses = async (gateway: StartedGateway, call: typeof CHARGES, times: number): Promise<readonly number[]> => {
  const replies = await Promise.all(Array.from({ length: times }, () => gateway.call(call)))
  return replies.map(({ status }) => status)
}

test.concurrent('the breaker of the legacy service opens after some failures in a row, and closes when anything answers', async () => {
  const { state, legacy, gateway } = await startServices()
  const admin = await gateway.openAdmin()
  state.hangs = true
  expect(await statuses(gateway, CHARGES, FAILURES)).toEqual(Array(FAILURES).fill(504))
  const asked = legacy.received.length
  const started = performance.now()
  const reply = await gateway.call(CHARGES)
  expect(performance.now() - started).toBeLessThan(TIMEOUT_MS)
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

  state.status = 404
  state.hangs = false
  await until(() => gateway.log.some(({ msg }) => msg === 'the legacy service is back'))
  state.status = 200
  expect(await statuses(gateway, CHARGES, 1)).toEqual([200])
  expect(legacy.received.filter(({ method }) => method === 'GET').map(({ target }) => target)).toContain(PROBE)
})

test.concurrent('while the legacy service hangs on writes only, reads go on', async () => {
  const { gateway } = await startServices((target) => target === PROBE || target.endsWith(UNKNOWN.path))
  expect(await statuses(gateway, UNKNOWN, FAILURES)).toEqual(Array(FAILURES).fill(504))
  expect(await statuses(gateway, UNKNOWN, 1)).toEqual([503])
  expect(await statuses(gateway, CHARGES, 1)).toEqual([200])
})

test.concurrent('a legacy service that is slow with logins only is not down for calls that are passed on', async () => {
  // A login does not wait that long for the legacy service.
  const { legacy, gateway } = await startServices((target) => target === PROBE || target.includes('/auth/'), 20_000)
  expect(await statuses(gateway, LOGIN, 13)).toEqual(Array(13).fill(200))
  expect(gateway.log.some(({ msg, lane }) => msg === 'the legacy service counts as down' && lane === 'logins')).toBe(
    true,
  )
  expect(await statuses(gateway, UNKNOWN, 1)).toEqual([200])
  const logins = (): number => legacy.received.filter(({ target }) => target.includes('/auth/')).length
  const asked = logins()
  expect(await statuses(gateway, LOGIN, 1)).toEqual([200])
  expect(logins()).toBe(asked)
})

test.concurrent('a legacy service that answers with errors is up: the breaker stays closed', async () => {
  const { state, legacy, gateway } = await startServices()
  state.status = 503
  for (let call = 0; call < 15; call++) expect(await statuses(gateway, CHARGES, 1)).toEqual([503])
  expect(legacy.received).toHaveLength(15)
})

test.concurrent('an answer that is passed on is still streamed', async () => {
  let go = (): void => undefined
  const legacy = await startRawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nfirst')
    go = () => socket.write('later')
  })
  const gateway = await startGateway(legacy.url, { legacyUrl: legacy.url })
  const response = await fetch(`${gateway.url}/some/where`)
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString()
    if (text === 'first') go()
  }
  expect(text).toBe('firstlater')
})
