import { describe, expect, test } from 'vitest'
import { expectArrival, expectNothing, expectRefusal } from '../../support/expect-probed.ts'
import { failing } from '../../support/failing-inputs.ts'
import { headerOf } from '../../support/http-message.ts'
import { probe, ROUTES } from '../../support/probe-gateway.ts'

/** A request with this exact request line and the body `{}`. */
const request = (line: string, ...headers: readonly string[]): string =>
  [line, ...headers, 'Content-Length: 2', '', '{}'].join('\r\n')
const HOST = 'Host: gateway'

/** A route with a prefix or suffix on its path. */
const at = (route: string, before: string, behind = ''): string => `${route.replace(' ', ` ${before}`)}${behind}`

/** Requests that can be read in two ways, or not at all: their request lines and headers. */
const refused = (route: string): Readonly<Record<string, readonly [line: string, ...headers: readonly string[]]>> => {
  const to = (target: string): readonly [string, string] => [`${target} HTTP/1.1`, HOST]
  const version = (written: string): readonly [string, string] => [`${route} ${written}`, HOST]
  const host = (...written: readonly string[]): readonly [string, ...string[]] => [`${route} HTTP/1.1`, ...written]
  return {
    'an absolute target with another scheme': to(at(route, 'ftp://other.test')),
    'an absolute target with an invalid port': to(at(route, 'http://other.test:99999')),
    'an absolute target with a backslash': to(at(route, 'http://other.test\\@gateway')),
    'an absolute target with a space': to(at(route, 'http://other .test')),
    // RFC 9110 section 4.2.1: a recipient must reject it.
    'an absolute target with an empty host': to(at(route, 'http://')),
    'a target with a space': to(at(route, '', ' x')),
    'a target with a tab': to(at(route, '', '\tx')),
    'a target with a NUL': to(at(route, '', '\0')),
    'a target with bytes that are not ASCII': to(at(route, '', '\xc5\x9f')),
    'a target with a backslash': to(at(route, '', '\\x')),
    // RFC 9112 section 3.2: no request target has a fragment. A server behind may cut it off and see a different path.
    'a target with a fragment': to(at(route, '', '#x')),
    'a backslash in place of its slash': to(route.replace('/', '\\')),
    'no slash before its path': to(route.replace('/', '')),
    'a method in lower case': to(route.toLowerCase()),
    'a method with a NUL': to(route.replace('POST', 'P\0ST')),
    'a space before the method': to(` ${route}`),
    'version 1.2': version('HTTP/1.2'),
    'version 3.0': version('HTTP/3.0'),
    'a version without a point': version('HTTP/11'),
    'a version in lower case': version('http/1.1'),
    'the version of HTTPS': version('HTTPS/1.1'),
    'something behind its version': version('HTTP/1.1 x'),
    'no Host': host(),
    'two names in its Host': host('Host: a, b'),
    'a path in its Host': host('Host: a/../b'),
    'a user in its Host': host('Host: user@a'),
    'an invalid port in its Host': host('Host: a:99999'),
    'bytes that are not ASCII in its Host': host('Host: \xc3\xa7.test'),
    'a NUL in its Host': host('Host: a\0b'),
    // RFC 9112 section 3.2: a server must answer such a request with 400.
    'two Hosts': host(HOST, 'Host: other'),
  }
}

/** Requests that mean the same as a plain one. */
const plain = (route: string): Readonly<Record<string, string>> => {
  const absolute = (origin: string) => request(`${at(route, origin)} HTTP/1.1`, HOST)
  const host = (name: string) => request(`${route} HTTP/1.1`, `Host: ${name}`)
  return {
    'an absolute target with another host': absolute('http://other.test'),
    'an absolute target with another host and port': absolute('https://other.test:99'),
    'an absolute target with a user and a password': absolute('http://user:secret@other.test'),
    'an absolute target with an address in brackets': absolute('http://[::1]:80'),
    'version 1.0': request(`${route} HTTP/1.0`, HOST),
    'version 2.0': request(`${route} HTTP/2.0`, HOST),
    // RFC 9112 section 3.2: only HTTP/1.1 requires a Host, and nothing here depends on it.
    'version 1.0 without a Host': request(`${route} HTTP/1.0`),
    'a Host in capitals with a port': host('LEGACY.Test:8080'),
    'a Host that is an address in brackets': host('[::1]:80'),
    'a Host that is a hexadecimal address': host('0x7f.1'),
    'a Host with an underscore': host('legacy_gateway'),
    'a Host with a point at its end': host('legacy.test.'),
    'a Host with port 0': host('localhost:0'),
  }
}

describe.each(ROUTES)('to %s', (route) => {
  test('each request whose target, version or host is odd is refused, and nothing of it arrives', async () => {
    const inputs = Object.entries(refused(route)).map(([name, [line, ...headers]]) => ({ name, line, headers }))
    const check = async ({ line, headers }: (typeof inputs)[number]) =>
      expectRefusal(await probe(request(line, ...headers)))
    expect(await failing(inputs, check)).toEqual([])
  })

  test('each request that is only unusual arrives as a plain one, with the service’s own host', async () => {
    const inputs = Object.entries(plain(route)).map(([name, written]) => ({ name, written }))
    expect(await failing(inputs, async ({ written }) => expectArrival(route, await probe(written)))).toEqual([])
  })

  test('HTTP/1.0 on a kept connection is answered, and so is the next request', async () => {
    const one = request(`${route} HTTP/1.0`, HOST, 'Connection: keep-alive')
    const { statuses, answers } = await probe([one, one], 2)
    expect(statuses).toEqual([200, 200])
    expect(answers.map((answer) => headerOf(answer, 'connection'))).toEqual(['keep-alive', 'keep-alive'])
  })

  test('HTTP/0.9 is not answered, and does not arrive', async () => {
    const probed = await probe(`${route}\r\n`, 0)
    expect(probed.answers).toEqual([])
    expectNothing(probed)
  })

  test('more than 16 KB of headers, or of a target, are 431', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `X-${index}: y`)
    const lines = [
      [`${route} HTTP/1.1`, HOST, `X: ${'y'.repeat(17_000)}`],
      [`${route} HTTP/1.1`, HOST, ...many],
    ]
    for (const [line = '', ...headers] of [...lines, [`${route}?${'q'.repeat(17_000)} HTTP/1.1`, HOST]]) {
      const probed = await probe(request(line, ...headers))
      expect(probed.statuses).toEqual([431])
      expectNothing(probed)
    }
  })

  test('a target just under the limit is served, and passed on whole', async () => {
    const query = 'q'.repeat(15_000)
    const probed = await probe(request(`${route}?${query} HTTP/1.1`, HOST))
    // The query of a legacy POST is not v1's.
    expectArrival(route === ROUTES[0] ? route : `${route}?${query}`, probed)
  })
})

test.each([
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['the start of TLS', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${'x'.repeat(60)}`],
  ['the PROXY protocol', `PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n${request(`${ROUTES[0]} HTTP/1.1`, HOST)}`],
  ['the authority form', request('POST other.test:443 HTTP/1.1', HOST)],
  ['the asterisk form', request('OPTIONS * HTTP/1.1', HOST)],
  ['the asterisk form of a POST', request('POST * HTTP/1.1', HOST)],
  ['an absolute target without a path', request('POST http://other.test HTTP/1.1', HOST)],
  ['an absolute target with only a query', request('POST http://other.test?/api/invoice/list HTTP/1.1', HOST)],
])('%s is refused', async (_, written) => expectRefusal(await probe(written)))

test('CONNECT is hung up on', async () => {
  const probed = await probe('CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n')
  expect(probed.statuses).toEqual([])
  expectNothing(probed)
})
