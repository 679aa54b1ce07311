import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendBytes } from '../../support/legacy-client.ts'
import { http, type RawServer, startRawServer } from '../../support/raw-server.ts'
import { type StartedGateway, startGateway } from '../../support/start-gateway.ts'
import { v1Page, v1Record } from '../../support/v1-bodies.ts'

const LIMIT = 100
/** An answer that suits every operation. */
const anything = http(200, JSON.stringify({ ...v1Page([], { perPage: 25 }), ...v1Record({ token: 't' }) }))
const head = (...lines: readonly string[]): string =>
  ['POST /api/invoice/list HTTP/1.1', 'Host: legacy.test', 'Accept-Language: en', ...lines, '', ''].join('\r\n')
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

let v1: RawServer
let gateway: StartedGateway
beforeAll(async () => {
  v1 = await startRawServer((socket) => socket.write(anything))
  gateway = await startGateway(v1.url, { settings: { maxBodyBytes: LIMIT } })
})
let before = 0
beforeEach(() => {
  before = v1.requests.length
})
/** The requests that have reached v1 in this test. */
const asked = (): readonly string[] => v1.requests.slice(before)

describe('a body larger than the limit', () => {
  test('is refused by its announced length before any of it is sent, and the connection is closed', async () => {
    const answer = await sendBytes(gateway.url, head(`Content-Length: ${LIMIT + 1}`))
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    expect(answer).toMatch(/\r\ndeprecation: @/i)
    expect(answer).toMatch(/\{"message":"The request body is larger than 100 bytes."\}$/)
    expect(asked()).toEqual([])
  })

  test('is refused while it is read, when its length is not announced', async () => {
    const pieces = Array.from({ length: 6 }, () => chunk(' '.repeat(20)))
    const answer = await sendBytes(gateway.url, head('Transfer-Encoding: chunked'), ...pieces)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    expect(asked()).toEqual([])
  })

  test('is refused even when all its bytes arrive at once', async () => {
    const answer = await sendBytes(gateway.url, head('Transfer-Encoding: chunked') + chunk(' '.repeat(101)) + chunk(''))
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(asked()).toEqual([])
  })

  test('is not read as the next request on the connection', async () => {
    const hidden = `{}${head('Content-Length: 2')}{}`
    const answer = await sendBytes(gateway.url, head(`Content-Length: ${hidden.length + LIMIT}`) + hidden)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(asked()).toEqual([])
  })

  test('of many megabytes is answered to a client that only writes', async () => {
    const reply = await gateway.call({ path: '/auth/application', body: 'x'.repeat(8_000_000) }).catch(() => undefined)
    // The connection may close while the client still writes. It must read the refusal and nothing else.
    expect(reply?.status ?? 413).toBe(413)
    expect((await gateway.call({ path: '/auth/application', body: '{}' })).status).toBe(200)
  })

  test('is counted in bytes, not in characters', async () => {
    const body = `{"search":"${'ş'.repeat(50)}"}`
    expect(body.length).toBeLessThan(LIMIT)
    expect((await gateway.call({ path: '/api/invoice/list', body })).status).toBe(413)
  })
})

test.each([
  ['announced', (body: string) => head(`Content-Length: ${body.length}`, 'Connection: close') + body],
  ['in chunks', (body: string) => head('Transfer-Encoding: chunked', 'Connection: close') + chunk(body) + chunk('')],
])('a body of exactly the limit is read: %s', async (_, written) => {
  expect(await sendBytes(gateway.url, written('{}'.padEnd(LIMIT)))).toMatch(/^HTTP\/1\.1 200 /)
})

test('a body that comes byte by byte is read whole', async () => {
  const body = '{"search":"ş"}'
  const bytes = Buffer.from(body)
  const pieces = [
    head(`Content-Length: ${bytes.length}`, 'Connection: close'),
    ...[...bytes].map((byte) => Buffer.from([byte])),
  ]
  expect(await sendBytes(gateway.url, ...pieces)).toMatch(/^HTTP\/1\.1 200 /)
  expect(asked()[0]).toContain('search=%C5%9F')
})

test('a body with a content coding that is not unpacked is refused unread, and the connection is closed', async () => {
  const answer = await sendBytes(gateway.url, head('Content-Encoding: br', 'Content-Length: 50'))
  expect(answer).toMatch(/^HTTP\/1\.1 415 /)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  expect(answer).toMatch(/\r\naccept-encoding: gzip, deflate\r\n/i)
  expect(asked()).toEqual([])
})
