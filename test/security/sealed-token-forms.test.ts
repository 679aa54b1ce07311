import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { tokenSealer } from '../../src/data-plane/gateway/login/sealed-token.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { type Received, startHttpServer } from '../support/http-server.ts'
import { sendBytes } from '../support/legacy-client.ts'
import { type Settings, startGateway, until } from '../support/start-gateway.ts'
import { v1Page, v1Record } from '../support/v1-bodies.ts'

const KEY = new Uint8Array(32).fill(7)
const INVOICES = '/api/invoice/list'
const sealedWith = (key: Uint8Array, tokens = { client: 'demo', v1: 'v1-token', legacy: 'legacy-token' }) =>
  tokenSealer([key]).seal(tokens)
const SEALED = await sealedWith(KEY)
const FOREIGN = await sealedWith(new Uint8Array(32).fill(8))
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Both services, and a gateway that knows the key. The rollout says who answers. */
async function startServices(rollout: object = {}, settings: Partial<Settings> = {}) {
  const v1 = await startHttpServer(({ target, headers }, response) => {
    const isPublic = target.includes('/auth/') || target.includes('/countries')
    if (!isPublic && headers.authorization !== 'Bearer v1-token') {
      response.writeHead(401).end('{"success":false,"code":"UNAUTHORIZED","message":"Yetkisiz."}')
      return
    }
    const answer = target.includes('/auth/') ? v1Record({ token: 'v1-token' }) : v1Page([{ id: 1 }], { perPage: 25 })
    response.end(JSON.stringify(answer))
  })
  const legacy = await startHttpServer((_, response) => response.end('{"token":"legacy-token"}'))
  const folder = mkdtempSync(join(tmpdir(), 'sealed-'))
  closeAtEnd(() => rmSync(folder, { recursive: true }))
  const rolloutFile = join(folder, 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify({ operations: { '*': { serve: 'v1' }, ...rollout } }))
  const gateway = await startGateway(v1.url, {
    legacyUrl: legacy.url,
    settings: { tokenKeys: [KEY], rolloutFile, ...settings },
  })
  return { v1, legacy, gateway, folder }
}

const services = await startServices({ 'currency-list': { serve: 'legacy' } })

/** Everything that reached a service, as one text: also what is in base64 or percent-encoded. */
const reached = (received: readonly Received[]): string => {
  const plain = JSON.stringify(received)
  return `${plain} ${decodeURIComponent(plain.replaceAll(/%(?![\da-f]{2})/gi, '%25'))} ${plain
    .split(/[^\w+/=-]/)
    .map((word) => Buffer.from(word, 'base64').toString('latin1'))
    .join(' ')}`
}

/** What is encrypted in a token, without what stands around it. */
const secretOf = (token: string): string => token.split('.')[3] ?? ''

const TO = {
  'v1, translated': { path: INVOICES, body: '{}', own: 'v1', token: 'Bearer v1-token' },
  'legacy, an operation': { path: '/api/currency', own: 'legacy', token: 'Bearer legacy-token' },
  'legacy, an unknown path': { path: '/elsewhere', own: 'legacy', token: 'Bearer legacy-token' },
} as const

describe.each(Object.entries(TO))('a call to %s', (_, { own, token, ...call }) => {
  test.each([
    ['without a scheme', SEALED],
    ['with a scheme in small letters', `bearer ${SEALED}`],
    ['with a scheme in capitals', `BEARER ${SEALED}`],
    ['after several blanks', `Bearer    ${SEALED}`],
    ['after a tab', `Bearer\t${SEALED}`],
    ['behind blanks', `Bearer ${SEALED}   `],
    ['with the scheme Token', `Token ${SEALED}`],
    ['with the scheme JWT', `JWT ${SEALED}`],
    ['with the scheme twice', `Bearer Bearer ${SEALED}`],
    ['with a colon', `Bearer: ${SEALED}`],
    ['without a blank', `Bearer:${SEALED}`],
    ['as a parameter', `Bearer token=${SEALED}`],
    ['as a quoted parameter', `Token token="${SEALED}", charset=utf-8`],
    ['as a parameter alone', `token=${SEALED}`],
    ['in quotes', `"${SEALED}"`],
    ['in quotes behind a scheme', `Bearer "${SEALED}"`],
    ['in brackets', `Bearer <${SEALED}>`],
    ['as JSON', `{"token":"${SEALED}"}`],
    ['before a comma', `Bearer ${SEALED},`],
    ['before a semicolon', `Bearer ${SEALED};`],
    ['before an encoded line break', `Bearer ${SEALED}%0A`],
    ['before a second one', `Bearer ${SEALED}, Bearer ${SEALED}`],
    ['as the password of Basic', `Basic ${base64(`user:${SEALED}`)}`],
    ['as the user of Basic', `Basic ${base64(`${SEALED}:`)}`],
    ['as the user of Basic with a password', `Basic ${base64(`${SEALED}:x`)}`],
    ['in Basic, one byte on', `Basic ${base64(`x${SEALED}`)}`],
    ['in Basic, two bytes on', `Basic ${base64(`xx${SEALED}`)}`],
    ['percent-encoded', `Bearer%20${SEALED.replaceAll('.', '%2E')}`],
  ])('with our token %s is opened, and each service gets its own', async (__, authorization) => {
    const before = services[own].received.length
    expect((await services.gateway.call({ ...call, headers: { authorization } })).status).toBe(200)
    expect(services[own].received.slice(before).map(({ headers }) => headers.authorization)).toEqual([token])
  })

  test.each([
    ['of another key', `Bearer ${FOREIGN}`],
    ['of another key, without a scheme', FOREIGN],
    ['of another key, in Basic', `Basic ${base64(`x:${FOREIGN}`)}`],
    ['that is cut off', `Bearer ${SEALED.slice(0, -5)}`],
    ['that is cut off in the middle', SEALED.slice(0, 110)],
    ['that ends after its header', `Bearer ${SEALED.slice(0, 70)}`],
    ['that was changed', `Bearer ${SEALED.replace(/\.(.)([^.]*)$/, (___, a, b) => `.${a === 'A' ? 'B' : 'A'}${b}`)}`],
    ['with more behind it', `Bearer ${SEALED}xyz`],
    ['with a blank in it', `Bearer ${SEALED.slice(0, 100)} ${SEALED.slice(100)}`],
  ])('with a token %s is a 401, and no service is asked', async (__, authorization) => {
    const before = [services.v1.received.length, services.legacy.received.length]
    const reply = await services.gateway.call({ ...call, headers: { authorization, 'accept-language': 'en' } })
    expect(reply).toMatchObject({
      status: 401,
      text: expect.stringMatching(/^\{"message":"The token in this request /),
    })
    expect([services.v1.received.length, services.legacy.received.length]).toEqual(before)
  })

  test('with two Authorization headers counts the first, and passes on no token', async () => {
    const before = services[own].received.length
    const body = 'body' in call ? call.body : ''
    const head = [`${body === '' ? 'GET' : 'POST'} ${call.path} HTTP/1.1`, 'Host: a', 'Connection: close']
    const sent = ['Authorization: Basic eDp5', `Authorization: Bearer ${SEALED}`, `Content-Length: ${body.length}`]
    await sendBytes(services.gateway.url, `${[...head, ...sent].join('\r\n')}\r\n\r\n${body}`)
    const received = services[own].received.slice(before)
    expect(received.map(({ headers }) => headers.authorization)).toEqual(['Basic eDp5'])
    expect(reached(received)).not.toContain(secretOf(SEALED))
  })
})

describe('a token elsewhere in a call that is passed on', () => {
  const at = (where: string, token: string) => {
    const places: Record<string, { path?: string; headers?: Record<string, string>; body?: string }> = {
      'X-Auth-Token': { headers: { 'x-auth-token': token } },
      'X-Access-Token': { headers: { 'x-access-token': `Bearer ${token}` } },
      Cookie: { headers: { cookie: `a=b; token=${token}; c=d` } },
      Authentication: { headers: { authentication: `Bearer ${token}` } },
      'the query': { path: `/elsewhere?x=1&access_token=${token}&y=2` },
      'the query, encoded': { path: `/elsewhere?token=${token.replaceAll('.', '%2e')}` },
      'the path': { path: `/elsewhere/${token}/file` },
      'a JSON body': { body: `{"token":"${token}"}`, headers: { 'content-type': 'application/json' } },
      'a form': { body: `a=b&token=${token}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    }
    return { path: '/elsewhere', ...places[where] }
  }

  test.each([
    ['X-Auth-Token', 'legacy-token'],
    ['X-Access-Token', 'Bearer legacy-token'],
    ['Cookie', 'a=b; token=legacy-token; c=d'],
    ['Authentication', 'Bearer legacy-token'],
    ['the query', 'x=1&access_token=legacy-token&y=2'],
    ['the query, encoded', '?token=legacy-token"'],
    ['the path', '/elsewhere/legacy-token/file'],
    ['a JSON body', JSON.stringify('{"token":"legacy-token"}')],
    ['a form', '"a=b&token=legacy-token"'],
  ])('is replaced by the legacy service’s own: in %s', async (where, own) => {
    const before = services.legacy.received.length
    expect((await services.gateway.call(at(where, SEALED))).status).toBe(200)
    const received = services.legacy.received.slice(before)
    expect(received).toHaveLength(1)
    expect(JSON.stringify(received)).toContain(own)
    expect(reached(received)).not.toContain(secretOf(SEALED))
    expect(JSON.stringify(services.gateway.log)).not.toContain(secretOf(SEALED))
  })

  test.each([
    ...['X-Auth-Token', 'X-Access-Token', 'Cookie', 'Authentication', 'the query', 'the query, encoded', 'the path'],
    ...['a JSON body', 'a form'],
  ])('is a 401 if it cannot be opened: in %s', async (where) => {
    const { gateway, legacy } = services
    const before = legacy.received.length
    expect((await gateway.call(at(where, FOREIGN))).status).toBe(401)
    expect(
      (
        await gateway.call({
          ...at(where, FOREIGN),
          headers: { ...at(where, FOREIGN).headers, authorization: `Bearer ${SEALED}` },
        })
      ).status,
    ).toBe(401)
    expect(legacy.received).toHaveLength(before)
    expect(JSON.stringify(gateway.log)).not.toContain(secretOf(FOREIGN))
  })

  test('is a 401 if it holds no token of the legacy service, or stands in base64', async () => {
    const { gateway, legacy } = services
    const before = legacy.received.length
    const half = await tokenSealer([KEY]).seal({ v1: 'v1-token' })
    for (const value of [half, base64(`x:${SEALED}`)]) {
      expect((await gateway.call({ path: '/elsewhere', headers: { 'x-auth-token': value } })).status).toBe(401)
    }
    expect(legacy.received).toHaveLength(before)
  })

  test('does not reach a service in Proxy-Authorization, which belongs to one connection', async () => {
    const { gateway, legacy } = services
    const before = legacy.received.length
    const headers = { 'proxy-authorization': `Bearer ${SEALED}` }
    expect((await gateway.call({ path: '/elsewhere', headers })).status).toBe(200)
    expect(reached(legacy.received.slice(before))).not.toContain(secretOf(SEALED))
  })
})

describe('a token in the query or the body of an operation', () => {
  test.each([
    ['v1 answers', { path: `/city/all?token=${SEALED}` }],
    ['v1 answers, in a parameter that v1 gets', { path: `/city/all?search=${SEALED}` }],
    ['v1 answers, in the body', { path: INVOICES, body: JSON.stringify({ search: SEALED }) }],
    ['legacy answers', { path: `/api/currency?access_token=${SEALED}` }],
    ['only legacy has', { path: '/api/transaction/charge/list', body: JSON.stringify({ token: SEALED }) }],
  ])('that %s is a 401, with the right header too', async (_, call) => {
    const { gateway, v1, legacy } = services
    const before = [v1.received.length, legacy.received.length]
    const reply = await gateway.call({ ...call, headers: { authorization: `Bearer ${SEALED}` } })
    expect(reply.status).toBe(401)
    expect([v1.received.length, legacy.received.length]).toEqual(before)
  })

  test.each([
    ['an operation that only legacy has', '/api/transaction/charge/list'],
    ['a path that no mapping knows', '/elsewhere'],
  ])('that is packed or in another charset is found too, in %s', async (_, path) => {
    const { gateway, legacy } = services
    const text = JSON.stringify({ token: SEALED })
    const call = (body: Uint8Array, headers: Record<string, string>) =>
      gateway.call({ method: 'POST', path, body, headers: { authorization: `Bearer ${SEALED}`, ...headers } })
    const before = legacy.received.length
    for (const [body, headers] of [
      [gzipSync(text), { 'content-encoding': 'gzip' }],
      [deflateSync(text), { 'content-encoding': 'deflate' }],
      [Buffer.from(text, 'utf16le'), { 'content-type': 'application/json; charset=utf-16le' }],
    ] as const) {
      expect((await call(body, headers)).status).toBe(401)
    }
    expect(legacy.received.length).toBe(before)
    const packed = gzipSync('{"page":1}')
    expect((await call(packed, { 'content-encoding': 'gzip' })).status).toBe(200)
    expect(legacy.received.length).toBe(before + 1)
  })

  test('reaches no recording, comparison, page or metric', async () => {
    const settings = { recordFile: '' }
    const folder = mkdtempSync(join(tmpdir(), 'sealed-record-'))
    closeAtEnd(() => rmSync(folder, { recursive: true }))
    settings.recordFile = join(folder, 'calls.ndjson')
    const { gateway, v1, legacy } = await startServices({ '*': { serve: 'v1', shadow: 1 } }, settings)
    const adminUrl = await gateway.openAdmin()
    const headers = {
      authorization: SEALED,
      'x-auth-token': SEALED,
      cookie: `t=${SEALED}`,
      tracestate: `a=${SEALED.slice(0, 200)}`,
    }
    for (const path of [`/city/all?access_token=${SEALED}`, `/city/all?search=${FOREIGN}`, '/city/all']) {
      await gateway.call({ path, headers: { ...headers, traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` } })
    }
    await gateway.call({ path: INVOICES, body: JSON.stringify({ search: SEALED }), headers })
    await gateway.call({ path: INVOICES, body: '{"page":1}', headers })
    await until(() => legacy.received.some(({ target }) => target === INVOICES))
    const pages = await Promise.all(
      ['/metrics', '/experiments', '/traffic', '/clients', '/side-by-side'].map(async (path) =>
        fetch(new URL(path, adminUrl)).then(
          (page) => page.text(),
          () => '',
        ),
      ),
    )
    expect(pages.every((page) => page.length > 100)).toBe(true)
    await gateway.close()
    const everything = [reached(v1.received), reached(legacy.received), readFileSync(settings.recordFile, 'utf8')]
    for (const text of [...everything, ...pages, JSON.stringify(gateway.log)]) {
      expect(text).not.toContain(secretOf(SEALED))
      expect(text).not.toContain(secretOf(FOREIGN))
    }
    expect(legacy.received.find(({ target }) => target === INVOICES)?.headers.authorization).toBe('Bearer legacy-token')
  })
})

test('a client whose token was sealed with an old key can log in, and read what needs no token', async () => {
  const { gateway, v1 } = services
  const headers = { authorization: `Bearer ${FOREIGN}` }
  const login = await gateway.call({ path: '/auth/application', headers, body: '{"clientId":"demo","secretKey":"s"}' })
  expect(login.status).toBe(200)
  expect((await gateway.call({ path: '/country/all', headers })).status).toBe(200)
  expect(reached(v1.received)).not.toContain(secretOf(FOREIGN))
})

test('without a legacy service and a key, a sealed token is a 401, and v1 does not see it', async () => {
  const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Page([{ id: 1 }], { perPage: 25 }))))
  const gateway = await startGateway(v1.url)
  for (const authorization of [SEALED, `Bearer ${SEALED}`]) {
    expect((await gateway.call({ path: INVOICES, body: '{}', headers: { authorization } })).status).toBe(401)
  }
  expect(v1.received).toEqual([])
})
