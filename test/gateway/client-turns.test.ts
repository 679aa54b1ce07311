import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { readAddressRanges } from '../../src/app/config/address-ranges.ts'
import { turnOf } from '../../src/gateway/client-turns.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { startHttpServer } from '../support/http-server.ts'
import { type StartedGateway, startGateway } from '../support/start-gateway.ts'

/** A gateway that answers calls itself, with 404, and believes `X-Forwarded-For`. */
async function start(): Promise<StartedGateway> {
  const v1 = await startHttpServer((_, response) => void response.end())
  return startGateway(v1.url, { settings: { trustedProxies: readAddressRanges('127.0.0.1', expect.unreachable) } })
}

async function open(gateway: StartedGateway): Promise<Socket> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  closeAtEnd(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Makes a call; resolves with the first line of its answer. */
async function call(socket: Socket, client: string): Promise<string> {
  socket.write(`GET /api/nothing HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  return answer.toString('latin1').split('\r\n')[0] as string
}

/**
 * Two calls of one client, on the first and the last connection, after 200 calls of a noisy client. Returns how many of those
 * were answered before the later of the two.
 */
async function answeredBefore(gateway: StartedGateway, client: string): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: 202 }, () => open(gateway)))
  // Until the gateway has accepted all of them.
  for (const socket of sockets) await call(socket, client)
  let answered = 0
  const noisy = sockets.slice(1, -1).map(async (socket) => {
    expect(await call(socket, '192.0.2.1')).toBe('HTTP/1.1 404 Not Found')
    answered++
  })
  const two = await Promise.all([sockets.at(0), sockets.at(-1)].map((socket) => call(socket as Socket, client)))
  expect(two).toEqual(Array(2).fill('HTTP/1.1 404 Not Found'))
  const before = answered
  await Promise.all(noisy)
  return before
}

test('a client with hundreds of calls at once does not delay another one until all of them are answered', async () => {
  expect(await answeredBefore(await start(), '192.0.2.2')).toBeLessThan(100)
})

test('it delays its own calls', async () => {
  expect(await answeredBefore(await start(), '192.0.2.1')).toBeGreaterThan(180)
})

test('calls that wait for their turn count as waiting until they begin', async () => {
  const noted: boolean[] = []
  const never = (): void => undefined
  const caller = {
    gone: undefined,
    isOverloaded: false,
    onGone: never,
    offGone: never,
    asks: never,
    waits: (is: boolean) => noted.push(is),
  }
  const turns = Array.from({ length: 18 }, () => turnOf('192.0.2.3', caller))
  expect(noted).toEqual([true, true])
  await Promise.all(turns)
  expect(noted).toEqual([true, true, false, false])
})
