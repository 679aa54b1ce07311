import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { publishedV1 } from '../../../src/app/build-guides.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { type ScriptedCall, startScripted } from '../../support/scripted-v1.ts'
import { startGateway } from '../../support/start-gateway.ts'
import { v1Error, v1Page, v1Record } from '../../support/v1-bodies.ts'

const NO_V1 = 'http://127.0.0.1:9'
const list = { path: '/api/invoice/list', headers: { authorization: 'Bearer t' } }
const emptyPage = { body: v1Page([], { perPage: 25 }) }

let call: ScriptedCall
beforeAll(async () => {
  const sunset = new Date('2027-06-30T12:00:00Z')
  call = await startScripted({ settings: { maxBodyBytes: 10_000_000, sunset } })
})

describe('all headers of an answer together', () => {
  test.each([
    ['short', (index: number) => `f${index}`],
    ['long', (index: number) => `${index}`.padEnd(900, 'x')],
    ['Turkish', (index: number) => `ş${index}`.padEnd(200, 'ğ')],
  ])('stay under 8 KB when thousands of members with %s names are dropped', async (_, name) => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [name(index), 1])))
    const { reply } = await call({ ...list, body }, emptyPage)
    expect(reply.status).toBe(200)
    expect(reply.headerBytes).toBeLessThan(8_192)
    expect(reply.headers['x-gateway-dropped']).toMatch(/\+\d+$/)
  })

  test.each([
    ['code', v1Error(409, 'A'.repeat(10_000))],
    ['Retry-After', { ...v1Error(429, 'SLOW'), headers: { 'retry-after': '9'.repeat(10_000) } }],
  ])('stay under 8 KB whatever the length of the %s of v1', async (_, answer) => {
    const { reply } = await call({ ...list, body: '{}' }, answer)
    expect(reply.headerBytes).toBeLessThan(8_192)
    expect(reply.status).toBe(answer.status)
  })

  test.each(['www-authenticate', 'retry-after'])('stay under 8 KB whatever the %s of v1 says', async (name) => {
    const headers = { [name]: `Bearer realm="${'r'.repeat(10_000)}"` }
    const { reply } = await call({ ...list, body: '{}' }, { ...v1Error(401, 'NO'), headers })
    expect(reply.headerBytes).toBeLessThan(8_192)
    expect(reply.status).toBe(401)
  })
})

describe('the headers of every answer', () => {
  test.each([
    [200, { ...list, body: '{}' }],
    [400, { ...list, body: '[7]' }],
    [404, { path: '/nothing' }],
    [405, { path: '/api/invoice/list' }],
  ])('say that the interface is deprecated, and when it ends: %i', async (status, legacy) => {
    const { reply } = await call(legacy, emptyPage)
    expect(reply.status).toBe(status)
    expect(reply.headers.deprecation).toMatch(/^@\d+$/)
    expect(reply.headers.sunset).toBe('Wed, 30 Jun 2027 12:00:00 GMT')
    expect(reply.headers['x-request-id']).toMatch(/^call-\d+$/)
  })

  test('have an id of the call that v1 and the log have too', async () => {
    const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(emptyPage.body)))
    const gateway = await startGateway(v1.url)
    const reply = await gateway.call({ ...list, body: '{}' })
    expect(reply.headers['x-request-id']).toMatch(/^[\da-f]{32}$/)
    expect(v1.received[0]?.headers['x-request-id']).toBe(reply.headers['x-request-id'])
    expect(gateway.log[0]?.requestId).toBe(reply.headers['x-request-id'])
  })

  test('have a new id in place of one that is not a token', async () => {
    const gateway = await startGateway(NO_V1)
    for (const id of ['a b', 'x'.repeat(129), 'ş', 'a,b', '<x>']) {
      const sent = { 'x-request-id': Buffer.from(id).toString('latin1') }
      const { headers } = await gateway.call({ path: '/nothing', headers: sent })
      expect(headers['x-request-id'], id).toMatch(/^[\da-f]{32}$/)
    }
  })
})

describe('the Link to v1', () => {
  const linkOf = async (v1Url: string, path = '/api/invoice/list', settings = {}): Promise<unknown> => {
    const gateway = await startGateway(v1Url, { settings })
    return (await gateway.call({ path, body: '{' })).headers.link
  }
  const link = (url: string): string => `<${url}>; rel="successor-version"`

  test.each([
    ['https://api.example.com', 'https://api.example.com/api/v1/finance/invoices'],
    ['https://api.example.com/shipping/', 'https://api.example.com/shipping/api/v1/finance/invoices'],
    ['https://bücher.example/a b', 'https://xn--bcher-kva.example/a%20b/api/v1/finance/invoices'],
    ['http://localhost:8082', 'http://localhost:8082/api/v1/finance/invoices'],
    ['http://[::1]:8082', 'http://[::1]:8082/api/v1/finance/invoices'],
    ['https://203.0.113.7', 'https://203.0.113.7/api/v1/finance/invoices'],
  ])('is absolute, so that it leads to v1 and not to the gateway: %s', async (v1Url, expected) => {
    expect(await linkOf(v1Url)).toBe(link(expected))
  })

  test('is a URI even if the path has a part that the caller fills in', async () => {
    const path = '/api/single/point/import/complete'
    const url = 'https://api.example.com/api/v1/shipment/single-point-imports/%7Bid%7D/complete'
    expect(await linkOf('https://api.example.com', path)).toBe(link(url))
    expect(decodeURI(url)).toContain('/{id}/')
  })

  test('is left out when it would show clients an address within a network, and the log says what to set', async () => {
    const gateway = await startGateway('http://v1.internal.')
    const { headers } = await gateway.call({ path: '/api/invoice/list', body: '{' })
    expect(headers).not.toHaveProperty('link')
    expect(JSON.stringify(headers)).not.toContain('v1.internal')
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ level: 40, msg: expect.stringContaining('V1_PUBLIC_URL') }),
    )
  })

  test.each([
    ...['http://v1:8080', 'http://v1.shipping.svc:8080', 'http://v1.shipping.svc.cluster.local', 'http://v1.internal.'],
    ...['http://10.1.2.3', 'http://172.20.0.4:8080', 'http://192.168.1.9', 'http://169.254.1.1', 'http://100.64.0.9'],
    ...['http://[fd00::7]:8080', 'http://[fe80::1]', 'http://[::ffff:10.0.0.1]'],
  ])('never shows clients an address within a network: %s', (v1Url) => {
    expect(publishedV1(undefined, new URL(v1Url), pino({ level: 'silent' }))).toBeUndefined()
  })

  test('names the address where clients find v1, if that differs from the one that the gateway uses', async () => {
    const settings = { v1PublicUrl: new URL('https://api.example.com/shipping') }
    const expected = link('https://api.example.com/shipping/api/v1/finance/invoices')
    expect(await linkOf('http://v1.internal:8080/x', '/api/invoice/list', settings)).toBe(expected)
    expect(await linkOf('https://other.example.com', '/api/invoice/list', settings)).toBe(expected)
  })

  test('is left out when v1 has no equivalent, or the path is unknown', async () => {
    for (const path of ['/api/transaction/charge/list', '/nothing'])
      expect(await linkOf('http://v1.test', path)).toBeUndefined()
  })
})

describe('Vary', () => {
  const languages = ['tr', 'en']

  test.each([
    [400, { ...list, body: '{' }],
    [404, { path: '/nothing', method: 'GET' }],
    [405, { path: '/api/invoice/list', method: 'GET' }],
    [501, { path: '/api/transaction/charge/list', body: '{}' }],
    [401, { path: '/api/consignment/document', body: '{}' }],
  ])('names Accept-Language for an answer whose text is in the client’s language: %i', async (status, legacy) => {
    const outcomes = await Promise.all(
      languages.map((language) =>
        call({ ...legacy, headers: { authorization: 'Bearer t', 'accept-language': language } }, v1Error(401, 'NO')),
      ),
    )
    const replies = outcomes.map(({ reply }) => reply)
    expect(replies.map((reply) => reply.status)).toEqual([status, status])
    expect(replies.map(({ headers }) => headers.vary)).toEqual(['Accept-Language', 'Accept-Language'])
    expect(new Set(replies.map(({ text }) => text)).size).toBe(2)
  })

  test.each([
    ['a failure', 500, {}, 500],
    ['names that v1 translates', 201, v1Record({ id: 1 }), 200],
  ])('names it for %s', async (_, v1Status, body, status) => {
    const { reply } = await call({ path: '/api/consignment/document', body: '{}' }, { status: v1Status, body })
    expect(reply).toMatchObject({ status, headers: { vary: 'Accept-Language' } })
  })

  test('is sent once, and names everything that a whole list depends on', async () => {
    const { reply } = await call({ path: '/country/all' }, { body: v1Page([]) })
    expect(reply.headers.vary).toBe('Accept-Language, Authorization, Accept-Encoding')
  })

  test.each(['Origin', 'Accept-Language, Cookie', undefined])(
    'is the legacy service’s own where its answer is passed on: %s',
    async (vary) => {
      const legacy = await startHttpServer((_, response) => {
        response.writeHead(200, vary === undefined ? {} : { vary }).end('{"data":[]}')
      })
      const gateway = await startGateway(NO_V1, { legacyUrl: legacy.url })
      const { headers } = await gateway.call({ path: '/api/transaction/charge/list', body: '{}' })
      expect(headers.vary).toBe(vary)
    },
  )
})
