import { describe, expect, it } from 'vitest'
import { startHttpServer } from '../../../support/http-server.ts'
import { deadUrl } from '../../../support/raw-server.ts'
import { until } from '../../../support/start-gateway.ts'
import { startDeliveries } from './deliveries.ts'
import { plainOutbox } from './plain-outbox.ts'
import { listenAt, messageOf } from './receivers.ts'
import { virtualTime } from './virtual-time.ts'

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]
const idsOf = (operation: string, times: number): readonly string[] =>
  Array.from({ length: times }, (_, index) => `${operation}-${index + 1}`)

describe('a receiver that is away', () => {
  it('for an hour, then answers 500, then 200, gets each message at least once, and those of an operation in order', async () => {
    const time = virtualTime()
    const outbox = plainOutbox(time.now)
    const operations = ['a', 'b', 'c']
    const url = await deadUrl()
    const { webhooks } = startDeliveries(outbox.seenBy('one'), `${url}/hook?key=k`, time)
    for (const operation of operations) outbox.add(`${operation}-1`, operation)
    await time.pass(30 * MINUTE)
    for (const operation of operations) outbox.add(`${operation}-2`, operation)
    outbox.add('late-1', 'late')
    await time.pass(30 * MINUTE)
    expect(webhooks.counts()).toMatchObject({ delivered: 0, givenUp: 0, oldestSeconds: 3_600 })

    let status = 500
    const offered: string[] = []
    const taken: string[] = []
    await listenAt(Number(new URL(url).port), (request, response) => {
      const list = status === 200 ? taken : offered
      list.push(messageOf(request).id)
      response.writeHead(status).end('some words')
    })
    await time.pass(HOUR)
    expect(offered.length).toBeGreaterThan(4)
    // What was not taken holds up what follows it.
    expect(new Set(offered)).toEqual(new Set(['a-1', 'b-1', 'c-1', 'late-1']))

    status = 200
    await time.pass(11 * MINUTE)
    for (const operation of operations) expect(taken.filter((id) => id[0] === operation)).toEqual(idsOf(operation, 2))
    expect(taken).toContain('late-1')
    expect(outbox.left()).toEqual([])
    expect(webhooks.counts()).toMatchObject({ delivered: 7, givenUp: 0, oldestSeconds: 0 })
  })

  it('for a day: a message is given up, which is logged and counted, and what follows it is sent', async () => {
    const time = virtualTime()
    const outbox = plainOutbox(time.now)
    const url = await deadUrl()
    outbox.add('a-1', 'a')
    // No gateway runs.
    await time.pass(23 * HOUR)
    outbox.add('a-2', 'a')
    const { webhooks, log } = startDeliveries(outbox.seenBy('one'), url, time)
    await time.pass(59 * MINUTE)
    expect(webhooks.counts()).toMatchObject({ delivered: 0, givenUp: 0 })
    expect(webhooks.counts().oldestSeconds).toBeGreaterThan(23.9 * 3_600)
    await time.pass(20 * MINUTE)
    expect(webhooks.counts()).toMatchObject({ delivered: 0, givenUp: 1 })
    expect(webhooks.counts().oldestSeconds).toBeLessThan(2 * 3_600)
    expect(log()).toMatch(/"level":50,.*"messages":1,.*given up/)

    const taken: string[] = []
    await listenAt(Number(new URL(url).port), (request, response) => {
      taken.push(messageOf(request).id)
      response.end()
    })
    await time.pass(11 * MINUTE)
    expect(taken).toEqual(['a-2'])
  })

  it('is asked again within 20 s, then less and less often, and every ten minutes at the least', async () => {
    const time = virtualTime()
    const outbox = plainOutbox(time.now)
    const times: number[] = []
    const { url } = await startHttpServer((_, response) => {
      times.push(time.now())
      response.writeHead(503).end()
    })
    startDeliveries(outbox.seenBy('one'), url, time)
    outbox.add('a-1', 'a')
    await time.pass(2 * HOUR)
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    expect(pauses[0]).toBeLessThan(20 * SECOND)
    expect(pauses[1]).toBeLessThan(20 * SECOND)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(10 * MINUTE + SECOND)
    expect(Math.min(...pauses.slice(8))).toBeGreaterThan(4 * MINUTE)
    expect(new Set(pauses.slice(8)).size).toBeGreaterThan(5)
  })
})

describe('a receiver that hangs', () => {
  it('with messages of one operation gets those of others', async () => {
    const time = virtualTime()
    const outbox = plainOutbox(time.now)
    const taken: string[] = []
    const receiver = await startHttpServer((request, response) => {
      const { operation, id } = messageOf(request)
      if (operation === 'stuck') return
      taken.push(id)
      response.end()
    })
    // What hangs is not waited for.
    startDeliveries(outbox.seenBy('one'), receiver.url, time, { watches: false })
    for (const operation of ['stuck', 'a', 'b']) for (const id of idsOf(operation, 3)) outbox.add(id, operation)
    await expect
      .poll(async () => {
        await time.pass(SECOND)
        return outbox.left()
      })
      .toEqual(idsOf('stuck', 3))
    expect(taken.toSorted()).toEqual([...idsOf('a', 3), ...idsOf('b', 3)])
    expect(receiver.received.filter(({ body }) => body.includes('stuck'))).toHaveLength(1)
  })

  it('gets four messages at a time, and gives way to the next after the time of an attempt', async () => {
    const time = virtualTime()
    const outbox = plainOutbox(time.now)
    const seen = new Set<string>()
    const { url } = await startHttpServer((request) => seen.add(messageOf(request).operation))
    const { mostAtOnce } = startDeliveries(outbox.seenBy('one'), url, time, { timeoutMs: 300 })
    for (let index = 0; index < 14; index++) outbox.add(`m-${index}`, `operation-${index}`)
    await expect
      .poll(async () => {
        await time.pass(SECOND)
        return seen.size
      })
      .toBe(14)
    expect(mostAtOnce()).toBe(4)
  })
})

describe('when the gateway stops', () => {
  it('an attempt under way may end', async () => {
    const time = virtualTime()
    const outbox = plainOutbox(time.now)
    const answers: (() => void)[] = []
    const { url } = await startHttpServer((_, response) => answers.push(() => response.end()))
    const { webhooks } = startDeliveries(outbox.seenBy('one'), url, time, { watches: false })
    outbox.add('a-1', 'a')
    outbox.add('a-2', 'a')
    await until(() => answers.length === 1)
    const closed = webhooks.close(10 * SECOND)
    answers[0]?.()
    await closed
    expect(outbox.left()).toEqual(['a-2'])
    expect(webhooks.counts()).toMatchObject({ delivered: 1, failedAttempts: 0 })
  })

  it('one that hangs is left behind after the grace, and is the next process’s', async () => {
    const time = virtualTime()
    const outbox = plainOutbox(time.now)
    let isHanging = true
    const taken: string[] = []
    const receiver = await startHttpServer((request, response) => {
      taken.push(messageOf(request).id)
      if (!isHanging) response.end()
    })
    const { webhooks } = startDeliveries(outbox.seenBy('one'), receiver.url, time, { watches: false })
    outbox.add('a-1', 'a')
    await until(() => taken.length === 1)
    const closed = webhooks.close(10 * SECOND)
    await time.pass(10 * SECOND)
    await closed
    isHanging = false
    startDeliveries(outbox.seenBy('two'), receiver.url, time)
    await time.pass(2 * SECOND)
    expect(taken).toEqual(['a-1', 'a-1'])
    expect(outbox.left()).toEqual([])
  })
})
