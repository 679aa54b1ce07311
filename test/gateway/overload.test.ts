import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { readAddressRanges } from '../../src/app/config/address-ranges.ts'
import { tokenSealer } from '../../src/gateway/login/sealed-token.ts'
import { startHttpServer } from '../support/http-server.ts'
import type { Reply } from '../support/legacy-client.ts'
import { type StartedGateway, startGateway, until } from '../support/start-gateway.ts'
import { v1Page, v1Record } from '../support/v1-bodies.ts'

const KEY = Buffer.alloc(32, 7)
const READ = '/api/invoice/list'
const WRITE = '/api/single/point/import'
const BODY = '{"name":"a","shipmentId":"b"}'

/** A v1 that takes `ms` for each call, and a gateway that lets two of each lane through at a time. */
async function start(ms: number, lanes: { readonly maxWaiting?: number; readonly maxWaitMs?: number } = {}) {
  const v1 = await startHttpServer(({ method }, response) => {
    const body = JSON.stringify(method === 'GET' ? v1Page([{ id: 1 }], { perPage: 25 }) : v1Record({ id: 1 }))
    setTimeout(() => response.writeHead(method === 'GET' ? 200 : 201).end(body), ms)
  })
  const gateway = await startGateway(v1.url, {
    settings: {
      lanes: { limit: 2, ...lanes },
      tokenKeys: [KEY],
      trustedProxies: readAddressRanges('127.0.0.1', expect.unreachable),
    },
  })
  /** Of the writes that reached v1. */
  const ids = () => v1.received.filter(({ method }) => method === 'POST').map(({ headers }) => headers['x-request-id'])
  return { v1, gateway, ids }
}

/** A call, and how long it took. */
async function timed(gateway: StartedGateway, path: string, headers: Readonly<Record<string, string>>) {
  const started = performance.now()
  const reply: Reply = await gateway.call({ path, headers, body: path === READ ? '{}' : BODY })
  return { ...reply, id: headers['x-request-id'], ms: performance.now() - started }
}

describe('more calls than can wait', () => {
  test('are refused after half a second at least, and what is refused has not reached v1', async () => {
    const { gateway, ids } = await start(600, { maxWaiting: 3 })
    const calls = Array.from({ length: 12 }, (_, index) => timed(gateway, WRITE, { 'x-request-id': `call-${index}` }))
    await wait(300)
    const admin = await gateway.openAdmin()
    const metrics = await (await fetch(`${admin}/metrics`)).text()
    // What is held back waits for no service any more.
    expect(metrics).toContain('legacy_gateway_upstream_waiting{upstream="v1",lane="others"} 3')
    expect(metrics).toContain('legacy_gateway_upstream_running{upstream="v1",lane="others"} 2')
    const replies = await Promise.all(calls)
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(7)
    for (const { status, headers, text, ms } of refused) {
      expect(status).toBe(500)
      expect(headers).toMatchObject({ 'x-gateway-error': 'overloaded', 'retry-after': '1' })
      expect(Object.keys(JSON.parse(text) as object)).toEqual(['message'])
      expect(ms).toBeGreaterThan(450)
      expect(ms).toBeLessThan(4_000)
    }
    const answered = replies.filter(({ status }) => status === 200).map(({ id }) => id)
    expect(ids().toSorted()).toEqual(answered.toSorted())
  })

  test('are refused at once when the gateway stops', async () => {
    const { gateway } = await start(1_000, { maxWaiting: 1 })
    const statuses = Array.from({ length: 8 }, () =>
      timed(gateway, READ, {}).then(
        ({ status }) => status,
        () => 'none',
      ),
    )
    await wait(250)
    await gateway.close()
    // v1 does not answer the others within the grace.
    expect((await Promise.all(statuses)).filter((status) => status === 500)).toHaveLength(5)
  })

  test('do not hold up other kinds of calls', async () => {
    const { gateway } = await start(100, { maxWaiting: 1 })
    const writes = Array.from({ length: 8 }, () => timed(gateway, WRITE, {}))
    const read = await timed(gateway, READ, {})
    expect(read.status).toBe(200)
    expect(read.ms).toBeLessThan(400)
    await Promise.all(writes)
  })
})

test('a write whose client hangs up while it waits is not sent to v1; one that has been sent is finished', async () => {
  const { gateway, ids } = await start(150)
  const sockets = Array.from({ length: 4 }, (_, index) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => undefined)
    const head = `POST ${WRITE} HTTP/1.1\r\nHost: a\r\nX-Request-Id: call-${index}\r\nContent-Length: ${BODY.length}\r\n\r\n`
    socket.write(head + BODY)
    return socket
  })
  await until(() => ids().length === 2)
  for (const socket of sockets) socket.resetAndDestroy()
  await until(() => gateway.log.length === 4)
  await wait(50)
  expect(ids()).toHaveLength(2)
  expect(gateway.log.map(({ status }) => status).toSorted()).toEqual([200, 200, 499, 499])
})

describe('a client beside one who makes far more calls than can be answered', () => {
  /** How long the polite client's calls take beside forty of the noisy one, who calls again whatever it is told. */
  async function beside(
    noisy: (call: number) => Readonly<Record<string, string>>,
    polite: Readonly<Record<string, string>>,
  ) {
    const { gateway } = await start(30, { maxWaiting: 30 })
    let isOver = false
    let calls = 0
    const loop = async (): Promise<void> => {
      while (!isOver) await timed(gateway, READ, noisy(calls++))
    }
    const loops = Array.from({ length: 40 }, loop)
    await wait(200)
    const replies = []
    for (let i = 0; i < 6; i++) replies.push(await timed(gateway, READ, polite))
    isOver = true
    await Promise.all(loops)
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
    return replies.map(({ ms }) => ms).toSorted((a, b) => a - b)[2] as number
  }

  const from = (address: string) => ({ 'x-forwarded-for': address })
  const sealed = async (client: string) => ({
    authorization: `Bearer ${await tokenSealer([KEY]).seal({ client, v1: 'x' })}`,
  })

  test('of another address waits for the end of one call, not for its calls', async () => {
    expect(await beside(() => from('192.0.2.1'), from('192.0.2.2'))).toBeLessThan(250)
  })

  test('is told from it by the token that the gateway handed out, whatever the address', async () => {
    expect(await beside(() => ({ authorization: 'Bearer x' }), await sealed('polite'))).toBeLessThan(250)
  })

  test('is told from one who makes up a token for each call', async () => {
    const noisy = (call: number) => ({ ...from('192.0.2.1'), authorization: `Bearer made-up-${call}` })
    expect(await beside(noisy, from('192.0.2.2'))).toBeLessThan(250)
  })

  test('is told from one who comes from many addresses of one IPv6 network', async () => {
    const noisy = (call: number) => from(`2001:db8:1:2::${call.toString(16)}`)
    expect(await beside(noisy, from('2001:db8:1:3::1'))).toBeLessThan(250)
  })

  test('gets a list that is the same for all, also when the noisy one asked for it first', async () => {
    const { gateway, v1 } = await start(100, { maxWaiting: 30 })
    const noisy = Array.from({ length: 30 }, () => timed(gateway, READ, from('192.0.2.1')))
    await until(() => v1.received.length === 2)
    const [first, second] = await Promise.all([
      gateway.call({ path: '/country/all', headers: from('192.0.2.1') }),
      gateway.call({ path: '/country/all', headers: from('192.0.2.2') }),
    ])
    expect([first.status, second.status]).toEqual([200, 200])
    expect(v1.received.filter(({ target }) => target.startsWith('/api/v1/finance')).length).toBeLessThan(10)
    await Promise.all(noisy)
  })
})
