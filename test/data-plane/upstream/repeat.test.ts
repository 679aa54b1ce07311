import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { UpstreamRequest } from '../../../src/data-plane/upstream/upstream.ts'
import { openTestUpstream, read, TIMEOUT_MS, write } from '../../support/open-upstream.ts'
import { http, type RawServer, startRawServer } from '../../support/raw-server.ts'

/** Answers once and keeps the connection, closes it without an answer the next `deaths` times, then is well. */
async function diesOnKeptConnection(request: UpstreamRequest, deaths: number) {
  const server = await startRawServer((socket, number) => {
    if (number === 1 || number > 1 + deaths) socket.write(http(200, `${number}`))
    else socket.destroy()
  })
  const upstream = openTestUpstream(server.url, { connections: 1 })
  await upstream.call(read)
  const outcome = await upstream.call(request).then(
    ({ body }) => Buffer.from(body).toString(),
    (error: { kind: string }) => error.kind,
  )
  return { server, outcome }
}

const asked = (server: RawServer): number => server.requests.length - 1

test('calls share a kept connection', async () => {
  const server = await startRawServer((socket) => socket.write(http(200, '{}')))
  const upstream = openTestUpstream(server.url, { connections: 1 })
  for (const _ of [1, 2, 3]) await upstream.call(read)
  expect(server.requests).toHaveLength(3)
  expect(server.connections()).toBe(1)
})

test('a read on a kept connection that died is sent once more', async () => {
  const { server, outcome } = await diesOnKeptConnection(read, 1)
  expect(outcome).toBe('3')
  expect(asked(server)).toBe(2)
})

test('a read is sent no more than twice', async () => {
  const { server, outcome } = await diesOnKeptConnection(read, 5)
  expect(outcome).toBe('unreachable')
  expect(asked(server)).toBe(2)
})

test('a write on a kept connection that died is never sent again', async () => {
  const { server, outcome } = await diesOnKeptConnection(write, 1)
  expect(outcome).toBe('unreachable')
  expect(asked(server)).toBe(1)
})

test('a read that may not be repeated is never sent again', async () => {
  const { server, outcome } = await diesOnKeptConnection({ ...read, repeatable: false }, 1)
  expect(outcome).toBe('unreachable')
  expect(asked(server)).toBe(1)
})

test('a kept connection that the service closed while it was idle is not used', async () => {
  let closed: Promise<unknown> | undefined
  const server = await startRawServer((socket, number) => {
    if (number === 1) {
      // By then both sides have closed it.
      closed = once(socket, 'close')
      socket.end(http(200, '{}'))
    } else socket.write(http(200, '{}'))
  })
  const upstream = openTestUpstream(server.url, { connections: 1 })
  await upstream.call(read)
  await closed
  expect(await upstream.call(write)).toMatchObject({ status: 200 })
  expect(server.requests).toHaveLength(2)
})

test('a read that timed out is not sent again', async () => {
  const server = await startRawServer(() => undefined)
  await expect(openTestUpstream(server.url, { timeoutMs: TIMEOUT_MS }).call(read)).rejects.toMatchObject({
    kind: 'timeout',
  })
  expect(server.requests).toHaveLength(1)
})

test('a read that was answered with an error is not sent again', async () => {
  const server = await startRawServer((socket) => socket.end(http(503, '')))
  expect(await openTestUpstream(server.url).call(read)).toMatchObject({ status: 503 })
  expect(server.requests).toHaveLength(1)
})

test('a read whose answer had begun is not sent again', async () => {
  const server = await startRawServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a'))
  await expect(openTestUpstream(server.url).call(read)).rejects.toMatchObject({ kind: 'unreachable' })
  expect(server.requests).toHaveLength(1)
})

test.each([
  ['hangs up without a word', ''],
  ['hangs up in its headers', 'HTTP/1.1 200 OK\r\nco'],
  ['hangs up in its body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a'],
  ['does not speak HTTP', 'whatever\r\n\r\n'],
])('a write to a service that %s is sent exactly once', async (_, text) => {
  const server = await startRawServer((socket) => socket.end(text))
  await expect(openTestUpstream(server.url).call(write)).rejects.toThrow()
  expect(server.requests).toHaveLength(1)
})
