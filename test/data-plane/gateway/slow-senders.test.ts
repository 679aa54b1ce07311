import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { messagesIn, statusOf } from '../../support/http-message.ts'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'
import { startSlowSenders, waysToBeSlow } from '../../support/slow-senders.ts'
import { type StartedGateway, startGateway, until } from '../../support/start-gateway.ts'
import { v1Page } from '../../support/v1-bodies.ts'

const SENDERS = 100
const NORMAL_CALLS = 50

let v1: HttpServer
let gateway: StartedGateway
beforeAll(async () => {
  v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Page([], { perPage: 25 }))))
  gateway = await startGateway(v1.url)
})

/** Many more bytes than they send while the test runs. */
const BYTES = 1_000

/** Opens the slow connections and lets them send for a while. */
async function sendSlowly(way: { readonly start: string; readonly slowly: string }) {
  const senders = await startSlowSenders(gateway.url, SENDERS, { ...way, everyMs: 50 })
  onTestFinished(() => senders.stop())
  await until(() => senders.sent() > 1)
  return senders
}

/** Calls of another client, several at a time, all of which must be answered. */
async function expectNormalCalls(): Promise<void> {
  for (let made = 0; made < NORMAL_CALLS; made += 10) {
    const calls = Array.from({ length: 10 }, () => gateway.call({ path: '/api/invoice/list', body: '{}' }))
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
  }
}

describe.each(waysToBeSlow('POST /api/invoice/list', BYTES))('a hundred clients, each slow $where', (way) => {
  test('hold up no other client, and are passed on and answered once they are whole', async () => {
    const senders = await sendSlowly(way)
    const asked = v1.received.length
    await expectNormalCalls()
    expect(v1.received).toHaveLength(asked + NORMAL_CALLS)
    expect(senders.answers().join('')).toBe('')
    expect(senders.open()).toBe(SENDERS)

    senders.finish()
    const answers = () => senders.answers().flatMap((answer) => messagesIn(answer).messages)
    await until(() => answers().length === SENDERS)
    expect(new Set(answers().map(statusOf))).toEqual(new Set([200]))
    expect(v1.received).toHaveLength(asked + NORMAL_CALLS + SENDERS)
  })
})

test('a hundred clients, each slow with a body that the gateway does not read, are still answered', async () => {
  const [, inItsBody] = waysToBeSlow('GET /api/invoice/list', BYTES)
  const senders = await sendSlowly(inItsBody)
  await expectNormalCalls()
  await until(() => senders.answers().every((answer) => answer.startsWith('HTTP/1.1 405 ')))
})
