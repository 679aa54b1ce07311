import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { headerOf, messagesIn, statusOf } from '../../support/http-message.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { callLegacy, sendBytes } from '../../support/legacy-client.ts'
import { startGateway, until } from '../../support/start-gateway.ts'
import { v1Record } from '../../support/v1-bodies.ts'

/** A write, with its body. */
const WRITE = [
  ...['POST /api/single/point/import/complete HTTP/1.1', 'Host: gateway', 'Content-Type: application/json'],
  ...['Content-Length: 8', '', '{"id":7}'],
].join('\r\n')
/** A write whose body breaks off: no chunk begins with an x. */
const BROKEN = [
  ...['POST /api/single/point/import/complete HTTP/1.1', 'Host: gateway', 'Accept-Language: en'],
  ...['Transfer-Encoding: chunked', '', '1\r\n{\r\nx'],
].join('\r\n')
const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: hidden\r\n\r\n'

/** A gateway, a v1 that answers when it is told to, and a client with a connection of its own. */
async function start() {
  const answers: (() => void)[] = []
  const v1 = await startHttpServer((_, response) => {
    answers.push(() => response.end(JSON.stringify(v1Record({ id: 7 }))))
  })
  const gateway = await startGateway(v1.url)
  const { hostname, port } = new URL(gateway.url)
  const client = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  let [received, hasEnded] = ['', false]
  client
    .on('error', () => undefined)
    .on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
  client.on('end', () => {
    hasEnded = true
    client.end()
  })
  return {
    ...{ v1, gateway, client },
    send: (text: string): void => void client.write(text, 'latin1'),
    /** v1 answers everything that it has been asked. */
    answer: (): void => {
      for (const one of answers.splice(0)) one()
    },
    received: (): string => received,
    /** Status, `Connection` and body of every answer, once the gateway has closed the connection. */
    async answered() {
      await until(() => hasEnded)
      expect(messagesIn(received).rest).toBe('')
      return messagesIn(received).messages.map((one) => [statusOf(one), headerOf(one, 'connection'), one.body])
    },
  }
}

const DONE = [204, 'close', '']

describe.each([
  ['a NUL', '\0'],
  ['a space', ' '],
  ['a letter and a NUL', 'x\0'],
  ['bytes that hide a request', `xx${HIDDEN}`],
])('a write with %s after its body', (_, stray) => {
  test('is answered in full, and then the connection is closed', async () => {
    const { send, v1, answer, answered } = await start()
    send(WRITE + stray)
    await until(() => v1.received.length === 1)
    answer()
    expect(await answered()).toEqual([DONE])
    expect(v1.received).toHaveLength(1)
  })

  test('is answered in full if they arrive while v1 is asked', async () => {
    const { send, v1, answer, answered, gateway } = await start()
    send(WRITE)
    await until(() => v1.received.length === 1)
    send(stray)
    await until(() => gateway.log.length === 1)
    send(HIDDEN)
    answer()
    expect(await answered()).toEqual([DONE])
    expect(v1.received).toHaveLength(1)
  })
})

test('of several writes before stray bytes each is answered, and the last answer says that the connection closes', async () => {
  const { send, v1, answer, answered } = await start()
  send(`${WRITE + WRITE + WRITE}\0${HIDDEN}`)
  await until(() => v1.received.length === 3)
  answer()
  expect(await answered()).toEqual([[204, 'keep-alive', ''], [204, 'keep-alive', ''], DONE])
})

test('of 40 writes before stray bytes each is answered, although not all of them begin at once', async () => {
  const { send, v1, answer, answered } = await start()
  send(`${WRITE.repeat(40)}\0${HIDDEN}`)
  while (v1.received.length < 40) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    answer()
  }
  await until(() => v1.received.length === 40)
  answer()
  const statuses = (await answered()).map(([status, connection]) => [status, connection])
  expect(statuses).toEqual([...Array.from({ length: 39 }, () => [204, 'keep-alive']), [204, 'close']])
})

test('a request whose body breaks off is refused after the write before it has been answered', async () => {
  const { send, v1, answer, answered } = await start()
  send(WRITE + BROKEN + HIDDEN)
  await until(() => v1.received.length === 1)
  answer()
  const [first, second, ...more] = await answered()
  expect(first).toEqual([204, 'keep-alive', ''])
  expect(second?.slice(0, 2)).toEqual([400, 'close'])
  expect(more).toEqual([])
  expect(v1.received).toHaveLength(1)
})

test('stray bytes after an answer are refused', async () => {
  const { send, v1, answer, answered, received } = await start()
  send(WRITE)
  await until(() => v1.received.length === 1)
  answer()
  await until(() => received() !== '')
  send('\0')
  const [first, second] = await answered()
  expect([first?.[0], second?.[0], second?.[1]]).toEqual([204, 400, 'close'])
})

describe('bytes that are no request, with no call under way, are refused in the form of legacy errors', () => {
  test.each([
    ['garbage', 'nonsense\r\n\r\n', 400, '{"message":"İstek geçerli bir HTTP isteği değil.","violations":[]}'],
    [
      'a path that is not percent-encoded',
      'GET /api/invoice/\xc5\x9f HTTP/1.1\r\nHost: gateway\r\n\r\n',
      ...[
        400,
        '{"message":"İsteğin adresinde yüzde kodlamasıyla yazılması gereken bir karakter var.","violations":[]}',
      ],
    ],
    [
      'a head that is too large',
      `GET / HTTP/1.1\r\nHost: gateway\r\nX: ${'x'.repeat(200_000)}`,
      ...[431, '{"message":"İsteğin adresi ve başlıkları çok büyük."}'],
    ],
    ['a body that breaks off', BROKEN, 400, '{"message":"İstek geçerli bir HTTP isteği değil.","violations":[]}'],
  ] as [string, string, number, string][])('%s', async (_, written, status, body) => {
    const { send, v1, answered, received, gateway } = await start()
    send(written)
    expect(await answered()).toEqual([[status, 'close', Buffer.from(body).toString('latin1')]])
    expect(received()).toMatch(/\r\ncontent-type: application\/json\r\n/)
    const requestId = /\r\nx-request-id: (\S+)\r\n/.exec(received())?.[1]
    expect(gateway.log).toContainEqual(expect.objectContaining({ requestId, status, peer: '127.0.0.1' }))
    expect(v1.received).toEqual([])
  })
})

test('the metrics count requests that could not be read, answered or not', async () => {
  const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Record({ id: 7 }))))
  const gateway = await startGateway(v1.url)
  const admin = await gateway.openAdmin()
  await sendBytes(gateway.url, 'nonsense\r\n\r\n')
  await sendBytes(gateway.url, `${WRITE}\0${HIDDEN}\0`)
  // A client that hangs up within a request does not count.
  const { hostname, port } = new URL(gateway.url)
  connect(Number(port), hostname).end(WRITE.slice(0, -1))
  await until(() => gateway.log.some(({ status }) => status === 499))
  const { text } = await callLegacy(admin, { path: '/metrics' })
  expect(text).toMatch(/^legacy_gateway_unreadable_requests_total 2$/m)
})

test('a client that resets its connection after stray bytes harms nobody', async () => {
  const { send, v1, answer, client, gateway } = await start()
  send(`${WRITE}\0`)
  await until(() => v1.received.length === 1)
  client.resetAndDestroy()
  answer()
  await until(() => gateway.log.length === 2)
  const again = gateway.call({ path: '/api/single/point/import/complete', body: '{"id":7}' })
  await until(() => v1.received.length === 2)
  answer()
  expect((await again).status).toBe(204)
})
