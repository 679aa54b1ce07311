import { describe, expect, test } from 'vitest'
import { readAddressRanges } from '../../src/app/config/address-ranges.ts'
import { startHttpServer } from '../support/http-server.ts'
import { sendBytes } from '../support/legacy-client.ts'
import { startGateway } from '../support/start-gateway.ts'
import { v1Record } from '../support/v1-bodies.ts'

const CALLS = [
  ['a login', 'POST /auth/application', '{"clientId":"a","secretKey":"b"}'],
  ['what v1 has no equivalent of', 'POST /api/transaction/charge/list', '{}'],
  ['an unknown path', 'GET /elsewhere', ''],
] as const

/** The X-Forwarded-… headers that the services get, as name and value. */
async function forwarded(
  route: string,
  headers: readonly string[],
  body: string,
  { version = '1.1', trusted }: { readonly version?: string; readonly trusted?: string } = {},
) {
  const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Record({ token: 't' }))))
  const legacy = await startHttpServer((_, response) => response.end('{"token":"t"}'))
  const gateway = await startGateway(v1.url, {
    legacyUrl: legacy.url,
    settings: { trustedProxies: trusted === undefined ? undefined : readAddressRanges(trusted, expect.unreachable) },
  })
  const head = [`${route} HTTP/${version}`, ...headers, 'Connection: close', `Content-Length: ${body.length}`]
  expect(await sendBytes(gateway.url, `${head.join('\r\n')}\r\n\r\n${body}`)).toMatch(/^HTTP\/1\.1 200 /)
  const of = (name: string): Record<string, unknown> => {
    const { received } = name === 'v1' ? v1 : legacy
    const all = Object.entries(received[0]?.headers ?? {})
    return Object.fromEntries(all.filter(([header]) => header.startsWith('x-forwarded-')))
  }
  return { v1: of('v1'), legacy: of('legacy') }
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
  const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Record({ token: 't' }))))
  const legacy = await startHttpServer((_, response) => response.end('{}'))
  const ranges = (text: string) => ({ trustedProxies: readAddressRanges(text, expect.unreachable) })
  for (const [trusted, isTold] of [
    ['192.0.2.0/24', false],
    ['127.0.0.1', true],
  ] as const) {
    const gateway = await startGateway(v1.url, { legacyUrl: legacy.url, settings: ranges(trusted) })
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
