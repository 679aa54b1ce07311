import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { openForwarder } from '../../../src/data-plane/upstream/forward.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { openTestUpstream, read, write } from '../../support/open-upstream.ts'
import { http, type RawServer, startRawServer } from '../../support/raw-server.ts'

/** After this time the service ignores requests on an idle connection, but has not closed it yet. */
const CLOSING_AFTER_MS = 550
const PAUSE_MS = 700

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A service that is always about to close connections that were idle for long: requests on them get no answer. */
function startImpatient(headers: Readonly<Record<string, string>> = {}): Promise<RawServer> {
  const usedAt = new Map<Socket, number>()
  return startRawServer((socket) => {
    const last = usedAt.get(socket)
    usedAt.set(socket, performance.now())
    if (last !== undefined && performance.now() - last > CLOSING_AFTER_MS) socket.destroy()
    else socket.write(http(200, '{}', headers))
  })
}

describe.concurrent('a connection that the service may be closing', () => {
  test('is not used for a write: a new one is opened', async () => {
    const server = await startImpatient()
    const upstream = openTestUpstream(server.url)
    await upstream.call(write)
    await wait(PAUSE_MS)
    expect((await upstream.call(write)).status).toBe(200)
    expect([server.requests.length, server.connections()]).toEqual([2, 2])
  })

  test('is not used for a call that is passed on, not even a read', async () => {
    const server = await startImpatient()
    const forwarder = openForwarder({ baseUrl: new URL(server.url), timeoutMs: 20_000 })
    closeAtEnd(() => forwarder.close())
    const twice = async (method: string, isRead: boolean) => {
      const ask = async () => {
        const { status, body } = await forwarder.forward({ method, path: '/a', headers: {}, body: null, isRead })
        await text(body)
        return status
      }
      await ask()
      await wait(PAUSE_MS)
      expect(await ask()).toBe(200)
    }
    await Promise.all([twice('POST', false), twice('GET', true)])
    expect(server.requests.length).toBe(4)
  })

  test('may carry a read, which is sent again when it gets no answer', async () => {
    const server = await startImpatient()
    const upstream = openTestUpstream(server.url)
    await upstream.call(read)
    await wait(PAUSE_MS)
    expect((await upstream.call(read)).status).toBe(200)
  })
})

describe.concurrent('a write after a pause', () => {
  test.each([
    ['a longer time than the pause, with a margin', 'timeout=5', 1],
    ['a time that is nearly over', 'timeout=1', 2],
  ])('when the service announced %s', async (_, keepAlive, connections) => {
    const server = await startRawServer((socket) => socket.write(http(200, '{}', { 'keep-alive': keepAlive })))
    const upstream = openTestUpstream(server.url)
    await upstream.call(write)
    await wait(PAUSE_MS)
    await upstream.call(write)
    expect(server.connections()).toBe(connections)
  })
})

// Not concurrent: beside other calls a connection may become free a moment too late.
describe('a write in quick succession', () => {
  test('uses the same connection', async () => {
    const server = await startRawServer((socket) => socket.write(http(200, '{}')))
    const upstream = openTestUpstream(server.url)
    for (let times = 0; times < 5; times++) await upstream.call(write)
    expect(server.connections()).toBe(1)
  })
})
