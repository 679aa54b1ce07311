import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { cutSlowReaders } from '../../../src/data-plane/http/listen.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { until } from '../../support/start-gateway.ts'

/** Longer than TCP may take to report progress of a client with a large buffer, and than a busy machine may stall. */
const PATIENCE_MS = 1_500
/** This many reads of 64 KB take the slow client more than twice the patience. */
const EVERY_MS = 12
const ANSWER = Buffer.alloc(20_000_000, 'x')

/** A server of large answers, and a client that has asked and reads nothing yet. */
async function askForMuch(): Promise<{ readonly client: Socket; readonly response: ServerResponse }> {
  const underWay = new Set<ServerResponse>()
  const server = createServer((_, response) => {
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
    response.end(ANSWER)
  }).listen(0, '127.0.0.1')
  const stop = cutSlowReaders(underWay, { patienceMs: PATIENCE_MS, everyMs: 20 })
  closeAtEnd(() => {
    stop()
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.pause().on('error', () => undefined)
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  return { client, response }
}

test.concurrent('the connection of a client that does not read its answer is closed', async () => {
  const { response } = await askForMuch()
  const started = performance.now()
  await once(response, 'close')
  expect(response.writableFinished).toBe(false)
  expect(performance.now() - started).toBeGreaterThan(PATIENCE_MS)
})

test.concurrent('a client that reads slowly gets the whole answer', async () => {
  const { client, response } = await askForMuch()
  const started = performance.now()
  let read = 0
  client.on('data', (chunk) => {
    read += chunk.length
    client.pause()
  })
  const reading = setInterval(() => client.resume(), EVERY_MS)
  closeAtEnd(() => clearInterval(reading))
  await once(response, 'close')
  expect(response.writableFinished).toBe(true)
  await until(() => read > ANSWER.length)
  expect(performance.now() - started).toBeGreaterThan(2 * PATIENCE_MS)
})
