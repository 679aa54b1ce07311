import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { receiveBody } from '../../../src/data-plane/gateway/receive-body.ts'
import { Holder } from '../../../src/data-plane/upstream/memory-budget.ts'
import { http, startRawServer } from '../../support/raw-server.ts'
import { type StartedGateway, startGateway, until } from '../../support/start-gateway.ts'
import { v1Record } from '../../support/v1-bodies.ts'

const token = http(200, JSON.stringify(v1Record({ token: 't' })))
const head = (line: string): string => `POST /auth/application HTTP/1.1\r\nHost: a\r\n${line}\r\n\r\n`

/** A path that the gateway answers by itself. */
const OTHER = '/nothing'

/** The gateway takes calls in order. */
const inOrder = { hasOneSocket: true }

/** When this call is answered, the gateway has seen everything that was sent before. */
async function untilTaken(gateway: StartedGateway): Promise<void> {
  expect((await gateway.call({ path: OTHER })).status).toBe(404)
}

describe('a client that hangs up', () => {
  async function hangUp(text: string) {
    const v1 = await startRawServer((socket) => socket.write(token))
    const gateway = await startGateway(v1.url, inOrder)
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    await new Promise<void>((resolve) => socket.write(text, () => resolve()))
    await untilTaken(gateway)
    socket.resetAndDestroy()
    const log = () => gateway.log.filter(({ path }) => path !== OTHER)
    await until(() => log().length > 0)
    return { v1, gateway, log: log() }
  }

  test.each([
    ['in the middle of its body', `${head('Content-Length: 50')}{"a"`],
    ['between its chunks', `${head('Transfer-Encoding: chunked')}7\r\n{"a":1}\r\n`],
  ])('%s is not passed on, and nothing breaks', async (_, text) => {
    const { v1, gateway, log } = await hangUp(text)
    expect(v1.requests).toEqual([])
    expect(log).toMatchObject([{ level: 30, status: 499 }])
    expect((await gateway.call({ path: '/auth/application', body: '{}' })).status).toBe(200)
  })

  test('before its body is read is not waited for', async () => {
    const incoming = new IncomingMessage(new Socket())
    incoming.destroy()
    await once(incoming, 'close')
    await expect(receiveBody(incoming, { maxBodyBytes: 10, memory: undefined }, new Holder())).rejects.toMatchObject({
      name: 'ClientAbort',
    })
  })

  test('before it is answered breaks nothing', async () => {
    const v1 = await startRawServer((socket) => {
      setTimeout(() => socket.write(token), 80)
    })
    const gateway = await startGateway(v1.url)
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.write('POST /auth/application HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}')
    await until(() => v1.requests.length === 1)
    socket.resetAndDestroy()
    await until(() => gateway.log.length === 1)
    expect((await gateway.call({ path: '/auth/application', body: '{}' })).status).toBe(200)
  })

  test.each([
    ['a read', 'POST /api/invoice/list', true],
    ['a calculation', 'POST /api/calculate/price', false],
    ['a write', 'POST /api/single/point/import', false],
  ])(
    'cancels %s only when it is a read: what may have an effect is finished and logged',
    async (_, line, isGivenUp) => {
      let closed = false
      let answer = (): void => undefined
      const v1 = await startRawServer((socket) => {
        socket.on('close', () => {
          closed = true
        })
        answer = () => socket.write(http(201, JSON.stringify({ ...v1Record({}), items: [] })))
      })
      const gateway = await startGateway(v1.url, inOrder)
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
      socket.write(`${line} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`)
      await until(() => v1.requests.length === 1)
      socket.resetAndDestroy()
      await untilTaken(gateway)
      if (!isGivenUp) answer()
      const log = () => gateway.log.filter(({ path }) => path !== OTHER)
      await until(() => log().length === 1)
      expect(log()[0]).toMatchObject(isGivenUp ? { status: 499, level: 30 } : { status: 200, v1Status: 201 })
      if (isGivenUp) await until(() => closed)
      else expect(closed).toBe(false)
    },
  )
})
