import { expect, test } from 'vitest'
import { UpstreamError } from '../../../src/data-plane/upstream/upstream-error.ts'
import { type Fault, notHttp, quickFaults, slowFaults } from '../../support/faults.ts'
import { openTestUpstream, read, TIMEOUT_MS } from '../../support/open-upstream.ts'
import { deadUrl, http, startRawServer } from '../../support/raw-server.ts'

/** Faults that the upstream detects itself. Its callers detect bodies that are not JSON and error statuses. */
const theirs = ['redirects', 'answers half a JSON', 'is shorter than it announced', 'answers 503']
const ownFaults = quickFaults.filter(({ it }) => !theirs.includes(it))

/** Far less than an endless call would take. */
const SOON_MS = 10_000

async function failsAs({ kind, answer }: Fault): Promise<void> {
  const server = await startRawServer(answer)
  const upstream = openTestUpstream(server.url, kind === 'timeout' ? { timeoutMs: TIMEOUT_MS } : {})
  const started = performance.now()
  const error = await upstream.call(read).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UpstreamError)
  expect(error).toMatchObject({ kind })
  expect(performance.now() - started).toBeLessThan(SOON_MS)
}

test.concurrent.each(slowFaults)('a service that $it is $kind', failsAs)

test.each(ownFaults)('a service that $it is $kind', failsAs)

test.each(notHttp)('a service that $it is $kind', failsAs)

test('a service that refuses connections is unreachable', async () => {
  const upstream = openTestUpstream(await deadUrl())
  await expect(upstream.call(read)).rejects.toMatchObject({ kind: 'unreachable' })
})

test('a host name that does not resolve is unreachable', async () => {
  const upstream = openTestUpstream('http://no-such-host.invalid')
  await expect(upstream.call(read)).rejects.toMatchObject({ kind: expect.stringMatching(/unreachable|timeout/) })
})

test('a redirect is returned, not followed', async () => {
  const server = await startRawServer((socket) => socket.end(http(302, '', { location: '/elsewhere' })))
  const answer = await openTestUpstream(server.url).call(read)
  expect(answer).toMatchObject({ status: 302, headers: { location: '/elsewhere' } })
  expect(server.requests).toHaveLength(1)
})

test('informational answers before the final one are skipped', async () => {
  const server = await startRawServer((socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n')
    socket.write(http(200, '{"a":1}'))
  })
  const answer = await openTestUpstream(server.url).call(read)
  expect(Buffer.from(answer.body).toString()).toBe('{"a":1}')
})

// RFC 9110 section 15.2 lets a server send 1xx at any time; the client library treats an unrequested 100 as an error.
test('an unrequested 100 Continue fails at once instead of waiting', async () => {
  const server = await startRawServer((socket) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write(http(200, '{"a":1}'))
  })
  const started = performance.now()
  await expect(openTestUpstream(server.url).call(read)).rejects.toMatchObject({ kind: 'unreachable' })
  expect(performance.now() - started).toBeLessThan(SOON_MS)
})

test('bytes that a service writes after its answer are never taken for the next answer', async () => {
  const server = await startRawServer((socket, number) => {
    socket.write(http(200, `{"n":${number}}`))
    if (number === 1) socket.write(http(200, '{"n":"forged"}'))
  })
  const upstream = openTestUpstream(server.url)
  for (const n of [1, 2, 3]) {
    const answer = await upstream.call(read)
    expect(JSON.parse(Buffer.from(answer.body).toString())).toEqual({ n })
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
})

test.concurrent('the time-out covers a repeated read as well', async () => {
  const repeated = '/repeated'
  let hasDied = false
  const server = await startRawServer((socket, number) => {
    if (hasDied || !server.requests[number - 1]?.includes(repeated)) return
    hasDied = true
    setTimeout(() => socket.resetAndDestroy(), TIMEOUT_MS / 10)
  })
  const upstream = openTestUpstream(server.url, { timeoutMs: TIMEOUT_MS })
  const over: string[] = []
  const call = async (path: string): Promise<void> => {
    await expect(upstream.call({ ...read, path })).rejects.toMatchObject({ kind: 'timeout' })
    over.push(path)
  }
  // The call that began first times out first, although it was sent twice.
  await Promise.all([call(repeated), call('/once')])
  expect(over).toEqual([repeated, '/once'])
  expect(server.requests).toHaveLength(3)
})
