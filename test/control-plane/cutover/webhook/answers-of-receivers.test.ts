import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Received, startHttpServer } from '../../../support/http-server.ts'
import { http, type RawAnswer, startRawServer } from '../../../support/raw-server.ts'
import { SECRET, startDeliveries } from './deliveries.ts'
import { plainOutbox } from './plain-outbox.ts'
import { virtualTime } from './virtual-time.ts'

const SECOND = 1_000
const HEAD = 'HTTP/1.1 200 OK\r\n'

/** Offers one message to a receiver that answers like this once, then well. */
async function offer(answer: RawAnswer, options: { readonly timeoutMs?: number } = {}) {
  const time = virtualTime()
  const outbox = plainOutbox(time.now)
  const receiver = await startRawServer((socket, number) =>
    number === 1 ? answer(socket, number) : socket.end(http(204, '')),
  )
  const { webhooks, log } = startDeliveries(outbox.seenBy('one'), `${receiver.url}/hook`, time, options)
  outbox.add('a-1', 'a')
  await expect
    .poll(async () => {
      await time.pass(20 * SECOND)
      return outbox.left()
    })
    .toEqual([])
  return { ...webhooks.counts(), times: receiver.requests.length, log: log() }
}

describe('a message was not taken, and is sent again, when the receiver', () => {
  it.each<readonly [string, RawAnswer, RegExp]>([
    ['answers 500', (socket) => socket.end(http(500, 'oops')), /it answered 500"/],
    ['answers 404', (socket) => socket.end(http(404, 'oops')), /it answered 404"/],
    ['answers 429', (socket) => socket.end(http(429, '', { 'retry-after': '1' })), /it answered 429"/],
    ['hangs up without a word', (socket) => socket.end(), /other side closed/],
    ['resets the connection', (socket) => socket.resetAndDestroy(), /ECONNRESET|other side closed/],
    ['hangs up in its head', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Ty'), /UND_ERR_SOCKET|closed/],
    ['does not speak HTTP', (socket) => socket.end('220 mail.example ESMTP\r\n'), /not HTTP/],
    ['writes a huge header', (socket) => socket.end(http(200, '', { 'x-huge': 'x'.repeat(100_000) })), /overflow/i],
  ])('%s', async (_, answer, reason) => {
    const { log, ...rest } = await offer(answer)
    expect(rest).toEqual({ delivered: 1, failedAttempts: 1, givenUp: 0, oldestSeconds: 0, times: 2 })
    expect(log).toMatch(reason)
    expect(log).toMatch(/"attempts":2,"msg":"a webhook message was taken"/)
  })

  it.each<readonly [string, RawAnswer]>([
    ['never answers', () => undefined],
    ['hangs in its head', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Ty')],
  ])('%s', async (_, answer) => {
    const { log, times } = await offer(answer, { timeoutMs: 300 })
    expect(times).toBeGreaterThan(1)
    expect(log).toContain('no answer within 300 ms')
  })

  it('redirects, which is not followed', async () => {
    const elsewhere = await startHttpServer((_, response) => response.end())
    const { log, times } = await offer((socket) => socket.end(http(302, '', { location: `${elsewhere.url}/other` })))
    expect(times).toBe(2)
    expect(elsewhere.received).toEqual([])
    expect(log).toContain('it answered 302, and redirects are not followed')
  })
})

describe('a message was taken as soon as the status says so, even if the receiver', () => {
  it.each<readonly [string, RawAnswer]>([
    ['breaks off its body', (socket) => socket.end(`${HEAD}content-length: 99\r\n\r\n{"ok"`)],
    ['trickles no body at all', (socket) => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\n`)],
    ['answers 202 without a length', (socket) => socket.end('HTTP/1.1 202 Accepted\r\n\r\nsoon')],
  ])('%s', async (_, answer) => {
    expect(await offer(answer)).toMatchObject({
      delivered: 1,
      failedAttempts: 0,
      times: 1,
      log: '',
    })
  })

  it('hangs in its body', async () => {
    const hang: RawAnswer = (socket) => socket.write(`${HEAD}content-length: 99\r\n\r\n{"ok"`)
    expect(await offer(hang, { timeoutMs: 2_000 })).toMatchObject({ delivered: 1, failedAttempts: 0, times: 1 })
  })

  it('writes without end: little of that is read, and the connection is closed', async () => {
    let written = 0
    let closed = Promise.resolve()
    const result = await offer((socket) => {
      const piece = Buffer.alloc(65_536, 'x')
      closed = new Promise((resolve) => socket.on('close', () => resolve()))
      const more = (): void => {
        while (!socket.destroyed && socket.write(piece)) written += piece.length
      }
      socket.write(`${HEAD}connection: close\r\n\r\n`)
      socket.on('drain', more)
      more()
    })
    await closed
    expect(result).toMatchObject({ delivered: 1, failedAttempts: 0, times: 1 })
    // Some of it is in buffers of the system.
    expect(written).toBeLessThan(50_000_000)
  })
})

it('what is sent is JSON in UTF-8, signed so that others can verify it (with openssl)', async () => {
  const time = virtualTime()
  const outbox = plainOutbox(time.now)
  const { url, received } = await startHttpServer((_, response) => response.end())
  startDeliveries(outbox.seenBy('one'), `${url}/hooks/a?key=b`, time)
  outbox.add('a-1', 'a')
  await time.pass(SECOND)
  const { method, target, headers, body } = received[0] as Received
  expect([method, target]).toEqual(['POST', '/hooks/a?key=b'])
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'a-1' })
  expect(JSON.parse(body)).toMatchObject({ id: 'a-1', operation: 'a', text: 'çok güzel' })
  const folder = mkdtempSync(join(tmpdir(), 'webhook-'))
  try {
    const file = join(folder, 'body.json')
    writeFileSync(file, body)
    const said = execFileSync('openssl', ['dgst', '-sha256', '-hmac', SECRET, file], { encoding: 'utf8' })
    expect(headers['x-signature']).toBe(`sha256=${/[0-9a-f]{64}/.exec(said)?.[0]}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('the log names the origin of the receiver, and neither path, query, secret nor body', async () => {
  const time = virtualTime()
  const outbox = plainOutbox(time.now)
  let number = 0
  const { url } = await startHttpServer((_, response) => {
    number++
    if (number === 1) response.writeHead(500).end('a-secret-answer')
    else if (number === 2) response.writeHead(302, { location: 'http://elsewhere.example/a-secret-answer' }).end()
    else if (number === 3) response.destroy()
    else response.end()
  })
  const { log } = startDeliveries(outbox.seenBy('one'), `${url}/hooks/path-secret?key=query-secret`, time)
  outbox.add('a-1', 'a')
  await time.pass(120 * SECOND)
  expect(outbox.left()).toEqual([])
  expect(log()).toContain(`"receiver":"${url}"`)
  expect(log()).toMatch(/"msg":"a webhook message was taken"/)
  for (const secret of ['path-secret', 'query-secret', SECRET, 'güzel', 'a-secret-answer', 'elsewhere']) {
    expect(log()).not.toContain(secret)
  }
})
