import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { listen } from '../../../src/data-plane/http/listen.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { messagesIn } from '../../support/http-message.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { startGateway, until } from '../../support/start-gateway.ts'
import { v1Page } from '../../support/v1-bodies.ts'

const MAX_UNDER_WAY = 16

const post = (body: string): string =>
  `POST / HTTP/1.1\r\nHost: gateway\r\nContent-Length: ${body.length}\r\n\r\n${body}`

async function listening(handler: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const listener = await listen(handler, '127.0.0.1', 0, 'PORT', { keepAliveMs: 75_000 })
  closeAtEnd(() => listener.close(0))
  return listener.url
}

function open(url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  closeAtEnd(() => socket.destroy())
  return socket
}

/** Answers each request with its body, a moment after that has arrived whole. */
function echo(response: ServerResponse, request: IncomingMessage, done: () => void): void {
  let body = ''
  request.setEncoding('latin1').on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () =>
    setTimeout(
      () => {
        done()
        response.end(body)
      },
      Number(body.length % 3),
    ),
  )
}

test.concurrent('a connection has at most 16 calls under way, and all of them are answered in their order', async () => {
  const count = 3_000
  let underWay = 0
  let most = 0
  const url = await listening((request, response) => {
    underWay++
    most = Math.max(most, underWay)
    echo(response, request, () => underWay--)
  })
  const client = open(url)
  let received = ''
  client.setEncoding('latin1').on('data', (chunk) => {
    received += chunk
  })
  // Bodies of all lengths, so that a read may end anywhere in a request.
  const bodies = Array.from({ length: count }, (_, number) => `${number}:${'x'.repeat(number % 97)}`)
  client.write(bodies.map(post).join(''))
  // The last body is in the last answer only.
  await until(() => received.endsWith(`\r\n\r\n${bodies.at(-1)}`))
  expect(messagesIn(received).messages.map(({ body }) => body.toString())).toEqual(bodies)
  expect(most).toBe(MAX_UNDER_WAY)
})

test.concurrent('a connection is not read from while 16 of its calls are under way', async () => {
  const begun: IncomingMessage[] = []
  const url = await listening((request) => begun.push(request))
  const client = open(url)
  client.pause()
  client.write(post('{}').repeat(50_000))
  await until(() => begun.length === MAX_UNDER_WAY)
  // Long enough that more calls would have been read.
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(begun.length).toBe(MAX_UNDER_WAY)
  expect(begun[0]?.socket.bytesRead).toBeLessThan(1_000_000)
})

test.concurrent('a client that never reads its answers makes no more calls than fit into its connection', async () => {
  let begun = 0
  const url = await listening((_, response) => {
    begun++
    response.end('x'.repeat(100_000))
  })
  const client = open(url)
  client.pause()
  client.write(post('{}').repeat(10_000))
  await until(() => begun > MAX_UNDER_WAY)
  let before = 0
  while (before !== begun) {
    before = begun
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  // The system's buffers take some megabytes, or some dozens.
  expect(begun).toBeLessThan(1_000)
})

test.concurrent('calls still in line when their client hangs up never begin', async () => {
  let begun = 0
  const url = await listening(() => {
    begun++
  })
  const client = open(url)
  client.write(post('{}').repeat(1_000))
  await until(() => begun === MAX_UNDER_WAY)
  client.resetAndDestroy()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(begun).toBe(MAX_UNDER_WAY)
})

test.concurrent('a client that pipelines 3,000 calls holds up nobody else', async () => {
  const held: ServerResponse[] = []
  const page = JSON.stringify(v1Page([], { perPage: 1 }))
  const v1 = await startHttpServer(({ target }, response) => {
    if (target.includes('perPage=7')) held.push(response)
    else response.end(page)
  })
  const gateway = await startGateway(v1.url)
  const body = '{"perPage":7}'
  open(gateway.url).write(
    `POST /api/invoice/list HTTP/1.1\r\nHost: gateway\r\nContent-Length: ${body.length}\r\n\r\n${body}`.repeat(3_000),
  )
  await until(() => held.length === MAX_UNDER_WAY)
  const { status } = await gateway.call({ path: '/api/invoice/list', body: '{"perPage":1}' })
  expect(status).toBe(200)
  expect(held.length).toBe(MAX_UNDER_WAY)
})
