import { describe, expect, test } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { type HttpMessage, headerOf } from '../../support/http-message.ts'
import { probe, ROUTES } from '../../support/probe-gateway.ts'

const request = (route: string, ...headers: readonly string[]): string =>
  [`${route} HTTP/1.1`, 'Host: gateway', ...headers, 'Content-Length: 2', '', '{}'].join('\r\n')

const namesOf = ({ headers }: HttpMessage): readonly string[] => headers.map(([name]) => name).sort()
const valuesOf = ({ headers }: HttpMessage, name: string): readonly string[] =>
  headers.flatMap(([one, value]) => (one === name ? [value] : []))

/** Headers that clients, browsers and proxies send, and others that could mean something to a server behind. */
const EVERYTHING = [
  ...['Authorization: Bearer t', 'Accept-Language: en', 'X-Request-Id: r-1', 'X-Forwarded-For: 192.0.2.1'],
  `traceparent: 00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  ...['Cookie: a=1', 'If-None-Match: "x"', 'If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT', 'If-Match: *'],
  ...['Range: bytes=0-1', 'Content-Type: text/plain', 'Accept: text/html', 'Accept-Encoding: gzip', 'User-Agent: u'],
  ...['Origin: http://o', 'Referer: http://r', 'Via: 1.1 v', 'Forwarded: for=192.0.2.1', 'X-Forwarded-Host: h'],
  ...['X-Forwarded-Proto: https', 'X-Real-IP: 192.0.2.1', 'X-HTTP-Method-Override: DELETE', 'X-Original-URL: /admin'],
  ...['X-Rewrite-URL: /admin', 'tracestate: a=1', 'baggage: a=1', 'Prefer: wait=1', 'X-Sandbox-Fault: {}', 'Date: now'],
  ...['Content-Language: tr', 'Content-Location: /x', 'Early-Data: 1', 'Max-Forwards: 0', 'Pragma: no-cache'],
]
const HOP_BY_HOP = [
  ...['TE: trailers', 'Trailer: X', 'Keep-Alive: timeout=9', 'Proxy-Connection: close', 'Proxy-Authorization: Basic x'],
  ...['Upgrade: h2c', 'HTTP2-Settings: x', 'Proxy-Authenticate: Basic', 'Connection: Upgrade, HTTP2-Settings, X-Named'],
  'X-Named: y',
]

describe.each(operations.filter(({ v1 }) => v1 !== undefined).map(({ id, legacy, v1 }) => ({ id, legacy, v1 })))(
  '$id',
  ({ id, legacy: { method, path }, v1: route }) => {
    test('reaches v1 with the headers that v1 knows and no others', async () => {
      // The id is for the operation that needs one. Nothing else reads the body.
      const body = '{"id":7}'
      const head = [`${method} ${path} HTTP/1.1`, 'Host: gateway', ...EVERYTHING, ...HOP_BY_HOP]
      const { v1 } = await probe([...head, `Content-Length: ${body.length}`, '', body].join('\r\n'), 1, {
        hasLegacy: false,
      })
      const [asked, ...more] = v1.requests
      expect(more).toEqual([])
      if (asked === undefined) throw new Error('v1 was not asked')
      const isWithoutToken = operations.find((one) => one.id === id)?.authorization === 'none'
      const expected = [
        ...['accept', 'accept-encoding', 'accept-language', 'connection', 'host', 'traceparent', 'tracestate'],
        ...['user-agent', 'x-forwarded-for', 'x-request-id'],
        ...(isWithoutToken ? [] : ['authorization']),
        ...(route?.method === 'POST' ? ['content-length', 'content-type'] : []),
      ]
      expect(namesOf(asked)).toEqual(expected.sort())
      expect(headerOf(asked, 'connection')).toBe('keep-alive')
      expect(headerOf(asked, 'host')).toBe(new URL(v1.url).host)
      expect(headerOf(asked, 'content-type') ?? 'application/json').toBe('application/json')
      expect(headerOf(asked, 'x-forwarded-for')).toBe('192.0.2.1, 127.0.0.1')
      // The gateway sets these itself, whatever the client sent.
      expect(headerOf(asked, 'accept')).toBe('application/json')
      expect(headerOf(asked, 'accept-encoding')).toBe('identity')
      expect(headerOf(asked, 'user-agent')).toMatch(/^legacy-gateway\/\d+\.\d+\.\d+$/)
    })
  },
)

describe.each(ROUTES.slice(1))('to %s, which is passed on', (route) => {
  test('every header except those of the connection arrives', async () => {
    const { legacy } = await probe(request(route, ...EVERYTHING, ...HOP_BY_HOP))
    const [arrived] = legacy.requests
    if (arrived === undefined) throw new Error('it did not arrive')
    const sent = EVERYTHING.map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
    expect(namesOf(arrived)).toEqual([...sent, 'connection', 'content-length', 'host'].sort())
    expect(headerOf(arrived, 'connection')).toBe('keep-alive')
  })

  test('trailers do not arrive', async () => {
    const head = [`${route} HTTP/1.1`, 'Host: gateway', 'Transfer-Encoding: chunked', 'Trailer: X-Trailer', '', '']
    const { legacy } = await probe(`${head.join('\r\n')}2\r\n{}\r\n0\r\nX-Trailer: y\r\nAuthorization: z\r\n\r\n`)
    expect(legacy.requests).toHaveLength(1)
    expect(legacy.requests.flatMap(namesOf)).not.toContain('x-trailer')
    expect(legacy.requests.flatMap(namesOf)).not.toContain('authorization')
  })
})

describe.each(ROUTES)('to %s', (route) => {
  const arrivals = async (...headers: readonly string[]): Promise<readonly HttpMessage[]> => {
    const { v1, legacy, statuses } = await probe(request(route, ...headers))
    expect(statuses).toEqual([200])
    return [...v1.requests, ...legacy.requests]
  }

  test('no Connection header drops a header that the gateway itself sets', async () => {
    const named =
      'close, Authorization, X-Request-Id, X-Forwarded-For, Host, Content-Length, Content-Type, Accept-Language'
    const own = ['Authorization: Bearer t', 'X-Request-Id: r-1', 'X-Forwarded-For: 192.0.2.1']
    const [arrived, ...more] = await arrivals(...own, `Connection: ${named}`)
    if (arrived === undefined) throw new Error('it did not arrive')
    expect(more).toEqual([])
    expect(headerOf(arrived, 'authorization')).toBe('Bearer t')
    expect(headerOf(arrived, 'x-request-id')).toBe('r-1')
    expect(headerOf(arrived, 'x-forwarded-for')).toBe('192.0.2.1, 127.0.0.1')
    expect(headerOf(arrived, 'connection')).toBe('keep-alive')
    if (route !== ROUTES[0]) expect([headerOf(arrived, 'content-length'), arrived.body]).toEqual(['2', '{}'])
  })

  test.each([
    ['of junk', ['X-Forwarded-For: "; drop', 'X-Forwarded-For: unknown, _x'], '127.0.0.1'],
    ['of bytes', ['X-Forwarded-For: \xfe\xff'], '127.0.0.1'],
    ['that is empty', ['X-Forwarded-For:'], '127.0.0.1'],
    ['that no proxies made', [`X-Forwarded-For: ${'192.0.2.1, '.repeat(200)}x`], '127.0.0.1'],
  ])('of a chain of addresses %s, only that of the caller is passed on', async (_, headers, expected) => {
    const arrived = await arrivals(...headers)
    expect(arrived.flatMap((one) => valuesOf(one, 'x-forwarded-for'))).toEqual([expected])
  })

  test('of two tokens only the first arrives', async () => {
    const arrived = await arrivals('Authorization: Bearer one', 'Authorization: Bearer two')
    expect(arrived.flatMap((one) => valuesOf(one, 'authorization'))).toEqual(['Bearer one'])
  })

  test('a client that asks whether to send its body gets a 100 Continue, and is answered', async () => {
    const head = request(route, 'Expect: 100-continue').slice(0, -2)
    const { statuses, v1, legacy } = await probe([head, '{}'], 2)
    expect(statuses).toEqual([100, 200])
    const arrived = [...v1.requests, ...legacy.requests]
    expect(arrived.flatMap((one) => valuesOf(one, 'expect'))).toEqual([])
    expect(arrived).toHaveLength(1)
  })

  test('a client that expects anything else gets a 417, and nothing arrives', async () => {
    const { statuses, v1, legacy } = await probe(request(route, 'Expect: 200-ok'))
    expect(statuses).toEqual([417])
    expect([...v1.requests, ...legacy.requests]).toEqual([])
  })

  // The client asks in order not to send it in vain: the announced length is refused (docs/security-annex.md).
  test('a client that asks whether to send too large a body gets a 413, and nothing else', async () => {
    const head = [`${route} HTTP/1.1`, 'Host: gateway', 'Expect: 100-continue', 'Content-Length: 9000', '', '']
    const { statuses, v1, legacy } = await probe(head.join('\r\n'), 2, { settings: { maxBodyBytes: 100 } })
    expect([...v1.requests, ...legacy.requests]).toEqual([])
    expect(statuses).toEqual([413])
  })
})
