import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readAddressRanges } from '../../../src/app/variable-schemas.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'
import { sendBytes } from '../../support/legacy-client.ts'
import { type StartedGateway, startGateway, until } from '../../support/start-gateway.ts'
import { v1Page, v1Record } from '../../support/v1-bodies.ts'

const CALLS = [
  ['a login', 'POST /auth/application', '{"clientId":"a","secretKey":"b"}'],
  ['what v1 has no equivalent of', 'POST /api/transaction/charge/list', '{}'],
  ['an unknown path', 'GET /elsewhere', ''],
] as const

let v1: HttpServer
let legacy: HttpServer
beforeAll(async () => {
  v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Record({ token: 't' }))))
  legacy = await startHttpServer((_, response) => response.end('{"token":"t"}'))
})

const gateways = new Map<string, Promise<StartedGateway>>()
/** The gateway that trusts these proxies; '': none are configured. */
function gatewayThatTrusts(ranges: string): Promise<StartedGateway> {
  const trustedProxies = ranges === '' ? undefined : readAddressRanges(ranges, expect.unreachable)
  const gateway = gateways.get(ranges) ?? startGateway(v1.url, { legacyUrl: legacy.url, settings: { trustedProxies } })
  gateways.set(ranges, gateway)
  return gateway
}

/** The X-Forwarded-… headers that the services get, as name and value. */
async function forwarded(
  route: string,
  headers: readonly string[],
  body: string,
  { version = '1.1', trusted = '' }: { readonly version?: string; readonly trusted?: string } = {},
) {
  const gateway = await gatewayThatTrusts(trusted)
  const before = { v1: v1.received.length, legacy: legacy.received.length }
  const head = [`${route} HTTP/${version}`, ...headers, 'Connection: close', `Content-Length: ${body.length}`]
  expect(await sendBytes(gateway.url, `${head.join('\r\n')}\r\n\r\n${body}`)).toMatch(/^HTTP\/1\.1 200 /)
  const of = ({ received }: HttpServer, at: number): Record<string, unknown> => {
    const all = Object.entries(received[at]?.headers ?? {})
    return Object.fromEntries(all.filter(([header]) => header.startsWith('x-forwarded-')))
  }
  return { v1: of(v1, before.v1), legacy: of(legacy, before.legacy) }
}

describe.each(CALLS)('for %s', (_, route, body) => {
  test('the legacy service gets the address, the scheme and the host of the client’s connection', async () => {
    expect((await forwarded(route, ['Host: api.example.com:8080'], body)).legacy).toEqual({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'api.example.com:8080',
    })
  })

  test('the legacy service gets scheme and host as a proxy in front set them, and nothing is added', async () => {
    const sent = ['X-Forwarded-For: 192.0.2.1', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: public.example.com']
    expect((await forwarded(route, ['Host: inner:8080', ...sent], body)).legacy).toEqual({
      'x-forwarded-for': '192.0.2.1, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'public.example.com',
    })
  })

  test('a header that a proxy omits or leaves empty is filled in from the call', async () => {
    const sent = ['X-Forwarded-Proto: https', 'X-Forwarded-Host:']
    expect((await forwarded(route, ['Host: inner:8080', ...sent], body)).legacy).toMatchObject({
      ...{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'inner:8080' },
    })
  })
})

test.each([
  ['accepted from a trusted proxy', '127.0.0.1', ['https', 'public.example.com']],
  ['not accepted from others once proxies are configured', '192.0.2.0/24', ['http', 'inner']],
])('scheme and host are %s', async (_, trusted, [proto, host]) => {
  const sent = ['Host: inner', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: public.example.com']
  expect((await forwarded('GET /elsewhere', sent, '', { trusted })).legacy).toMatchObject({
    'x-forwarded-proto': proto,
    'x-forwarded-host': host,
  })
})

test('once proxies are configured, only what they say about a client counts', async () => {
  const sent = [
    'Forwarded: for=192.0.2.1',
    'X-Real-IP: 192.0.2.1',
    'X-Forwarded-For: 192.0.2.1',
    'X-Forwarded-Port: 443',
  ]
  for (const [trusted, isTold] of [
    ['192.0.2.0/24', false],
    ['127.0.0.1', true],
  ] as const) {
    const gateway = await gatewayThatTrusts(trusted)
    await sendBytes(
      gateway.url,
      `${['GET /elsewhere HTTP/1.1', 'Host: a', ...sent, 'Connection: close'].join('\r\n')}\r\n\r\n`,
    )
    const headers = legacy.received.at(-1)?.headers ?? {}
    expect(JSON.stringify(headers).includes('192.0.2.1')).toBe(isTold)
    expect('x-forwarded-port' in headers).toBe(isTold)
    expect(headers['x-forwarded-for']).toBe(isTold ? '192.0.2.1, 127.0.0.1' : '127.0.0.1')
  }
})

test('v1 gets the address only', async () => {
  const sent = ['Host: inner', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: public.example.com']
  const [[, route, body]] = CALLS
  expect((await forwarded(route, sent, body)).v1).toEqual({ 'x-forwarded-for': '127.0.0.1' })
})

test('the legacy service gets no host of a client that names none, as HTTP/1.0 allows', async () => {
  expect((await forwarded('GET /elsewhere', [], '', { version: '1.0' })).legacy).toEqual({
    ...{ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' },
  })
})

describe('what is no address', () => {
  test.each([
    ['unknown', '127.0.0.1'],
    ['UNKNOWN', '127.0.0.1'],
    ['_hidden', '127.0.0.1'],
    ['_SEVKIFP', '127.0.0.1'],
    ['null', '127.0.0.1'],
    ['(null)', '127.0.0.1'],
    ['proxy.local', '127.0.0.1'],
    ['1.2.3', '127.0.0.1'],
    ['1.2.3.256', '127.0.0.1'],
    ['1.2.3.4:99999999', '127.0.0.1'],
    [', ,', '127.0.0.1'],
    ['192.0.2.1, unknown', '127.0.0.1'],
    ['unknown, 192.0.2.1', '192.0.2.1, 127.0.0.1'],
    ['192.0.2.9, _hidden, 192.0.2.1', '192.0.2.1, 127.0.0.1'],
    [',192.0.2.1,, 192.0.2.2,', '192.0.2.1, 192.0.2.2, 127.0.0.1'],
    ['192.0.2.1:5678', '192.0.2.1, 127.0.0.1'],
    ['[2001:db8::1]:80', '2001:db8::1, 127.0.0.1'],
    ['[2001:db8::1]', '2001:db8::1, 127.0.0.1'],
    ['fe80::1%eth0', 'fe80::1, 127.0.0.1'],
    ['[fe80::1%eth0]:80', 'fe80::1, 127.0.0.1'],
    ['::ffff:192.0.2.1', '192.0.2.1, 127.0.0.1'],
    ['2001:DB8:0:0::1', '2001:db8::1, 127.0.0.1'],
  ])('in X-Forwarded-For reaches no service: %j', async (sent, chain) => {
    const { v1, legacy } = await forwarded(CALLS[0][1], ['Host: a', `X-Forwarded-For: ${sent}`], CALLS[0][2])
    expect([v1['x-forwarded-for'], legacy['x-forwarded-for']]).toEqual([chain, chain])
  })

  test('in one of two such headers ends the chain there', async () => {
    const sent = ['Host: a', 'X-Forwarded-For: 192.0.2.1, unknown', 'X-Forwarded-For: 192.0.2.2']
    const { v1 } = await forwarded(CALLS[0][1], sent, CALLS[0][2])
    expect(v1['x-forwarded-for']).toBe('192.0.2.2, 127.0.0.1')
  })

  test.each([
    ['for=192.0.2.1', '192.0.2.1, 127.0.0.1'],
    ['for="[2001:db8::1]:4711";proto=https, for=192.0.2.2;by=203.0.113.43', '2001:db8::1, 192.0.2.2, 127.0.0.1'],
    ['for=192.0.2.1, for=unknown', '127.0.0.1'],
    ['for=_hidden, for="192.0.2.1:_port"', '192.0.2.1, 127.0.0.1'],
    ['proto=https', '127.0.0.1'],
  ])(
    'in Forwarded reaches no service, and its addresses do, where no X-Forwarded-For was sent: %j',
    async (sent, chain) => {
      const { v1, legacy } = await forwarded(CALLS[0][1], ['Host: a', `Forwarded: ${sent}`], CALLS[0][2])
      expect([v1['x-forwarded-for'], legacy['x-forwarded-for']]).toEqual([chain, chain])
    },
  )
})

describe('a compared call', () => {
  test.each([
    ['v1', 'legacy'],
    ['legacy', 'v1'],
  ])('tells %s the address of its client, as %s was told', async (compared, serve) => {
    const page = JSON.stringify(v1Page([{ id: 1 }], { perPage: 25 }))
    const v1 = await startHttpServer((_, response) => response.end(page))
    const legacy = await startHttpServer((_, response) => response.end('[]'))
    const folder = mkdtempSync(join(tmpdir(), 'forwarded-'))
    closeAtEnd(() => rmSync(folder, { recursive: true }))
    const rolloutFile = join(folder, 'rollout.json')
    writeFileSync(rolloutFile, JSON.stringify({ operations: { 'country-list': { serve, shadow: 1 } } }))
    const gateway = await startGateway(v1.url, { legacyUrl: legacy.url, settings: { rolloutFile } })
    await gateway.call({ path: '/country/all', headers: { 'x-forwarded-for': '192.0.2.1, unknown, 192.0.2.2' } })
    const received = (compared === 'v1' ? v1 : legacy).received
    await until(() => received.length > 0)
    expect(received.map(({ headers }) => headers['x-forwarded-for'])).toEqual(
      received.map(() => '192.0.2.2, 127.0.0.1'),
    )
  })
})
