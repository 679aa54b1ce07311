import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Turn } from '../../src/http/turn.ts'
import { aMoment, type Client, openClient, openPort, pausedBehindTwo, secondCalls } from '../support/port-with-turns.ts'
import { until } from '../support/start-gateway.ts'

test.concurrent('while many calls of a peer wait its other connections are not read, and then the first one in line first', async () => {
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

test.concurrent('another peer is read all the time', async () => {
  const port = await openPort()
  await pausedBehindTwo(port, 2)
  const polite = openClient(port.listener, '127.0.0.2')
  await polite.call('/first')
  await polite.call('/second')
  expect(secondCalls(port)).toEqual(['/second'])
})

test.concurrent('connections that do not call when it is their turn do not keep the others waiting', async () => {
  const port = await openPort()
  const clients = await pausedBehindTwo(port, 5)
  clients[4]?.send('/second')
  await aMoment()
  expect(secondCalls(port)).toEqual([])
  port.hanging[0]?.answer()
  await until(() => secondCalls(port).length === 1)
})

test.concurrent('a call whose client has hung up meanwhile does not begin', async () => {
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

test.concurrent('calls that came together begin in their order, and not at all if their client has hung up meanwhile', async () => {
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

test.concurrent('a call that comes after its connection is read again has not waited unread', async () => {
  const port = await openPort()
  const [client] = await pausedBehindTwo(port, 1)
  await aMoment()
  port.hanging[0]?.answer()
  await aMoment()
  await client?.call('/second')
  expect(port.waited.at(-1)).toBe(0)
})

test.concurrent('connections that closed leave the line, and those behind them come', async () => {
  const port = await openPort()
  const [first, second, third] = await pausedBehindTwo(port, 3)
  first?.socket.resetAndDestroy()
  second?.socket.resetAndDestroy()
  third?.send('/second')
  await aMoment()
  port.hanging[0]?.answer()
  await until(() => secondCalls(port).length === 1)
})

test.concurrent('calls that have waited for a second do not keep others waiting', async () => {
  const port = await openPort({ waitCountsMs: 200 })
  const [client] = (await pausedBehindTwo(port, 1)) as [Client]
  client.send('/second')
  await until(() => secondCalls(port).length === 1)
  // Otherwise it would be read after five seconds.
  expect(port.waited.at(-1)).toBeLessThan(4_000)
  await client.call('/third')
  expect(port.listener.connections().unread).toBe(0)
})

test.concurrent('the newest connections come first while more calls wait, read or unread, than begin within a second', async () => {
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

test.concurrent('a peer is overloaded while more of its calls wait, read or unread, than begin within a second', async () => {
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

test.concurrent('a peer whose connections are read within a second is not overloaded', async () => {
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

test.concurrent('calls that are carried out, however slowly, let no connection wait', async () => {
  const port = await openPort()
  for (let number = 0; number < 10; number++) openClient(port.listener).send(`/slow${number}`)
  await until(() => port.begun.length === 10)
  const client = openClient(port.listener)
  await client.call('/first')
  await client.call('/second')
  expect(port.listener.connections().unread).toBe(0)
})

test.concurrent('all connections of a peer with two clients are read', async () => {
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

test.concurrent('all connections of a proxy are read', async () => {
  const port = await openPort({}, ({ socket, headers }) => Turn.of(socket)?.calledBy(undefined, headers.via === 'x'))
  const clients = await pausedBehindTwo(port, 2, 'Via: x\r\n')
  for (const client of clients) await client.call('/second', 'Via: x\r\n')
  expect(secondCalls(port)).toHaveLength(2)
})

test.concurrent('when the port is about to be closed all connections are read and answered', async () => {
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

test.concurrent('also when it is closed in the middle of a turn of the event loop', async () => {
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

test.concurrent('a connection that is not read is not closed as an idle one to make room', async () => {
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

test.concurrent('a connection that is not read outlives its keep-alive time, and after that only when it is idle', async () => {
  // Node adds a second.
  const port = await openPort({}, undefined, 100)
  const [client, idle] = await pausedBehindTwo(port, 2)
  client?.send('/second')
  await wait(1_500)
  port.hanging[0]?.answer()
  await until(() => client?.answers().includes('/second') === true)
  await until(() => idle?.socket.readableEnded === true)
})
