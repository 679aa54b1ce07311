import { expect, test } from 'vitest'
import { startHttpServer } from '../../support/http-server.ts'
import { http, startRawServer } from '../../support/raw-server.ts'
import { type StartedGateway, startGateway, until } from '../../support/start-gateway.ts'
import { v1Page, v1Record } from '../../support/v1-bodies.ts'

const LOGIN = { path: '/auth/application', body: '{}' }
const LIST = { path: '/api/invoice/list', body: '{}' }

/** v1 counts as down after this many failures in a row. */
const FAILURES = 10

/** The time-out for a v1 that hangs. Other answers arrive sooner, even on a busy machine. */
const settings = { upstreamTimeoutMs: 1_000 }

/** Logins at the same time. Returns the error with which each was answered. */
const logIn = async (gateway: StartedGateway, times: number): Promise<readonly unknown[]> => {
  const replies = await Promise.all(Array.from({ length: times }, () => gateway.call(LOGIN)))
  return replies.map(({ headers }) => headers['x-gateway-error'])
}

const logged = (gateway: StartedGateway, msg: string): number => gateway.log.filter((line) => line.msg === msg).length

test.concurrent('the breaker opens after some failures of v1 in a row, and closes within seconds of its recovery', async () => {
  let hangs = true
  const v1 = await startHttpServer((_, response) => {
    if (!hangs) response.end(JSON.stringify(v1Record({ token: 't' })))
  })
  const gateway = await startGateway(v1.url, { settings })
  const logins = (): number => v1.received.filter(({ target }) => target.includes('/auth/')).length
  expect(await logIn(gateway, FAILURES)).toEqual(Array(FAILURES).fill('timeout'))
  const asked = logins()
  expect(await gateway.call(LOGIN)).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unavailable' } })
  expect(logins()).toBe(asked)
  expect(logged(gateway, 'v1 counts as down')).toBe(1)

  hangs = false
  await until(() => logged(gateway, 'v1 is back') === 1)
  expect((await gateway.call(LOGIN)).status).toBe(200)
})

test.concurrent.each([
  ['of an error', 503, '{}', 'unavailable'],
  ['of a proxy’s page', 200, '<html>', 'malformed'],
  ['that are not HTTP', 1, '', 'malformed'],
])(
  'a v1 that comes back with answers %s is called again, and its breaker opens again',
  async (_, status, body, error) => {
    let isDown = true
    const v1 = await startRawServer((socket) => {
      if (isDown) socket.destroy()
      else socket.write(status === 1 ? 'SSH-2.0-OpenSSH_9.9\r\n' : http(status, body))
    })
    const gateway = await startGateway(v1.url)
    const logins = (): number => v1.requests.filter((head) => head.startsWith('POST')).length
    expect(await logIn(gateway, FAILURES)).toEqual(Array(FAILURES).fill('unreachable'))
    expect(await logIn(gateway, 1)).toEqual(['unavailable'])
    isDown = false
    await until(() => logged(gateway, 'v1 is back') === 1)
    const before = logins()
    expect(await logIn(gateway, 1)).toEqual([error])
    expect(logins()).toBe(before + 1)

    isDown = true
    await logIn(gateway, FAILURES)
    expect(logged(gateway, 'v1 counts as down')).toBe(2)
    isDown = false
    await until(() => logged(gateway, 'v1 is back') === 2)
  },
)

test.concurrent('while v1 hangs on writes only, reads go on', async () => {
  let hanging = 0
  const v1 = await startHttpServer(({ method, target }, response) => {
    if (method === 'GET' && target.includes('/finance/')) response.end(JSON.stringify(v1Page([], { perPage: 25 })))
    else hanging++
  })
  const gateway = await startGateway(v1.url, { settings })
  const read = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) expect((await gateway.call(LIST)).status).toBe(200)
  }
  const writes = logIn(gateway, FAILURES)
  await until(() => hanging === FAILURES)
  await read(7)
  expect(await writes).toEqual(Array(FAILURES).fill('timeout'))
  expect(await logIn(gateway, 1)).toEqual(['unavailable'])
  await read(7)
})

test.concurrent('a v1 that answers with errors is up: the breaker stays closed', async () => {
  const v1 = await startHttpServer((_, response) => response.writeHead(503).end('{}'))
  const gateway = await startGateway(v1.url)
  for (let call = 0; call < 15; call++) await gateway.call(LOGIN)
  expect(v1.received).toHaveLength(15)
})
