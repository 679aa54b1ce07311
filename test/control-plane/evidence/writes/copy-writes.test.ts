import { describe, expect, it } from 'vitest'
import { type Compared, notCompared } from '../../../../src/control-plane/evidence/compare-exchange.ts'
import { skipped } from '../../../../src/control-plane/evidence/observation.ts'
import type { CopyReply } from '../../../../src/control-plane/evidence/writes/copy-account.ts'
import { copyPairs } from '../../../../src/control-plane/evidence/writes/copy-pairs.ts'
import { openCopyWrites } from '../../../../src/control-plane/evidence/writes/copy-writes.ts'
import type { Rollout } from '../../../../src/control-plane/rollout/rollout.ts'
import type { Exchange } from '../../../../src/exchange/exchange.ts'
import { operation, post, record } from '../../../../src/mapping/operation.ts'
import { body } from '../../../../src/mapping/request.ts'
import { same, shape } from '../../../../src/mapping/shape.ts'
import { until } from '../../../support/start-gateway.ts'

const order = shape('Order', { title: same('string') })
const create = operation('order-create', {
  ...{ says: '', effect: 'write', authorization: 'none', legacy: post('/order'), v1: post('/v1/orders') },
  ...{ request: body(order), response: record(order) },
})

const OK: CopyReply = { status: 200, body: Buffer.from('{}') }

function write(name: string, client = 'me'): Exchange {
  const answer = { status: 200, body: Buffer.from('{}'), failure: undefined, milliseconds: 1 }
  return {
    ...{ operation: create.id, version: '', at: new Date(), answeredBy: 'legacy', isCached: false, status: 200 },
    ...{ client, caller: client, failure: undefined, countedClient: client, rolloutClient: client, facts: [], size: 1 },
    request: { ...create.legacy, query: '', headers: {}, body: Buffer.from(JSON.stringify({ title: name })) },
    answer: async () => answer,
    credentials: { v1: undefined, legacy: undefined, isOurs: false },
  }
}

/** A queue of writes to a copy that answers when a test says so. */
function open({ perSecond = 1_000, answers = true, concurrency = 8, compares = true } = {}) {
  const sent: string[] = []
  const sentAt: number[] = []
  const told: Compared[] = []
  const held: (() => void)[] = []
  const outcomes: string[] = []
  let released = 0
  let clock = 0
  const limits = { queue: 256, concurrency, timeoutMs: 5_000, copyWritesPerSecond: perSecond }
  const writes = openCopyWrites(
    {
      rollout: () => ({ limits, of: () => ({ shadowWrites: 'copy' }) }) as unknown as Rollout,
      account: {
        ask({ body }) {
          sent.push((JSON.parse(Buffer.from(body).toString()) as { readonly title: string }).title)
          sentAt.push(performance.now())
          return answers ? Promise.resolve(OK) : new Promise((resolve) => held.push(() => resolve(OK)))
        },
      },
      pairs: copyPairs([create]),
      mapping: () => create,
      learningOf: () => ({ watched: [] }) as never,
      comparing: {
        compare: async ({ operation }) =>
          compares ? notCompared(skipped(operation, 'compared')) : new Promise<Compared>(() => undefined),
      },
      now: () => performance.now() + clock,
      onOutcome: (_, outcome) => outcomes.push(outcome),
      onProblem: () => undefined,
    },
    (compared) => told.push(compared),
  )
  return {
    ...{ writes, sent, sentAt, told, outcomes },
    take: (exchange: Exchange) => writes.take(exchange, () => released++),
    answerNext: () => held.shift()?.(),
    pass(ms: number) {
      clock += ms
    },
    get released() {
      return released
    },
    reasons: () => told.map(({ reason }) => reason),
  }
}

describe('writes for the copy', () => {
  it('reach it in the order of their client, one after the other, and beside those of other clients', async () => {
    const copy = open({ answers: false })
    for (const name of ['a1', 'a2', 'a3']) copy.take(write(name, 'a'))
    copy.take(write('b1', 'b'))
    await until(() => copy.sent.length === 2)
    expect(copy.sent).toEqual(['a1', 'b1'])
    copy.answerNext()
    await until(() => copy.sent.length === 3)
    expect(copy.sent).toEqual(['a1', 'b1', 'a2'])
    for (let nth = 0; nth < 3; nth++) {
      await until(() => copy.writes.running > 0)
      copy.answerNext()
    }
    await until(() => copy.sent.length === 4)
    copy.answerNext()
    await until(() => copy.told.length === 4)
    expect(copy.sent).toEqual(['a1', 'b1', 'a2', 'a3'])
    expect(copy.released).toBe(4)
  })

  it('do not wait until those before them are compared', async () => {
    const copy = open({ compares: false, concurrency: 1 })
    for (const name of ['a1', 'a2', 'a3']) copy.take(write(name, 'a'))
    await until(() => copy.sent.length === 3)
    expect(copy.sent).toEqual(['a1', 'a2', 'a3'])
    await copy.writes.close(1)
    expect(copy.reasons()).toEqual(Array(3).fill('dropped: the gateway stopped'))
  })

  it('begin no faster than copyWritesPerSecond allows', async () => {
    const copy = open({ perSecond: 20 })
    for (let nth = 0; nth < 5; nth++) copy.take(write(`${nth}`, `client ${nth}`))
    await until(() => copy.told.length === 5)
    const gaps = copy.sentAt.slice(1).map((at, index) => at - (copy.sentAt[index] as number))
    // A timer may fire a moment early.
    for (const gap of gaps) expect(gap).toBeGreaterThan(45)
  })

  it('are not judged if they cannot be sent within half a minute: neither more than fit, nor those that have waited for longer', async () => {
    const copy = open({ perSecond: 0.1 })
    for (let nth = 0; nth < 8; nth++) copy.take(write(`${nth}`))
    await until(() => copy.sent.length === 1)
    expect(copy.reasons().filter((reason) => reason === 'copy: not sent in time')).toHaveLength(4)
    copy.pass(31_000)
    copy.take(write('late', 'other'))
    await copy.writes.close(1_000)
    expect(copy.sent).toEqual(['0'])
    expect(copy.told).toHaveLength(9)
    expect(copy.told.filter(({ isUnjudged }) => isUnjudged)).toHaveLength(8)
    expect(copy.released).toBe(9)
  })

  it('that wait when the gateway stops are not sent; one under way is finished within the grace', async () => {
    const copy = open({ answers: false })
    copy.take(write('first'))
    copy.take(write('second'))
    await until(() => copy.sent.length === 1)
    const closed = copy.writes.close(10_000)
    expect(copy.reasons()).toEqual(['dropped: the gateway stopped'])
    copy.answerNext()
    await closed
    expect(copy.reasons()).toEqual(['dropped: the gateway stopped', 'compared'])
    copy.take(write('third'))
    expect(copy.reasons()[2]).toBe('dropped: the gateway stopped')
    expect(copy.sent).toEqual(['first'])
  })

  it('are told of once, even if the answer comes after the grace', async () => {
    const copy = open({ answers: false })
    copy.take(write('first'))
    await until(() => copy.sent.length === 1)
    await copy.writes.close(1)
    copy.answerNext()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(copy.reasons()).toEqual(['dropped: the gateway stopped'])
    expect(copy.released).toBe(1)
  })
})
