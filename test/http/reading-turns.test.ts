import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type ListenOptions, listen } from '../../src/http/listen.ts'
import { Turn } from '../../src/http/turn.ts'
import { waitedBefore } from '../../src/http/waited.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { until } from '../support/start-gateway.ts'

type Limits = Partial<ListenOptions['connections']>

/** A port whose calls are answered at once. For a path that begins with `/hang`, they wait for a service until the test answers them; with `/slow` they are never answered. */
async function openPort(
  limits: Limits = {},
  onCall: (request: IncomingMessage) => void = () => undefined,
  keepAliveMs = 75_000,
) {
  const begun: string[] = []
  const hanging: { answer: () => void }[] = []
  const waited: number[] = []
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { url = '' } = request
    begun.push(url)
    waited.push(waitedBefore(request))
    onCall(request)
    if (url.startsWith('/hang')) hanging.push(waitForService(request, response))
    else if (!url.startsWith('/slow')) response.end(url)
  }
  const listener = await listen(handle, '127.0.0.1', 0, 'PORT', {
    keepAliveMs,
    connections: {
      limit: 1_000,
      maxWaiting: 10,
      maxLeaving: 10,
      refusal: '{}',
      waitingOfPeer: 2,
      waitCountsMs: 600_000,
      ...limits,
    },
  })
  closeAtEnd(() => listener.close(0))
  return { listener, begun, hanging, waited }
}

function waitForService({ socket }: IncomingMessage, response: ServerResponse) {
  const waitsNoMore = Turn.of(socket)?.waits()
  return {
    answer(): void {
      waitsNoMore?.()
      response.end()
    },
  }
}

/** A client's connection. `call` returns once the head of an answer has arrived. */
function openClient({ port }: { readonly port: number }, from = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => undefined)
  closeAtEnd(() => socket.destroy())
  let answers = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    answers += text
  })
  const send = (path: string, headers = ''): Socket => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: gateway\r\n${headers}\r\n`)
    return socket
  }
  return {
    socket,
    send,
    answers: () => answers,
    async call(path: string, headers = ''): Promise<void> {
      const before = answers.length
      send(path, headers)
      await until(() => answers.length > before)
    },
  }
}

type Port = Awaited<ReturnType<typeof openPort>>
type Client = ReturnType<typeof openClient>

/** Connections that have called and been answered, while two calls of the same peer wait. */
async function pausedBehindTwo(port: Port, count: number, headers = ''): Promise<readonly Client[]> {
  const clients = Array.from({ length: count }, () => openClient(port.listener))
  for (const number of [0, 1]) openClient(port.listener).send(`/hang${number}`, headers)
  await until(() => port.hanging.length === 2)
  for (const client of clients) await client.call('/first', headers)
  return clients
}

/** Long enough that what is read has been read. */
const aMoment = (): Promise<void> => wait(150)

const secondCalls = ({ begun }: Port): readonly string[] => begun.filter((url) => url.startsWith('/second'))

test('while many calls of a peer wait its other connections are not read, and then the first one in line first', async () => {
  const port = await openPort()
  const clients = await pausedBehindTwo(port, 4)
  for (const [number, { send }] of clients.entries()) send(`/second${number}`)
  await aMoment()
  expect(secondCalls(port)).toEqual([])
  port.hanging[0]?.answer()
  await until(() => secondCalls(port).length === 4)
  expect(secondCalls(port)).toEqual(['/second0', '/second1', '/second2', '/second3'])
  expect(port.waited.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 0])
  expect(Math.min(...port.waited.slice(6))).toBeGreaterThan(100)
})

test('another peer is read all the time', async () => {
  const port = await openPort()
  await pausedBehindTwo(port, 2)
  const polite = openClient(port.listener, '127.0.0.2')
  await polite.call('/first')
  await polite.call('/second')
  expect(secondCalls(port)).toEqual(['/second'])
})

test('connections that do not call when it is their turn do not keep the others waiting', async () => {
  const port = await openPort()
  const clients = await pausedBehindTwo(port, 5)
  clients[4]?.send('/second')
  await aMoment()
  expect(secondCalls(port)).toEqual([])
  port.hanging[0]?.answer()
  await until(() => secondCalls(port).length === 1)
})

test('a connection is read after five seconds at the latest, and its call says how long it may have waited', async () => {
  const port = await openPort()
  const [client] = await pausedBehindTwo(port, 1)
  client?.send('/second')
  await wait(4_500)
  expect(secondCalls(port)).toEqual([])
  await until(() => secondCalls(port).length === 1)
  expect(port.waited.at(-1)).toBeGreaterThanOrEqual(5_000)
  expect(port.waited.at(-1)).toBeLessThan(5_500)
})

test('a call whose client has hung up meanwhile does not begin', async () => {
  const port = await openPort()
  const [gone, other] = await pausedBehindTwo(port, 2)
  gone?.send('/second-of-gone').end()
  gone?.socket.destroySoon()
  other?.send('/second')
  await aMoment()
  port.hanging[0]?.answer()
  await until(() => secondCalls(port).length > 0)
  await aMoment()
  expect(secondCalls(port)).toEqual(['/second'])
})

test('calls that came together begin in their order, and not at all if their client has hung up meanwhile', async () => {
  const port = await openPort()
  const [gone, client] = await pausedBehindTwo(port, 2)
  gone?.send('/second-of-gone0')
  gone?.send('/second-of-gone1').end()
  gone?.socket.destroySoon()
  client?.send('/second0')
  client?.send('/second1')
  await aMoment()
  port.hanging[0]?.answer()
  await until(() => secondCalls(port).length >= 2)
  await aMoment()
  expect(secondCalls(port)).toEqual(['/second0', '/second1'])
  expect(Math.min(...port.waited.slice(-2))).toBeGreaterThan(100)
})

test('a call that comes after its connection is read again has not waited unread', async () => {
  const port = await openPort()
  const [client] = await pausedBehindTwo(port, 1)
  await aMoment()
  port.hanging[0]?.answer()
  await aMoment()
  await client?.call('/second')
  expect(port.waited.at(-1)).toBe(0)
})

test('connections that closed leave the line, and those behind them come', async () => {
  const port = await openPort()
  const [first, second, third] = await pausedBehindTwo(port, 3)
  first?.socket.resetAndDestroy()
  second?.socket.resetAndDestroy()
  third?.send('/second')
  await aMoment()
  port.hanging[0]?.answer()
  await until(() => secondCalls(port).length === 1)
})

test('calls that have waited for a second do not keep others waiting', async () => {
  const port = await openPort({ waitCountsMs: 500 })
  const [client] = (await pausedBehindTwo(port, 1)) as [Client]
  client.send('/second')
  await until(() => secondCalls(port).length === 1)
  // Otherwise it would be read after five seconds.
  expect(port.waited.at(-1)).toBeLessThan(4_000)
  await client.call('/third')
  expect(port.listener.connections().unread).toBe(0)
})

test('the newest connections come first while more calls wait, read or unread, than begin within a second', async () => {
  const port = await openPort({ waitingOfPeer: 12 })
  for (let number = 0; number < 12; number++) openClient(port.listener).send(`/hang${number}`)
  await until(() => port.hanging.length === 12)
  const clients = Array.from({ length: 4 }, () => openClient(port.listener))
  for (const { call } of clients) await call('/first')
  await wait(1_100)
  for (const [number, { send }] of clients.entries()) send(`/second${number}`)
  await aMoment()
  port.hanging[0]?.answer()
  await until(() => secondCalls(port).length === 4)
  expect(secondCalls(port)).toEqual(['/second3', '/second2', '/second1', '/second0'])
})

test('a peer is overloaded while more of its calls wait, read or unread, than begin within a second', async () => {
  const turns: (Turn | undefined)[] = []
  const port = await openPort({}, ({ socket }) => turns.push(Turn.of(socket)))
  await pausedBehindTwo(port, 4)
  const [turn] = turns
  expect(turn).toMatchObject({ isOverloaded: true, peer: { unread: 4, waiting: 2 } })
  for (const { answer } of port.hanging) answer()
  await until(() => turn?.peer.unread === 0)
  expect(turn).toMatchObject({ isOverloaded: false, peer: { waiting: 0 } })
  for (let number = 0; number < 10; number++) openClient(port.listener).send(`/hang${number}`)
  await until(() => port.hanging.length === 2 + 10)
  // Nothing waits unread.
  expect(turn).toMatchObject({ isOverloaded: false, peer: { unread: 0, waiting: 10 } })
})

test('a peer whose connections are read within a second is not overloaded', async () => {
  const turns: (Turn | undefined)[] = []
  const port = await openPort({}, ({ socket }) => turns.push(Turn.of(socket)))
  const clients = await pausedBehindTwo(port, 40)
  port.hanging[0]?.answer()
  await until(() => turns[0]?.peer.unread === 0)
  openClient(port.listener).send('/hang2')
  await until(() => port.hanging.length === 3)
  for (const { call } of clients.slice(0, 3)) await call('/second')
  expect(turns[0]).toMatchObject({ isOverloaded: false, peer: { unread: 3, waiting: 2 } })
})

test('calls that get a slot without waiting let the next connections be read at once', async () => {
  const begunAt: number[] = []
  const port = await openPort({}, ({ url = '', socket }) => {
    if (!url.startsWith('/slow')) return
    begunAt.push(performance.now())
    Turn.of(socket)?.asks()
  })
  const clients = await pausedBehindTwo(port, 100)
  for (const { send } of clients) send('/slow')
  await aMoment()
  port.hanging[0]?.answer()
  await until(() => begunAt.length === 100)
  // Otherwise one would be read every 10 ms at most.
  expect((begunAt.at(-1) as number) - (begunAt[0] as number)).toBeLessThan(900)
})

test('calls that are carried out, however slowly, let no connection wait', async () => {
  const port = await openPort()
  for (let number = 0; number < 10; number++) openClient(port.listener).send(`/slow${number}`)
  await until(() => port.begun.length === 10)
  const client = openClient(port.listener)
  await client.call('/first')
  await client.call('/second')
  expect(port.listener.connections().unread).toBe(0)
})

test('many connections that have been left unread for five seconds are read one after another', async () => {
  const begunAt: number[] = []
  const port = await openPort({}, ({ url = '' }) => {
    if (url.startsWith('/second')) begunAt.push(performance.now())
  })
  await pausedBehindTwo(port, 0)
  const clients = Array.from({ length: 128 }, () => openClient(port.listener))
  for (const { send } of clients) send('/hang')
  await until(() => port.hanging.length === 2 + 128)
  for (const { answer } of port.hanging.slice(2)) answer()
  await until(() => port.listener.connections().unread === 128)
  for (const { send } of clients) send('/second')
  await until(() => secondCalls(port).length === 128)
  // 4 every 10 ms.
  expect((begunAt.at(-1) as number) - (begunAt[0] as number)).toBeGreaterThan(250)
})

test('all connections of a peer with two clients are read', async () => {
  const port = await openPort({}, ({ socket, headers }) => Turn.of(socket)?.calledBy(headers.authorization, false))
  const clients = await pausedBehindTwo(port, 2, 'Authorization: one\r\n')
  clients[0]?.send('/second', 'Authorization: one\r\n')
  await aMoment()
  expect(secondCalls(port)).toEqual([])
  // A new connection is always read.
  const other = openClient(port.listener)
  await other.call('/first', 'Authorization: two\r\n')
  await until(() => secondCalls(port).length === 1)
  await other.call('/second', 'Authorization: two\r\n')
  expect(secondCalls(port)).toHaveLength(2)
})

test('all connections of a proxy are read', async () => {
  const port = await openPort({}, ({ socket, headers }) => Turn.of(socket)?.calledBy(undefined, headers.via === 'x'))
  const clients = await pausedBehindTwo(port, 2, 'Via: x\r\n')
  for (const client of clients) await client.call('/second', 'Via: x\r\n')
  expect(secondCalls(port)).toHaveLength(2)
})

test('when the port is about to be closed all connections are read and answered', async () => {
  const port = await openPort()
  const clients = await pausedBehindTwo(port, 3)
  for (const { send } of clients) send('/second')
  await aMoment()
  expect(secondCalls(port)).toEqual([])
  const closed = port.listener.close(5_000)
  await until(() => clients.every(({ answers }) => answers().includes('/second')))
  for (const { answers } of clients) expect(answers()).toMatch(/Connection: close\r\n.*\/second$/s)
  for (const { answer } of port.hanging) answer()
  await closed
})

test('also when it is closed in the middle of a turn of the event loop', async () => {
  let closed: Promise<void> | undefined
  const port = await openPort({}, ({ url }) => {
    if (url === '/close') closed = port.listener.close(5_000)
  })
  const [client] = await pausedBehindTwo(port, 1)
  client?.send('/second')
  await aMoment()
  openClient(port.listener, '127.0.0.2').send('/close')
  await until(() => client?.answers().includes('/second') === true)
  for (const { answer } of port.hanging) answer()
  await closed
})

test('a connection that is not read is not closed as an idle one to make room', async () => {
  const port = await openPort({ limit: 4 })
  const clients = await pausedBehindTwo(port, 2)
  clients[0]?.send('/second')
  await wait(700)
  openClient(port.listener, '127.0.0.2').send('/third')
  await aMoment()
  expect(port.begun).not.toContain('/third')
  port.hanging[0]?.answer()
  await until(() => secondCalls(port).length === 1)
  await until(() => port.begun.includes('/third'))
})

test('a connection that is not read outlives its keep-alive time, and after that only when it is idle', async () => {
  // Node adds a second.
  const port = await openPort({}, undefined, 100)
  const [client, idle] = await pausedBehindTwo(port, 2)
  client?.send('/second')
  await wait(1_500)
  port.hanging[0]?.answer()
  await until(() => client?.answers().includes('/second') === true)
  await until(() => idle?.socket.readableEnded === true)
})
