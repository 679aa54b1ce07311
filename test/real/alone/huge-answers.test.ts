import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { closeAtEnd } from '../../support/clean-up.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { startGateway } from '../../support/start-gateway.ts'

const HUGE = 100_000_000
const CHUNK = Buffer.alloc(1_000_000, ' ')
/** The limit of docs/security-annex.md plus what sockets hold: nothing of an answer that was given up is kept. */
const BOUND = 64 * 1024 * 1024 + 30_000_000

/** A v1 that answers a hundred megabytes as fast as they are read, and counts the bytes that it sent. */
async function startHugeV1(head: (response: ServerResponse) => void) {
  let sent = 0
  const server = createServer(async (_, response) => {
    head(response)
    for (let written = 0; written < HUGE && !response.destroyed; written += CHUNK.length) {
      sent += CHUNK.length
      if (response.write(CHUNK)) continue
      const over = new AbortController()
      const { signal } = over
      // Resolves with the first of both, and removes the other listener.
      await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
      over.abort()
    }
    response.end()
  }).listen(0, '127.0.0.1')
  closeAtEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent: () => sent }
}

const JSON_TYPE = { 'content-type': 'application/json' }

test('a v1 that announces 100 MB is given up at once', async () => {
  const v1 = await startHugeV1((response) => response.writeHead(200, { ...JSON_TYPE, 'content-length': HUGE }))
  const gateway = await startGateway(v1.url)
  const { status, headers } = await gateway.call({ path: '/api/invoice/list', body: '{}' })
  expect([status, headers['x-gateway-error']]).toEqual([500, 'too-large'])
  expect(v1.sent()).toBeLessThan(HUGE / 10)
})

test('a v1 that answers 100 MB in chunks is given up at 64 MiB, and nothing of the answer is kept', async () => {
  const v1 = await startHugeV1((response) => response.writeHead(200, JSON_TYPE))
  const gateway = await startGateway(v1.url)
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }, 5)
  for (const _ of [1, 2, 3]) {
    const { status, headers } = await gateway.call({ path: '/api/invoice/list', body: '{}' })
    expect([status, headers['x-gateway-error']]).toEqual([500, 'too-large'])
  }
  clearInterval(watch)
  expect(most).toBeLessThan(BOUND)
})

test('an answer that unpacks to more than 64 MiB is a legacy 500 that says too-large', async () => {
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, ' '))
  const v1 = await startHttpServer((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb))
  const gateway = await startGateway(v1.url)
  const reply = await gateway.call({ path: '/api/invoice/list', body: '{}', headers: { 'accept-language': 'en' } })
  expect(reply).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'too-large' } })
  expect(reply.text).toBe('{"message":"An unexpected error occurred."}')
})
