import { globSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'
import type { LegacyCall } from '../../support/legacy-client.ts'
import { deadUrl } from '../../support/raw-server.ts'
import { type SideBySide, startSideBySide } from '../../support/side-by-side.ts'
import { type StartedGateway, startGateway } from '../../support/start-gateway.ts'
import { v1Error, v1Page } from '../../support/v1-bodies.ts'

const APP = 'https://app.example.com'
const OTHER = 'http://localhost:3000'
const LISTED = [APP, OTHER]
const INVOICES = '/api/invoice/list'
const PREFLIGHT = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }

const corsOf = (headers: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))

/** A v1 that answers with the status that a token names, or with an empty list. */
const startV1 = () =>
  startHttpServer(({ headers }, response) => {
    const status = Number(headers.authorization?.replace('Bearer ', '') ?? 200)
    const body = status === 200 ? v1Page([]) : v1Error(status, 'NO').body
    response.writeHead(status).end(JSON.stringify(body))
  })

let none: StartedGateway
let listed: StartedGateway
let every: StartedGateway
beforeAll(async () => {
  const { url } = await startV1()
  none = await startGateway(url)
  listed = await startGateway(url, { settings: { corsOrigins: LISTED } })
  every = await startGateway(url, { settings: { corsOrigins: '*' } })
})

const list = (origin: string | undefined): LegacyCall => ({
  path: '/country/all',
  headers: origin === undefined ? {} : { origin },
})

describe('an answer', () => {
  test.each([undefined, APP])('has no CORS headers unless origins are configured (%s)', async (origin) => {
    const { headers } = await none.call(list(origin))
    expect(corsOf(headers)).toEqual({})
    expect(headers.vary).not.toMatch(/origin/i)
  })

  test.each(LISTED)('may be read by a page of the listed origin %s', async (origin) => {
    const { headers } = await listed.call(list(origin))
    expect(corsOf(headers)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': expect.stringContaining('X-Request-Id'),
    })
    expect(headers.vary).toBe('Accept-Language, Authorization, Accept-Encoding, Origin')
  })

  test.each([
    ...[`${APP}:443`, `${APP}.evil.example`, 'http://app.example.com', 'https://APP.example.com', 'null', `${APP}/`],
    ...[`${APP}, ${APP}`, undefined],
  ])('may not be read by a page of %s, and varies by origin', async (origin) => {
    const { headers } = await listed.call(list(origin))
    expect(corsOf(headers)).toEqual({})
    expect(headers.vary).toMatch(/, Origin$/)
  })

  test.each([undefined, 'https://any.example'])('may be read by every page when * is set (%s)', async (origin) => {
    const { headers } = await every.call(list(origin))
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers.vary).not.toMatch(/origin/i)
  })

  test.each<[number, LegacyCall]>([
    [200, { path: INVOICES, body: '{"perPage":200}' }],
    [304, { path: '/country/all', headers: { 'if-none-match': '*' } }],
    [400, { path: INVOICES, body: '[' }],
    [401, { path: INVOICES, body: '{}', headers: { authorization: 'Bearer 401' } }],
    [404, { path: '/nothing' }],
    [405, { path: INVOICES }],
    [413, { path: INVOICES, body: '{}', headers: { 'content-length': '9999999' } }],
    [415, { path: INVOICES, body: '{}', headers: { 'content-encoding': 'br' } }],
    [500, { path: INVOICES, body: '{}', headers: { authorization: 'Bearer 503' } }],
    [501, { path: '/api/transaction/charge/list', body: '{}' }],
  ])('may be read whatever its status: %i', async (status, call) => {
    const reply = await listed.call({ ...call, headers: { origin: APP, ...call.headers } })
    expect(reply.status).toBe(status)
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': APP,
      vary: expect.stringMatching(/(^|, )Origin$/),
    })
  })

  test('exposes every header that the gateway itself sets', async () => {
    const { headers } = await every.call(list(APP))
    const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ')
    const written = globSync('src/data-plane/gateway/**/*.ts').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/'(x-gateway-[a-z-]+)'/g)].map(([, name]) => name),
    )
    // Clients send it.
    const answered = written.filter((name) => name !== 'x-gateway-serve')
    expect(new Set(answered).size).toBeGreaterThan(2)
    expect(exposed).toEqual(expect.arrayContaining([...answered, 'x-request-id', 'etag', 'retry-after', 'link']))
  })
})

describe('a preflight', () => {
  const ask = (origin: string, gateway = listed, path = INVOICES) =>
    gateway.call({ method: 'OPTIONS', path, headers: { origin, ...PREFLIGHT } })

  test('of a listed origin is answered with what it may send, and for how long', async () => {
    const { status, headers } = await ask(APP)
    expect(status).toBe(204)
    expect(corsOf(headers)).toEqual({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': PREFLIGHT['access-control-request-headers'],
      'access-control-max-age': '7200',
    })
    expect(headers).toMatchObject({ allow: 'POST, OPTIONS', vary: 'Origin' })
  })

  test.each([
    [
      'headers of a page’s own tracing',
      'baggage,sentry-trace, x-client-version',
      'baggage,sentry-trace, x-client-version',
    ],
    ['invalid names', 'x-a;b', expect.stringMatching(/^Authorization, Content-Type, Accept-Language, /)],
  ])('that asks for %s is answered with header names only', async (_, asked, allowed) => {
    const headers = { origin: APP, ...PREFLIGHT, 'access-control-request-headers': asked }
    const reply = await listed.call({ method: 'OPTIONS', path: INVOICES, headers })
    expect(reply.headers['access-control-allow-headers']).toEqual(allowed)
  })

  test('is answered even while the legacy service that would get the call is down', async () => {
    const legacyUrl = await deadUrl()
    const gateway = await startGateway(await deadUrl(), { settings: { corsOrigins: LISTED }, legacyUrl })
    const path = '/api/transaction/charge/list'
    const ask = (headers: object) => gateway.call({ method: 'OPTIONS', path, headers: { origin: APP, ...headers } })
    expect(await ask(PREFLIGHT)).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': APP } })
    expect((await ask({})).status).toBe(502)
  })

  test('of any origin is answered when * is set', async () => {
    const { headers } = await ask('https://any.example', every, '/country/all')
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
    })
    expect(headers).not.toHaveProperty('vary')
  })

  test('of another origin is answered with the methods only', async () => {
    const { status, headers } = await ask('https://evil.example')
    expect([status, corsOf(headers), headers.vary]).toEqual([204, {}, 'Origin'])
  })

  test('is answered like any OPTIONS when no origin is listed', async () => {
    const { status, headers } = await ask(APP, none)
    expect([status, corsOf(headers), headers.vary]).toEqual([204, {}, undefined])
  })
})

describe('when the legacy service answers', () => {
  const ofLegacy = {
    'access-control-allow-origin': 'https://of-legacy.example',
    'access-control-allow-credentials': 'true',
    vary: 'Origin',
  }
  let answer: Record<string, string | string[]> = {}
  let legacy: HttpServer
  let sides: SideBySide
  beforeAll(async () => {
    legacy = await startHttpServer((_, response) => response.writeHead(200, answer).end('{"token":"t"}'))
    const { url } = await startV1()
    sides = await startSideBySide(
      { operations: { '*': { serve: 'legacy' } } },
      { v1Url: url, legacyUrl: legacy.url, settings: () => ({ corsOrigins: LISTED }) },
    )
  })

  /** Passes on a call, a login and a preflight, which the legacy service answers with these headers. */
  async function passedOn(legacyHeaders: typeof answer) {
    answer = legacyHeaders
    const headers = { origin: APP }
    return {
      call: await sides.gateway.call({ path: INVOICES, body: '{}', headers }),
      login: await sides.gateway.call({ path: '/auth/application', body: '{"clientId":"a","secretKey":"b"}', headers }),
      preflight: await sides.gateway.call({
        method: 'OPTIONS',
        path: INVOICES,
        headers: { ...headers, ...PREFLIGHT },
      }),
    }
  }

  test('its own CORS headers are kept whole, and none is sent twice', async () => {
    const { call, login, preflight } = await passedOn(ofLegacy)
    for (const { status, headers } of [call, login, preflight]) {
      expect(status).toBe(200)
      expect({ ...corsOf(headers), vary: headers.vary }).toEqual(ofLegacy)
    }
    expect(legacy.received.at(-1)).toMatchObject({ method: 'OPTIONS', headers: { origin: APP, ...PREFLIGHT } })
  })

  test('its CORS headers are never mixed with ours', async () => {
    const { call, preflight } = await passedOn({ 'access-control-allow-credentials': 'true' })
    for (const { headers } of [call, preflight]) {
      expect(corsOf(headers)).toEqual({ 'access-control-allow-credentials': 'true' })
    }
  })

  test.each([
    [{}, 'Origin'],
    [{ vary: ['Cookie', 'Accept-Language'] }, 'Cookie, Accept-Language, Origin'],
    [{ vary: 'origin, Cookie' }, 'origin, Cookie'],
    [{ vary: '*' }, '*'],
  ])('the gateway adds CORS headers to an answer that has none: beside %j', async (headers, vary) => {
    const { call, preflight } = await passedOn(headers)
    expect(call.headers).toMatchObject({ 'access-control-allow-origin': APP, vary })
    expect(preflight).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': APP, 'access-control-allow-methods': 'POST' },
    })
  })
})
