import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openTestUpstream, read } from '../../support/open-upstream.ts'
import { http, startRawServer } from '../../support/raw-server.ts'

const json = `{"items":[${'"ş", '.repeat(500)}1.00]}`

async function decoded(body: Uint8Array | string, encoding: string, maxAnswerBytes = 1_000_000): Promise<string> {
  const server = await startRawServer((socket) => socket.end(http(200, body, { 'Content-Encoding': encoding })))
  const answer = await openTestUpstream(server.url, { maxAnswerBytes, timeoutMs: 5_000 }).call(read)
  return Buffer.from(answer.body).toString()
}

test.each([
  ['gzip', gzipSync(json)],
  ['x-gzip', gzipSync(json)],
  ['GZip', gzipSync(json)],
  ['deflate', deflateSync(json)],
  ['deflate', deflateSync(json, { windowBits: 9, level: 9 })],
  // Some servers omit the zlib wrapper (RFC 9110 section 8.4.1.2): once compressed, once stored.
  ['deflate', deflateRawSync(json)],
  ['deflate', deflateRawSync(json, { level: 0 })],
  ['br', brotliCompressSync(json)],
  ['zstd', zstdCompressSync(json)],
  ['identity', Buffer.from(json)],
  ['deflate, identity , gzip', gzipSync(deflateSync(json))],
])('an answer in %s is decoded', async (encoding, body) => {
  expect(await decoded(body, encoding)).toBe(json)
})

test('an answer in gzip that comes in chunks is decoded', async () => {
  const server = await startRawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n')
    for (const byte of gzipSync('{}')) socket.write(Buffer.from([0x31, 13, 10, byte, 13, 10]))
    socket.end('0\r\n\r\n')
  })
  const answer = await openTestUpstream(server.url).call(read)
  expect(Buffer.from(answer.body).toString()).toBe('{}')
})

test.each([
  ['cut off', gzipSync(json).subarray(0, 40), 'gzip'],
  ['damaged', Buffer.from(gzipSync(json)).fill(0, 20, 30), 'gzip'],
  ['cut off, of raw deflate', deflateRawSync(json).subarray(0, 30), 'deflate'],
  ['not compressed at all', Buffer.from(json), 'deflate'],
  ['in a coding other than the announced one', brotliCompressSync(json), 'zstd'],
  ['in an unknown coding', Buffer.from(json), 'compress'],
  ['in a coding named like a property of every object', Buffer.from(json), 'constructor'],
])('an answer that is %s is malformed', async (_, body, encoding) => {
  await expect(decoded(body, encoding)).rejects.toMatchObject({ kind: 'malformed' })
})

describe('the size limit of an answer', () => {
  const limit = 1_000

  test.each(['gzip', 'br', 'deflate', 'zstd'])(
    'rejects as too large what unpacks to more than the limit: %s',
    async (encoding) => {
      const pack = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync, zstd: zstdCompressSync }[encoding]
      const bomb = pack?.(Buffer.alloc(2_000_000)) ?? ''
      expect(bomb.length).toBeLessThan(20_000)
      await expect(decoded(bomb, encoding, limit + 20_000)).rejects.toMatchObject({ kind: 'too-large' })
    },
  )

  test('rejects an announced length above the limit as too large', async () => {
    await expect(decoded('x'.repeat(limit + 1), 'identity', limit)).rejects.toMatchObject({ kind: 'too-large' })
  })

  test('rejects endless chunks as too large', async () => {
    const server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const timer = setInterval(() => socket.writable && socket.write(`64\r\n${'x'.repeat(100)}\r\n`), 1)
      socket.on('close', () => clearInterval(timer))
    })
    const upstream = openTestUpstream(server.url, { maxAnswerBytes: limit })
    await expect(upstream.call(read)).rejects.toMatchObject({ kind: 'too-large' })
  })

  test('allows a body of exactly the limit', async () => {
    expect(await decoded('x'.repeat(limit), 'identity', limit)).toHaveLength(limit)
  })
})

// Servers that compress every answer announce a coding for empty bodies as well, such as that of a bare 401.
test('an empty body decodes to an empty text, whatever its content coding', async () => {
  expect(await decoded('', 'gzip')).toBe('')
})
