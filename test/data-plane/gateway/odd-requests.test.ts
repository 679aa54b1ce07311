import { beforeAll, describe, expect, test } from 'vitest'
import { sendBytes } from '../../support/legacy-client.ts'
import { http, type RawServer, startRawServer } from '../../support/raw-server.ts'
import { type StartedGateway, startGateway } from '../../support/start-gateway.ts'
import { v1Page } from '../../support/v1-bodies.ts'

const emptyList = http(200, JSON.stringify(v1Page([])))

const refusedInTurkish = (value: string) =>
  startRawServer((socket) =>
    socket.end(http(401, '{"success":false,"code":"NO","message":"Olmaz."}', { 'www-authenticate': value })),
  )

// Bytes above 0x7f in a header are "obsolete" (RFC 9110 section 5.5), and are still sent.
test.each(['Bearer realm="Müşteri"', 'Bearer realm="💥"'])(
  'a non-ASCII header of v1 breaks nothing: %s',
  async (value) => {
    const v1 = await refusedInTurkish(value)
    const reply = await (await startGateway(v1.url)).call({ path: '/api/invoice/list', body: '{}' })
    expect(reply).toMatchObject({ status: 401, text: '{"message":"Olmaz."}', headers: { 'x-gateway-code': 'NO' } })
  },
)

describe('a malformed request', () => {
  let v1: RawServer
  let gateway: StartedGateway
  let alone: StartedGateway
  beforeAll(async () => {
    v1 = await startRawServer((socket) => socket.write(emptyList))
    gateway = await startGateway(v1.url)
    alone = await startGateway('http://127.0.0.1:9')
  })

  const ask = (gateway: { readonly url: string }, ...lines: readonly string[]): Promise<string> =>
    sendBytes(gateway.url, [...lines, 'Connection: close', '', ''].join('\r\n'))

  test.each(['a b', '[', 'legacy.test:port', '@', 'a/b'])(
    'with the Host "%s" is a 400 with a message, and v1 is not asked',
    async (host) => {
      const asked = v1.requests.length
      const answer = await ask(gateway, 'GET /country/all HTTP/1.1', `Host: ${host}`)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toMatch(/\{"message":"[^"]+","violations":\[\]\}$/)
      expect(v1.requests.slice(asked)).toEqual([])
      expect((await gateway.call({ path: '/country/all' })).status).toBe(200)
    },
  )

  test('with a bad Host is answered with the headers of every answer', async () => {
    const answer = await ask(alone, 'GET /country/all HTTP/1.1', 'Host: a b')
    expect(answer).toMatch(/\r\ndeprecation: @\d+\r\n/i)
    expect(answer).toMatch(/\r\nx-request-id: \S+\r\n/i)
  })

  test.each([
    'GET /country/all?a=%zz&b=%E0%A4 HTTP/1.1',
    'GET /country/all?& HTTP/1.1',
    'GET /country/all?=x&&=y HTTP/1.1',
  ])('with an odd query is answered: %s', async (line) => {
    expect(await ask(gateway, line, 'Host: a')).toMatch(/^HTTP\/1\.1 200 /)
  })

  test.each(['TRACE', 'CONNECT', 'PROPFIND', 'DELETE', 'PATCH'])(
    'with the method %s is refused, and v1 is not asked',
    async (method) => {
      const asked = v1.requests.length
      const answer = await ask(gateway, `${method} /country/all HTTP/1.1`, 'Host: a')
      expect(answer).not.toMatch(/^HTTP\/1\.1 [25]/)
      expect(v1.requests.slice(asked)).toEqual([])
    },
  )

  test.each(['TRACE', 'PROPFIND', 'DELETE'])(
    'with the method %s is a 405 that names the allowed one',
    async (method) => {
      const answer = await ask(alone, `${method} /country/all HTTP/1.1`, 'Host: a')
      expect(answer).toMatch(/^HTTP\/1\.1 405 /)
      expect(answer).toMatch(/\r\nallow: GET, HEAD\r\n/i)
    },
  )

  test('with an unread body does not disturb the next request on its connection', async () => {
    const answers = await sendBytes(
      gateway.url,
      'GET /country/all HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello',
      'POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello',
      'GET /country/all HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    )
    expect(answers.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
  })
})
