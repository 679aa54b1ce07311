import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Turn } from '../../../src/http/turn.ts'
import { aMoment, openClient, openPort, pausedBehindTwo, secondCalls } from '../../support/port-with-turns.ts'
import { until } from '../../support/start-gateway.ts'

test.concurrent('a connection is read after five seconds at the latest, and its call says how long it may have waited', async () => {
  const port = await openPort()
  const [client] = await pausedBehindTwo(port, 1)
  client?.send('/second')
  await wait(4_500)
  expect(secondCalls(port)).toEqual([])
  await until(() => secondCalls(port).length === 1)
  expect(port.waited.at(-1)).toBeGreaterThanOrEqual(5_000)
  expect(port.waited.at(-1)).toBeLessThan(5_500)
})

test.concurrent('many connections that have been left unread for five seconds are read one after another', async () => {
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
