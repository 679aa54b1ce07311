import { describe, expect, test } from 'vitest'
import { startHttpServer } from '../../support/http-server.ts'
import { deadUrl, startRawServer } from '../../support/raw-server.ts'
import { startGateway, until } from '../../support/start-gateway.ts'
import { v1Page, v1Record } from '../../support/v1-bodies.ts'

const LOGIN = { path: '/auth/application', body: '{"clientId":"demo-client","secretKey":"s-e-c-r-e-t"}' }
const INVOICES = '/api/invoice/list'
const CHARGES = '/api/transaction/charge/list'
const KEY = new Uint8Array(32).fill(7)
const OTHER_KEY = new Uint8Array(32).fill(8)

/** v1 issues `v1-token`, with digits and members that a rewrite could lose. */
function startV1() {
  return startHttpServer(({ target, headers }, response) => {
    if (target.endsWith('/auth/application')) {
      response.end('{"success":true,"data":{"expiresIn":3600.00,"token":"v1-token","id":12345678901234567890}}')
    } else if (headers.authorization === 'Bearer v1-token') {
      response.end(JSON.stringify(v1Page([], { perPage: 25 })))
    } else {
      response.writeHead(401).end('{"success":false,"code":"UNAUTHORIZED","message":"Yetkisiz."}')
    }
  })
}

function startLegacy() {
  return startHttpServer(({ target }, response) => {
    response.end(target === LOGIN.path ? '{"token":"legacy-token"}' : '{"data":[]}')
  })
}

const tokenOf = (text: string): string => (JSON.parse(text) as { token: string }).token
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** A token of this length. */
const tokenOfLength = (length: number): string => 'x'.repeat(length)

describe('a login whose token makes a header of more than 8 KB', () => {
  test('succeeds, and the log says how large it is and what to do, but not for every login', async () => {
    const v1 = await startHttpServer((_, response) =>
      response.end(JSON.stringify(v1Record({ token: tokenOfLength(4_500) }))),
    )
    const legacy = await startHttpServer((_, response) => response.end(JSON.stringify({ token: tokenOfLength(2_000) })))
    const gateway = await startGateway(v1.url, { legacyUrl: legacy.url })
    const tokens = [tokenOf((await gateway.call(LOGIN)).text), tokenOf((await gateway.call(LOGIN)).text)]
    const warnings = gateway.log.filter(({ msg }) => String(msg).includes('8 KB'))
    expect(warnings).toHaveLength(1)
    const headerBytes = `Authorization: Bearer ${tokens[0]}`.length
    expect(warnings[0]).toMatchObject({ level: 40, logins: 1, headerBytes })
    expect(warnings[0]?.msg).toMatch(/shorter tokens/)
    expect(JSON.stringify(gateway.log)).not.toContain('xxx')
    expect((await gateway.call({ path: CHARGES, headers: bearer(tokens[1] ?? ''), body: '{}' })).status).toBe(200)
  })

  test('is not logged when the header is shorter', async () => {
    const v1 = await startHttpServer((_, response) =>
      response.end(JSON.stringify(v1Record({ token: tokenOfLength(3_900) }))),
    )
    const legacy = await startHttpServer((_, response) => response.end(JSON.stringify({ token: tokenOfLength(2_000) })))
    const gateway = await startGateway(v1.url, { legacyUrl: legacy.url })
    expect(`Authorization: Bearer ${tokenOf((await gateway.call(LOGIN)).text)}`.length).toBeLessThanOrEqual(8_192)
    expect(JSON.stringify(gateway.log)).not.toContain('8 KB')
  })
})

describe('a login, with a legacy service behind', () => {
  test('issues one token, under which each service gets the token that it issued itself', async () => {
    const [v1, legacy] = [await startV1(), await startLegacy()]
    const gateway = await startGateway(v1.url, { legacyUrl: legacy.url })
    const reply = await gateway.call({ ...LOGIN, headers: { 'accept-language': 'en' } })
    expect(reply.status).toBe(200)
    expect(reply.text).toMatch(/^\{"expiresIn":3600\.00,"token":"[\w-]+\.\.[\w.-]+","id":12345678901234567890\}$/)
    expect(reply.text).not.toMatch(/v1-token|legacy-token/)
    expect(legacy.received).toMatchObject([{ method: 'POST', target: LOGIN.path, body: LOGIN.body }])
    expect(legacy.received[0]?.headers['accept-language']).toBe('en')

    const headers = bearer(tokenOf(reply.text))
    expect((await gateway.call({ path: INVOICES, headers, body: '{}' })).status).toBe(200)
    expect((await gateway.call({ path: CHARGES, headers, body: '{}' })).text).toBe('{"data":[]}')
    expect(v1.received.at(-1)?.headers.authorization).toBe('Bearer v1-token')
    expect(legacy.received.at(-1)?.headers.authorization).toBe('Bearer legacy-token')
    const lowerCase = { authorization: `bearer  ${tokenOf(reply.text)}` }
    expect((await gateway.call({ path: INVOICES, headers: lowerCase, body: '{}' })).status).toBe(200)
    expect(JSON.stringify(gateway.log)).not.toMatch(/v1-token|legacy-token|s-e-c-r-e-t|eyJ/)
  })

  test('is valid at every replica with the same key, even while keys are exchanged', async () => {
    const [v1, legacy] = [await startV1(), await startLegacy()]
    const start = (tokenKeys: readonly Uint8Array[]) =>
      startGateway(v1.url, { legacyUrl: legacy.url, settings: { tokenKeys } })
    const headers = bearer(tokenOf((await (await start([KEY])).call(LOGIN)).text))
    const ask = async (tokenKeys: readonly Uint8Array[]) =>
      (await (await start(tokenKeys)).call({ path: INVOICES, headers, body: '{}' })).status
    expect(await ask([KEY])).toBe(200)
    expect(await ask([OTHER_KEY, KEY])).toBe(200)
    expect(await ask([OTHER_KEY])).toBe(401)
    // Without a legacy service, tokens that are still in use must be opened too.
    const alone = await startGateway(v1.url, { settings: { tokenKeys: [KEY] } })
    expect((await alone.call({ path: INVOICES, headers, body: '{}' })).status).toBe(200)
  })

  test('issues a token that cannot be changed: a changed one is refused, and goes to no service', async () => {
    const [v1, legacy] = [await startV1(), await startLegacy()]
    const gateway = await startGateway(v1.url, { legacyUrl: legacy.url })
    const token = tokenOf((await gateway.call(LOGIN)).text)
    const at = token.length - 30
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
    for (const wrong of [changed, token.slice(0, -4), `${token}AAAA`, token.replace('..', '.AAAA.')]) {
      const before = v1.received.length
      expect((await gateway.call({ path: INVOICES, headers: bearer(wrong), body: '{}' })).status).toBe(401)
      expect(v1.received.length).toBe(before)
    }
  })

  test('leaves tokens that are not ours alone', async () => {
    const [v1, legacy] = [await startV1(), await startLegacy()]
    const gateway = await startGateway(v1.url, { legacyUrl: legacy.url })
    for (const authorization of ['Bearer v1-token', 'Basic abc', 'Bearer a.b.c.d.e', 'odd']) {
      await gateway.call({ path: INVOICES, headers: { authorization }, body: '{}' })
      await gateway.call({ path: CHARGES, headers: { authorization }, body: '{}' })
      expect(v1.received.at(-1)?.headers.authorization).toBe(authorization)
      expect(legacy.received.at(-1)?.headers.authorization).toBe(authorization)
    }
  })

  test('passes on the refusal of v1', async () => {
    const legacy = await startLegacy()
    const v1 = await startHttpServer((_, response) => {
      response.writeHead(401).end('{"success":false,"code":"CLIENT_ID_OR_SECRET_INVALID","message":"Hatalı."}')
    })
    const gateway = await startGateway(v1.url, { legacyUrl: legacy.url })
    expect(await gateway.call(LOGIN)).toMatchObject({ status: 401, text: '{"message":"Hatalı."}' })
  })

  test('returns v1’s own token when there is no legacy service', async () => {
    const gateway = await startGateway((await startV1()).url)
    expect(tokenOf((await gateway.call(LOGIN)).text)).toBe('v1-token')
  })
})

describe('a legacy service that is down', () => {
  test.concurrent.each([
    ['refuses connections', undefined],
    ['says no', 'HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\n{}'],
    ['answers without a token', 'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{"token":""}'],
    ['answers HTML', 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>'],
    ['never answers', ''],
  ])('because it %s breaks neither a login nor the calls that v1 serves', async (_, writes) => {
    const v1 = await startV1()
    const raw = await startRawServer((socket) => socket.write(writes ?? ''))
    const legacyUrl = writes === undefined ? await deadUrl() : raw.url
    const gateway = await startGateway(v1.url, { legacyUrl })
    const started = performance.now()
    const reply = await gateway.call(LOGIN)
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(reply.status).toBe(200)
    const headers = bearer(tokenOf(reply.text))
    expect((await gateway.call({ path: INVOICES, headers, body: '{}' })).status).toBe(200)
    expect(v1.received.at(-1)?.headers.authorization).toBe('Bearer v1-token')
  })

  test('delays a login by a second at most, even one that has to wait until an earlier login at the service has ended', async () => {
    let [asked, givenUp] = [0, 0]
    const legacy = await startHttpServer((_, response) => {
      asked++
      response.once('close', () => givenUp++)
    })
    const gateway = await startGateway((await startV1()).url, {
      ...{ legacyUrl: legacy.url, settings: { lanes: { limit: 1 } } },
    })
    const first = gateway.call(LOGIN)
    await until(() => asked === 1)
    // Well before the second login stops waiting, the first one stops.
    await new Promise((resolve) => setTimeout(resolve, 200))
    const second = gateway.call(LOGIN)
    expect([(await first).status, (await second).status]).toEqual([200, 200])
    // It is still being asked for the second login, which has been answered.
    expect(givenUp).toBeLessThanOrEqual(1)
  })

  test('at the login has issued no token: later calls reach it without one', async () => {
    let isDown = true
    const legacy = await startHttpServer((_, response) => response.writeHead(isDown ? 500 : 401).end('{}'))
    const gateway = await startGateway((await startV1()).url, { legacyUrl: legacy.url })
    const headers = bearer(tokenOf((await gateway.call(LOGIN)).text))
    isDown = false
    expect((await gateway.call({ path: CHARGES, headers, body: '{}' })).status).toBe(401)
    expect(legacy.received.at(-1)?.headers).not.toHaveProperty('authorization')
  })
})

test('a list that is cached under v1’s token serves all tokens that seal that token, and no other', async () => {
  const page = JSON.stringify(v1Page([{ id: 1 }], { perPage: 200 }))
  const v1 = await startHttpServer(({ target }, response) => {
    response.end(target.includes('/auth/') ? JSON.stringify(v1Record({ token: 'v1-token' })) : page)
  })
  const gateway = await startGateway(v1.url, { legacyUrl: (await startLegacy()).url })
  const logIn = async () => bearer(tokenOf((await gateway.call(LOGIN)).text))
  const asked = () => v1.received.filter(({ target }) => target.includes('/units-of-measure')).length
  for (const headers of [await logIn(), await logIn(), bearer('v1-token')]) {
    expect((await gateway.call({ path: '/api/unit/of/measure/all', headers })).status).toBe(200)
  }
  expect(asked()).toBe(1)
  await gateway.call({ path: '/api/unit/of/measure/all', headers: bearer('other') })
  expect(asked()).toBe(2)
})
