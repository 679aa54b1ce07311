import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { sendBytes } from '../support/legacy-client.ts'

/** Time passes a hundred times as fast for the servers that this file starts. */
const FASTER = 100
const HEAD_MS = 15_000 / FASTER
const REQUEST_MS = 60_000 / FASTER
const { createServer } = http

let urls: Readonly<Record<string, string>>
beforeAll(async () => {
  http.createServer = ((options: http.ServerOptions, ...more: [http.RequestListener]) =>
    typeof options === 'function'
      ? createServer(options, ...more)
      : createServer(accelerated(options), ...more)) as never
  syncBuiltinESMExports()
  const { startGateway } = await import('../support/start-gateway.ts')
  const v1 = await startHttpServer((_, response) => response.end('{}'))
  const gateway = await startGateway(v1.url)
  urls = { public: gateway.url, admin: await gateway.openAdmin() }
})
afterAll(() => {
  http.createServer = createServer
  syncBuiltinESMExports()
})

const accelerated = (options: http.ServerOptions): http.ServerOptions =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, (value as number) / FASTER]))

/** Sends a byte now and then until the server closes the connection. Returns the answer and the time that took. */
function trickle(url: string, start: string): Promise<{ readonly answer: string; readonly ms: number }> {
  const { hostname, port } = new URL(url)
  const started = performance.now()
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(port), hostname)
    socket.write(start)
    const timer = setInterval(() => socket.writable && socket.write('x'), 20)
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(timer)
      resolve({ answer, ms: performance.now() - started })
    })
  })
}

describe.each(['public', 'admin'])('at the %s port', (port) => {
  test('a client may take 15 seconds for the head of a request', async () => {
    const { answer, ms } = await trickle(urls[port] ?? '', 'POST /auth/application HTTP/1.1\r\nX: ')
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(ms).toBeGreaterThan(HEAD_MS)
    expect(ms).toBeLessThan(REQUEST_MS)
  })

  test('a client may take 60 seconds for the whole request, however steadily it sends', async () => {
    const path = port === 'admin' ? '/explain' : '/auth/application'
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{`
    const { answer, ms } = await trickle(urls[port] ?? '', head)
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(ms).toBeGreaterThan(REQUEST_MS)
    expect(ms).toBeLessThan(3 * REQUEST_MS)
  })
})

test('the start of a request that never becomes whole does not cut off the call before it', async () => {
  const { startGateway, until } = await import('../support/start-gateway.ts')
  const asked: http.ServerResponse[] = []
  const v1 = await startHttpServer((_, response) => asked.push(response))
  const gateway = await startGateway(v1.url)
  const call = 'POST /api/single/point/import/complete HTTP/1.1\r\nHost: gateway\r\nContent-Length: 8\r\n\r\n{"id":7}'
  const answer = sendBytes(gateway.url, `${call}GET /`)
  await until(() => gateway.log.some(({ reason }) => reason === 'ERR_HTTP_REQUEST_TIMEOUT'))
  asked[0]?.end('{"success":true,"message":""}')
  expect(await answer).toMatch(/^HTTP\/1\.1 204 .*\r\nConnection: close\r\n\r\n$/s)
})

test('a connection on which nothing arrives is closed without an answer', async () => {
  expect(await sendBytes(urls.public ?? '')).toBe('')
})
