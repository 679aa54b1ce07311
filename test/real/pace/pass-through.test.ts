import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { closeAtEnd } from '../../support/clean-up.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { deadUrl } from '../../support/raw-server.ts'
import { startGateway, until } from '../../support/start-gateway.ts'

const TIMEOUT_MS = 2_000
/** More than all buffers between the legacy service and the client hold. */
const LENGTH = 14_000_000
const CHUNK = Buffer.alloc(65_536, 'x')

/** A client of a gateway whose legacy service sends `sent` bytes of an answer at once, and then nothing. */
async function ask(sent: number): Promise<{ readonly client: Socket; readonly received: () => number }> {
  const gateway = await gatewayOf(sent)
  const client = clientOf(gateway.url)
  let received = 0
  client
    .on('error', () => undefined)
    .on('data', (chunk) => {
      received += chunk.length
    })
  client.write('GET /report HTTP/1.1\r\nHost: gateway\r\n\r\n')
  await until(() => received > 0)
  return { client, received: () => received }
}

/** A gateway whose legacy service sends `sent` bytes of an answer at once, and then nothing; or a small answer at `/small`. */
async function gatewayOf(sent: number, settings: NonNullable<Parameters<typeof startGateway>[1]>['settings'] = {}) {
  const legacy = await startHttpServer(({ target }, response) => {
    if (target === '/small') return void response.end('small')
    response.writeHead(200, { 'content-length': LENGTH })
    for (let left = sent; left > 0; left -= CHUNK.length) response.write(CHUNK.subarray(0, left))
  })
  return startGateway(await deadUrl(), {
    legacyUrl: legacy.url,
    settings: { upstreamTimeoutMs: TIMEOUT_MS, ...settings },
  })
}

function clientOf(url: string, localAddress = '127.0.0.1'): Socket {
  const { hostname, port } = new URL(url)
  const client = connect({ port: Number(port), host: hostname, localAddress })
  closeAtEnd(() => client.destroy())
  return client
}

/** The client reads nothing for longer than the time limit. */
async function fallBehind(client: Socket): Promise<void> {
  client.pause()
  await new Promise((resolve) => setTimeout(resolve, 2 * TIMEOUT_MS))
  client.resume()
}

test.concurrent('an answer that waits for its client takes longer than the time limit, and arrives whole', async () => {
  const { client, received } = await ask(LENGTH)
  await fallBehind(client)
  await until(() => received() > LENGTH || client.closed)
  expect(received()).toBeGreaterThan(LENGTH)
})

test.concurrent('an answer whose service falls silent breaks off, although its client was slow before', async () => {
  const sent = LENGTH - 1_000_000
  const { client, received } = await ask(sent)
  await fallBehind(client)
  await until(() => client.closed)
  expect(received()).toBeGreaterThan(sent)
  expect(received()).toBeLessThan(LENGTH)
})

test('clients that read slowly leave connections to the service for others', async () => {
  const connecting = { v1: undefined, legacy: undefined, proxy: undefined, connections: 9 }
  const gateway = await gatewayOf(LENGTH, { connecting, lanes: { limit: 8 } })
  const slow = Array.from({ length: 12 }, () => clientOf(gateway.url))
  for (const client of slow) {
    client.on('error', () => undefined).once('data', () => client.pause())
    client.write('GET /report HTTP/1.1\r\nHost: gateway\r\n\r\n')
  }
  await until(() => slow.filter(({ bytesRead }) => bytesRead > 0).length >= 8)
  const other = clientOf(gateway.url, '127.0.0.2')
  other.write('GET /small HTTP/1.1\r\nHost: gateway\r\n\r\n')
  const [answer] = (await once(other, 'data')) as [Buffer]
  expect(String(answer)).toMatch(/^HTTP\/1.1 200/)
})
