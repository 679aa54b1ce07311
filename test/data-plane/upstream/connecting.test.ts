import type { LookupAddress } from 'node:dns'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type LookupFunction, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { closeAtEnd } from '../../support/clean-up.ts'
import { openTestUpstream, read } from '../../support/open-upstream.ts'

afterEach(() => vi.useRealTimers())

/** A service at an address of loopback, that answers with its address. */
async function startAt(address: string, port = 0): Promise<number> {
  const server: Server = createServer((_, response) => response.end(address))
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  closeAtEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Listens, but accepts nothing for `forMs`, and its backlog is full: a handshake hangs until the system tries again. */
async function startHanging(address: string, port: number, forMs: number): Promise<void> {
  const hanging = new Worker(HANGING, { eval: true, workerData: { address, port, forMs } })
  await new Promise((resolve) => hanging.once('message', resolve))
  const filling: Socket[] = []
  for (let number = 0; number < 3; number++) {
    filling.push(connect(port, address).on('error', () => undefined))
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
  closeAtEnd(async () => {
    for (const socket of filling) socket.destroy()
    await hanging.terminate()
  })
}

const HANGING = `
  const { parentPort, workerData: { address, port, forMs } } = require('node:worker_threads')
  const server = require('node:http').createServer((_, response) => response.end(address))
  server.listen({ host: address, port, backlog: 1 }, () => {
    parentPort.postMessage('listening')
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs))
  })`

const lookingUp =
  (...addresses: readonly string[]): LookupFunction =>
  (_, __, callback) =>
    callback(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

const upstreamAt = (port: number, lookup: LookupFunction, timeoutMs = 20_000) =>
  openTestUpstream(`http://service.test:${port}`, {
    timeoutMs,
    connecting: { tls: undefined, proxy: undefined, lookup },
  })

describe('a service with several addresses', () => {
  test('is reached at one that takes longer than 250 ms, while the other has no route', async () => {
    const port = await startAt('127.0.0.9')
    await startHanging('127.0.0.2', port, 600)
    const answer = await upstreamAt(port, lookingUp('127.0.0.2', '127.0.0.3')).call(read)
    expect(Buffer.from(answer.body).toString()).toBe('127.0.0.2')
    expect(answer.milliseconds).toBeGreaterThan(250)
  })

  test.each([
    ['hangs', ['127.0.0.4', '127.0.0.5']],
    ['refuses', ['127.0.0.6', '127.0.0.5']],
    ['has no route', ['2001:db8::1', '127.0.0.5']],
  ])('is reached at the second one soon when the first %s', async (_, addresses) => {
    const port = await startAt('127.0.0.5')
    if (addresses[0] === '127.0.0.4') await startHanging('127.0.0.4', port, 60_000)
    const answer = await upstreamAt(port, lookingUp(...addresses)).call(read)
    expect(Buffer.from(answer.body).toString()).toBe('127.0.0.5')
    expect(answer.milliseconds).toBeLessThan(5_000)
  })

  test('is said to be unreachable with the reason of each address', async () => {
    const port = await startAt('127.0.0.9')
    await expect(upstreamAt(port, lookingUp('127.0.0.7', '127.0.0.8')).call(read)).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('127.0.0.7: connection refused; 127.0.0.8: connection refused'),
      why: 'connection refused',
    })
  })
})

test('a name that moves is followed within minutes, although the old address still answers', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const port = await startAt('127.0.0.10')
  await startAt('127.0.0.11', port)
  let address = '127.0.0.10'
  const upstream = upstreamAt(port, (name, options, callback) => lookingUp(address)(name, options, callback))
  const called = async (): Promise<string> => Buffer.from((await upstream.call(read)).body).toString()
  expect(await called()).toBe('127.0.0.10')
  address = '127.0.0.11'
  expect(await called()).toBe('127.0.0.10')
  vi.setSystemTime(Date.now() + 180_000)
  expect(await called()).toBe('127.0.0.11')
})
