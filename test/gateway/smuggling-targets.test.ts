import { describe, expect, test } from 'vitest'
import { expectArrival, expectNothing, expectRefusal } from '../support/expect-probed.ts'
import { headerOf } from '../support/http-message.ts'
import { probe, ROUTES } from '../support/probe-gateway.ts'

/** A request with this exact request line and the body `{}`. */
const request = (line: string, ...headers: readonly string[]): string =>
  [line, ...headers, 'Content-Length: 2', '', '{}'].join('\r\n')
const HOST = 'Host: gateway'

/** A route with a prefix or suffix on its path. */
const at = (route: string, before: string, behind = ''): string => `${route.replace(' ', ` ${before}`)}${behind}`

describe.concurrent.each(ROUTES)('to %s', (route) => {
  test.each([
    ['another host', 'http://other.test'],
    ['another host and port', 'https://other.test:99'],
    ['a user and a password', 'http://user:secret@other.test'],
    ['an address in brackets', 'http://[::1]:80'],
  ])('an absolute target with %s arrives as a relative one', async (_, origin) =>
    expectArrival(route, await probe(request(`${at(route, origin)} HTTP/1.1`, HOST))),
  )

  test.each([
    ['another scheme', 'ftp://other.test'],
    ['an invalid port', 'http://other.test:99999'],
    ['a backslash', 'http://other.test\\@gateway'],
    ['a space', 'http://other .test'],
  ])('an absolute target with %s is refused', async (_, origin) =>
    expectRefusal(await probe(request(`${at(route, origin)} HTTP/1.1`, HOST))),
  )

  // RFC 9110 section 4.2.1: a recipient must reject it.
  test('an absolute target with an empty host is refused', async () =>
    expectRefusal(await probe(request(`${at(route, 'http://')} HTTP/1.1`, HOST))))

  test.each([
    ['a space', at(route, '', ' x')],
    ['a tab', at(route, '', '\tx')],
    ['a NUL', at(route, '', '\0')],
    ['bytes that are not ASCII', at(route, '', '\xc5\x9f')],
    ['a backslash', at(route, '', '\\x')],
    ['a backslash in place of its slash', route.replace('/', '\\')],
    ['no slash before it', route.replace('/', '')],
    ['a method in lower case', route.toLowerCase()],
    ['a method with a NUL', route.replace('POST', 'P\0ST')],
    ['a space before the method', ` ${route}`],
  ])('a request line with %s is refused', async (_, written) =>
    expectRefusal(await probe(request(`${written} HTTP/1.1`, HOST))),
  )

  // RFC 9112 section 3.2: no request target has a fragment. A server behind may cut it off and see a different path.
  test('a target with a fragment is refused', async () =>
    expectRefusal(await probe(request(`${at(route, '', '#x')} HTTP/1.1`, HOST))))

  test.each(['HTTP/1.2', 'HTTP/3.0', 'HTTP/11', 'http/1.1', 'HTTPS/1.1', 'HTTP/1.1 x'])(
    'the version %s is refused',
    async (version) => expectRefusal(await probe(request(`${route} ${version}`, HOST))),
  )

  test.each(['HTTP/1.0', 'HTTP/2.0'])('the version %s is answered', async (version) =>
    expectArrival(route, await probe(request(`${route} ${version}`, HOST))),
  )

  test('HTTP/1.0 on a kept connection is answered, and so is the next request', async () => {
    const one = request(`${route} HTTP/1.0`, HOST, 'Connection: keep-alive')
    const { statuses, answers } = await probe([one, one], 2)
    expect(statuses).toEqual([200, 200])
    expect(answers.map((answer) => headerOf(answer, 'connection'))).toEqual(['keep-alive', 'keep-alive'])
  })

  // RFC 9112 section 3.2: only HTTP/1.1 requires a Host, and nothing here depends on it.
  test('HTTP/1.0 without a Host is answered', async () =>
    expectArrival(route, await probe(request(`${route} HTTP/1.0`))))

  test('HTTP/0.9 is not answered, and does not arrive', async () => {
    const probed = await probe(`${route}\r\n`, 0)
    expect(probed.answers).toEqual([])
    expectNothing(probed)
  })

  test.each([
    ['missing', []],
    ['two names', ['Host: a, b']],
    ['a path', ['Host: a/../b']],
    ['a user', ['Host: user@a']],
    ['an invalid port', ['Host: a:99999']],
    ['bytes that are not ASCII', ['Host: \xc3\xa7.test']],
    ['a NUL', ['Host: a\0b']],
  ])('a request whose Host is odd is refused: %s', async (_, host) =>
    expectRefusal(await probe(request(`${route} HTTP/1.1`, ...host))),
  )

  // RFC 9112 section 3.2: a server must answer such a request with 400.
  test('a request with two Hosts is refused', async () =>
    expectRefusal(await probe(request(`${route} HTTP/1.1`, HOST, 'Host: other'))))

  test.each(['LEGACY.Test:8080', '[::1]:80', '0x7f.1', 'legacy_gateway', 'legacy.test.', 'localhost:0'])(
    'whatever the Host of the request, the services get their own: %s',
    async (host) => expectArrival(route, await probe(request(`${route} HTTP/1.1`, `Host: ${host}`))),
  )

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

test.concurrent.each([
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['the start of TLS', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${'x'.repeat(60)}`],
  ['the PROXY protocol', `PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n${request(`${ROUTES[0]} HTTP/1.1`, HOST)}`],
  ['the authority form', request('POST other.test:443 HTTP/1.1', HOST)],
  ['the asterisk form', request('OPTIONS * HTTP/1.1', HOST)],
  ['the asterisk form of a POST', request('POST * HTTP/1.1', HOST)],
  ['an absolute target without a path', request('POST http://other.test HTTP/1.1', HOST)],
  ['an absolute target with only a query', request('POST http://other.test?/api/invoice/list HTTP/1.1', HOST)],
])('%s is refused', async (_, written) => expectRefusal(await probe(written)))

test.concurrent('CONNECT is hung up on', async () => {
  const probed = await probe('CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n')
  expect(probed.statuses).toEqual([])
  expectNothing(probed)
})
