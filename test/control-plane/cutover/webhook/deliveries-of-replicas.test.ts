import { expect, it } from 'vitest'
import { startHttpServer } from '../../../support/http-server.ts'
import { startDeliveries } from './deliveries.ts'
import { type OutboxStore, plainOutbox } from './plain-outbox.ts'
import { messageOf } from './receivers.ts'
import { virtualTime } from './virtual-time.ts'

const SECOND = 1_000

it('of two replicas, only the holder of the lease sends', async () => {
  const time = virtualTime()
  const outbox = plainOutbox(time.now)
  const { url, received } = await startHttpServer((_, response) => response.end())
  const replicas = ['one', 'two'].map((holder) => startDeliveries(outbox.seenBy(holder), url, time))
  for (let index = 0; index < 20; index++) outbox.add(`m-${index}`, `operation-${index % 5}`)
  await time.pass(20 * SECOND)
  expect(received).toHaveLength(20)
  expect(replicas.map(({ webhooks }) => webhooks.counts().delivered).toSorted()).toEqual([0, 20])
})

it('when the holder is dead, another replica goes on as soon as its lease is over: within 20 s', async () => {
  const time = virtualTime()
  const outbox = plainOutbox(time.now)
  const { url, received } = await startHttpServer((_, response) => response.end())
  const first = startDeliveries(outbox.seenBy('one'), url, time)
  outbox.add('a-1', 'a')
  await time.pass(2 * SECOND)
  const second = startDeliveries(outbox.seenBy('two'), url, time)
  // It does not return its lease.
  await first.webhooks.close(0)
  outbox.add('a-2', 'a')
  await time.pass(8 * SECOND)
  expect(received.map((request) => messageOf(request).id)).toEqual(['a-1'])
  await time.pass(4 * SECOND)
  expect(received.map((request) => messageOf(request).id)).toEqual(['a-1', 'a-2'])
  expect(second.webhooks.counts()).toMatchObject({ delivered: 1, oldestSeconds: 0 })
})

it('a message of a process that dies before the store knows that it was taken is sent again, with the same id and body', async () => {
  const time = virtualTime()
  const outbox = plainOutbox(time.now)
  const { url, received } = await startHttpServer((_, response) => response.end())
  const mortal: OutboxStore = { ...outbox.seenBy('one'), settle: async () => undefined }
  const first = startDeliveries(mortal, url, time)
  outbox.add('a-1', 'a')
  await time.pass(0)
  await first.webhooks.close(0)
  startDeliveries(outbox.seenBy('two'), url, time)
  await time.pass(15 * SECOND)
  expect(received).toHaveLength(2)
  expect(received[1]?.body).toBe(received[0]?.body)
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(['a-1', 'a-1'])
  expect(received[1]?.headers['x-signature']).toBe(received[0]?.headers['x-signature'])
  expect(outbox.left()).toEqual([])
})

it('while the store is away nothing is sent twice, and it learns what was delivered when it is back', async () => {
  const time = virtualTime()
  const outbox = plainOutbox(time.now)
  const { url, received } = await startHttpServer((_, response) => {
    outbox.isAway = true
    response.end()
  })
  const { log, webhooks } = startDeliveries(outbox.seenBy('one'), url, time)
  outbox.add('a-1', 'a')
  await time.pass(60 * SECOND)
  expect(outbox.left()).toEqual(['a-1'])
  outbox.isAway = false
  await time.pass(5 * SECOND)
  expect(received).toHaveLength(1)
  expect(webhooks.counts()).toMatchObject({ delivered: 1, failedAttempts: 0 })
  expect(log()).toBe('')
})
