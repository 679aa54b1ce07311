import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { readAddressRanges } from '../../../src/app/variable-schemas.ts'
import { tokenSealer } from '../../../src/data-plane/gateway/login/sealed-token.ts'
import { startHttpServer } from '../../support/http-server.ts'
import type { Reply } from '../../support/legacy-client.ts'
import { type StartedGateway, startGateway, until } from '../../support/start-gateway.ts'
import { v1Page, v1Record } from '../../support/v1-bodies.ts'

const KEY = Buffer.alloc(32, 7)
const READ = '/api/invoice/list'
const WRITE = '/api/single/point/import'
/** How many calls may wait in a lane, unless a test sets it. */
const MAX_WAITING = 30
const BODY = '{"name":"a","shipmentId":"b"}'

/** A v1 that answers each call when the test says so, and a gateway with two slots in each lane. */
async function start(maxWaiting = MAX_WAITING) {
  const held: { readonly id: string; answer(): void }[] = []
  let isWilling = false
  const v1 = await startHttpServer(({ method, target, headers }, response) => {
    const body = JSON.stringify(method === 'GET' ? v1Page([{ id: 1 }], { perPage: 25 }) : v1Record({ id: 1 }))
    const answer = (): void => void response.writeHead(method === 'GET' ? 200 : 201).end(body)
    // Calls of a cached list are never held.
    if (isWilling || target.includes('/shared/')) answer()
    else held.push({ id: String(headers['x-request-id']), answer })
  })
  const gateway = await startGateway(v1.url, {
    // The tests say in which order calls arrive.
    hasOneSocket: true,
    settings: {
      lanes: { limit: 2, maxWaiting, maxWaitMs: 60_000 },
      upstreamTimeoutMs: 60_000,
      tokenKeys: [KEY],
      trustedProxies: readAddressRanges('127.0.0.1', expect.unreachable),
    },
  })
  return {
    v1,
    gateway,
    /** The clients whose calls v1 has not answered yet, in order. */
    held: (): readonly string[] => held.map(({ id }) => id),
    /** Answers a call, by default the oldest one at v1. */
    answer(id = held[0]?.id): void {
      const index = held.findIndex((one) => one.id === id)
      for (const { answer } of held.splice(index, 1)) answer()
    },
    answerAll(): void {
      isWilling = true
      for (const { answer } of held.splice(0)) answer()
    },
    /** The bodies of the writes that reached v1. */
    ids: () => v1.received.filter(({ method }) => method === 'POST').map(({ headers }) => headers['x-request-id']),
  }
}

/** Makes a call and measures it. */
async function timed(gateway: StartedGateway, path: string, headers: Readonly<Record<string, string>>) {
  const started = performance.now()
  const reply: Reply = await gateway.call({ path, headers, body: path === READ ? '{}' : BODY })
  return { ...reply, id: headers['x-request-id'], ms: performance.now() - started }
}

/** The gateway takes calls in order: when this one is answered, it has taken those before. */
async function untilTaken(gateway: StartedGateway): Promise<void> {
  expect((await gateway.call({ path: '/nothing' })).status).toBe(404)
}

const refusals = (gateway: StartedGateway): number =>
  gateway.log.filter(({ failure }) => failure === 'overloaded').length

describe.concurrent('more calls than can wait', () => {
  test('are refused after half a second at least, and have not reached v1', async () => {
    const { gateway, ids, answerAll } = await start(3)
    const calls = Array.from({ length: 12 }, (_, index) => timed(gateway, WRITE, { 'x-request-id': `call-${index}` }))
    await untilTaken(gateway)
    const admin = await gateway.openAdmin()
    const metrics = await (await fetch(`${admin}/metrics`)).text()
    // A refusal that is held back no longer waits for a service.
    expect(metrics).toContain('legacy_gateway_upstream_waiting{upstream="v1",lane="others"} 3')
    expect(metrics).toContain('legacy_gateway_upstream_running{upstream="v1",lane="others"} 2')
    await until(() => refusals(gateway) === 7)
    answerAll()
    const replies = await Promise.all(calls)
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(7)
    for (const { status, headers, text, ms } of refused) {
      expect(status).toBe(500)
      expect(headers).toMatchObject({ 'x-gateway-error': 'overloaded', 'retry-after': '1' })
      expect(Object.keys(JSON.parse(text) as object)).toEqual(['message'])
      expect(ms).toBeGreaterThan(450)
    }
    const answered = replies.filter(({ status }) => status === 200).map(({ id }) => id)
    expect(ids().toSorted()).toEqual(answered.toSorted())
  })

  test('do not hold up other kinds of calls', async () => {
    const { gateway, held, answer, answerAll } = await start(1)
    const writes = Array.from({ length: 8 }, () => timed(gateway, WRITE, { 'x-request-id': 'write' }))
    await untilTaken(gateway)
    const read = timed(gateway, READ, { 'x-request-id': 'read' })
    await until(() => held().includes('read'))
    answer('read')
    expect((await read).status).toBe(200)
    expect(held()).toEqual(['write', 'write'])
    answerAll()
    await Promise.all(writes)
  })
})

test.concurrent('a write whose client hangs up while it waits is not sent to v1; one that has been sent is finished', async () => {
  const { gateway, ids, answerAll } = await start()
  const sockets = Array.from({ length: 4 }, (_, index) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => undefined)
    const head = `POST ${WRITE} HTTP/1.1\r\nHost: a\r\nX-Request-Id: call-${index}\r\nContent-Length: ${BODY.length}\r\n\r\n`
    socket.write(head + BODY)
    return socket
  })
  await until(() => ids().length === 2)
  await untilTaken(gateway)
  for (const socket of sockets) socket.resetAndDestroy()
  const statuses = () => gateway.log.filter(({ path }) => path === WRITE).map(({ status }) => status)
  await until(() => statuses().length === 2)
  expect(statuses()).toEqual([499, 499])
  answerAll()
  await until(() => statuses().length === 4)
  // Anything sent late would arrive before the next call.
  expect((await timed(gateway, WRITE, { 'x-request-id': 'next' })).status).toBe(200)
  expect(ids().toSorted()).toEqual(['call-0', 'call-1', 'next'])
  expect(statuses().toSorted()).toEqual([200, 200, 200, 499, 499])
})

describe.concurrent('a client beside one that makes far more calls than can be answered', () => {
  /** The polite client's calls beside forty of the noisy one: each must be the next that v1 gets. */
  async function beside(
    noisy: (call: number) => Readonly<Record<string, string>>,
    polite: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { gateway, held, answer } = await start(MAX_WAITING)
    const admin = await gateway.openAdmin()
    const waiting = async (): Promise<number> => {
      const metrics = await (await fetch(`${admin}/metrics`)).text()
      return Number(/upstream_waiting\{upstream="v1",lane="reads"\} (\d+)/.exec(metrics)?.[1])
    }
    /** Its first call takes the place of one of the noisy client's, which is refused later; then there is room. */
    const politeWaits = async (call: number): Promise<void> => {
      if (call === 0) await until(() => refusals(gateway) === 40 - 2 - MAX_WAITING + 1)
      else while ((await waiting()) !== MAX_WAITING - 1) await wait(20)
    }
    const calls: Promise<unknown>[] = []
    const makeNoise = (times: number): void => {
      for (let time = 0; time < times; time++) {
        const headers = { ...noisy(calls.length), 'x-request-id': 'noisy' }
        calls.push(timed(gateway, READ, headers).catch(() => undefined))
      }
    }
    makeNoise(40)
    await untilTaken(gateway)
    for (let call = 0; call < 3; call++) {
      expect(held()).toEqual(['noisy', 'noisy'])
      const reply = timed(gateway, READ, { ...polite, 'x-request-id': 'polite' })
      await politeWaits(call)
      // Both the oldest and the newest call of all are the noisy client's.
      makeNoise(2)
      await untilTaken(gateway)
      answer()
      await until(() => held().length === 2)
      expect(held()).toEqual(['noisy', 'polite'])
      answer('polite')
      expect((await reply).status).toBe(200)
      await until(() => held().length === 2)
    }
    await gateway.close()
    await Promise.all(calls)
  }

  const from = (address: string) => ({ 'x-forwarded-for': address })
  const sealed = async (client: string) => ({
    authorization: `Bearer ${await tokenSealer([KEY]).seal({ client, v1: 'x' })}`,
  })

  test('at another address waits for the end of one call, not for all of them', async () => {
    await beside(() => from('192.0.2.1'), from('192.0.2.2'))
  })

  test('is distinguished by the token that the gateway issued, whatever the address', async () => {
    await beside(() => ({ authorization: 'Bearer x' }), await sealed('polite'))
  })

  test('is distinguished from one that makes up a token for each call', async () => {
    const noisy = (call: number) => ({ ...from('192.0.2.1'), authorization: `Bearer made-up-${call}` })
    await beside(noisy, from('192.0.2.2'))
  })

  test('is distinguished from one that uses many addresses of one IPv6 network', async () => {
    const noisy = (call: number) => from(`2001:db8:1:2::${call.toString(16)}`)
    await beside(noisy, from('2001:db8:1:3::1'))
  })

  test('gets a list that is the same for all, even when the noisy one asked for it first', async () => {
    const { gateway, v1, held, answer, answerAll } = await start()
    const noisy = Array.from({ length: 30 }, () => timed(gateway, READ, from('192.0.2.1')))
    await until(() => held().length === 2)
    await untilTaken(gateway)
    const lists = [from('192.0.2.1'), from('192.0.2.2')].map((headers) =>
      gateway.call({ path: '/country/all', headers }),
    )
    await untilTaken(gateway)
    const invoices = () => v1.received.filter(({ target }) => target.startsWith('/api/v1/finance')).length
    const isAsked = () => v1.received.length > invoices()
    while (!isAsked()) {
      const before = v1.received.length
      answer()
      await until(() => v1.received.length > before)
    }
    expect((await Promise.all(lists)).map(({ status }) => status)).toEqual([200, 200])
    expect(invoices()).toBeLessThan(10)
    answerAll()
    await Promise.all(noisy)
  })
})
