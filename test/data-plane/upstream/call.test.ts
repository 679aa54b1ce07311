import { expect, test } from 'vitest'
import { openTestUpstream, read, write } from '../../support/open-upstream.ts'
import { http, startRawServer } from '../../support/raw-server.ts'
import { until } from '../../support/start-gateway.ts'

test('a call is sent as it was given, to the host of the base URL', async () => {
  const server = await startRawServer((socket) => socket.write(http(200, '{}')))
  const upstream = openTestUpstream(server.url)
  await upstream.call({ ...write, headers: { 'x-request-id': 'r1', 'content-type': 'application/json' } })
  const [head = ''] = server.requests
  expect(head).toMatch(/^POST \/things HTTP\/1\.1\r\n/)
  expect(head).toMatch(new RegExp(`\r\nhost: ${new URL(server.url).host}\r\n`, 'i'))
  expect(head).toMatch(/\r\nx-request-id: r1\r\n/)
  expect(head).toMatch(/\r\ncontent-length: 7\r\n/)
  expect(head).not.toMatch(/user-agent|accept|cookie|expect|transfer-encoding/i)
})

test.each(['', '/', '/prefix', '/prefix/', '/a/b//'])(
  'a base URL ending in "%s" keeps its path before every call',
  async (prefix) => {
    const server = await startRawServer((socket) => socket.write(http(200, '{}')))
    await openTestUpstream(server.url + prefix).call(read)
    expect(server.requests[0]).toMatch(new RegExp(`^GET ${prefix.replace(/\/+$/, '')}/list\\?a=1 HTTP`))
  },
)

test('an answer has its status, its headers, its exact bytes and how long it took', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const server = await startRawServer((socket) => {
    setTimeout(() => socket.write(http(418, bytes, { 'X-One': 'a', 'x-one': 'b', 'Retry-After': '7' })), 30)
  })
  const started = performance.now()
  const { status, headers, body, milliseconds } = await openTestUpstream(server.url).call(read)
  expect(status).toBe(418)
  expect(headers['retry-after']).toBe('7')
  expect(Buffer.from(body).equals(bytes)).toBe(true)
  expect(milliseconds).toBeGreaterThan(25)
  expect(milliseconds).toBeLessThanOrEqual(performance.now() - started)
})

test('close() does not wait for a service that never answers', async () => {
  const server = await startRawServer(() => undefined)
  const upstream = openTestUpstream(server.url)
  const answer = upstream.call(read).catch((error: unknown) => error)
  await until(() => server.requests.length === 1)
  const started = performance.now()
  await upstream.close()
  expect(await answer).toMatchObject({ kind: 'unreachable' })
  expect(performance.now() - started).toBeLessThan(10_000)
})

test('calls wait when all connections are in use', async () => {
  const server = await startRawServer((socket) => {
    setTimeout(() => socket.write(http(200, '{}')), 10)
  })
  const upstream = openTestUpstream(server.url, { connections: 2 })
  const answers = await Promise.all(Array.from({ length: 10 }, () => upstream.call(read)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  expect(server.connections()).toBe(2)
})
