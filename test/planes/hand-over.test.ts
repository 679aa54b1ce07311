import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CapturedExchange } from '../../src/exchange/exchange.ts'
import type { CallRecord } from '../../src/observe/observe-call.ts'
import type { Decisions } from '../../src/planes/decisions.ts'
import { openHandOver } from '../../src/planes/hand-over.ts'
import { lookSampler } from '../../src/planes/look-sampler.ts'
import type { Batch } from '../../src/planes/messages.ts'
import { until } from '../support/start-gateway.ts'

const MB = 1024 * 1024

const call = (other: Partial<CallRecord> = {}): CallRecord => ({
  ...{ requestId: '1', at: 1, method: 'GET', path: '/secret', peer: '', operation: 'a', client: 'shop' },
  ...{ agent: undefined, answeredBy: 'v1', dropped: 0, status: 200, v1Status: 200, v1Code: undefined, v1Calls: 1 },
  ...{ legacyStatus: undefined, milliseconds: 5, v1Milliseconds: 1, legacyMilliseconds: 0, brownout: undefined },
  ...{ failure: undefined, error: undefined },
  ...other,
})

const exchange = (body: Uint8Array): CapturedExchange => ({
  ...{
    operation: 'a',
    version: '',
    at: new Date(0),
    answeredBy: 'v1',
    isCached: false,
    status: 200,
    client: undefined,
  },
  ...{ caller: 'shop', failure: undefined, countedClient: 'shop', rolloutClient: 'shop', facts: [], size: body.length },
  request: { method: 'POST', path: '/a', query: '', headers: {}, body: new Uint8Array() },
  answer: { status: 200, body, encoding: undefined, failure: undefined, milliseconds: 1 },
  credentials: { v1: undefined, legacy: undefined, isOurs: false },
})

/** A hand-over, and a control plane that takes nothing until it is told to. */
function bed(shadow = 1, everyMs = 10) {
  const batches: Batch[] = []
  const taking: (() => void)[] = []
  let decisions: Decisions = {
    operations: { a: { serve: 'v1', v1Percent: 0, clients: {}, mayChoose: [], shadow } },
    ...{ brownouts: [], refusesFrom: Number.POSITIVE_INFINITY, isRecording: false },
  }
  const handOver = openHandOver({
    decisions: () => decisions,
    ...{ sampler: lookSampler(['a']), unidentified: 'unidentified', everyMs },
    limits: { whole: { mostBytes: 64 * MB, isMissed: true }, toLookAt: { mostBytes: MB, isMissed: false } },
  })
  onTestFinished(handOver.close)
  const channel: Parameters<typeof handOver.connect>[0] = {
    ask(_, [batch]) {
      batches.push(batch as Batch)
      return new Promise((resolve) => taking.push(() => resolve(undefined as never)))
    },
  }
  handOver.connect(channel)
  return {
    ...{ handOver, batches, channel },
    /** Takes all that has been sent. */
    async take() {
      for (const taken of taking.splice(0)) taken()
      await setImmediate()
    },
    decide(next: Partial<Decisions>) {
      decisions = { ...decisions, ...next }
    },
  }
}

describe('what is handed over', () => {
  it('goes in a batch, with how long ago each call was answered, and paths only of unknown operations', async () => {
    const { handOver, batches } = bed()
    handOver.count(call())
    handOver.count(call({ operation: undefined, path: '/nothing' }))
    handOver.watch.take(exchange(Buffer.from('{}')))
    await until(() => batches.length === 1)
    const [batch] = batches
    expect(batch?.calls).toMatchObject([
      { operation: 'a', client: 'shop', status: 200, path: '' },
      { operation: undefined, path: '/nothing' },
    ])
    expect(batch?.calls[0]?.agoMs).toBeGreaterThan(5)
    expect(batch?.exchanges).toMatchObject([{ isCompared: true, isRecorded: false, isLookedAt: true }])
  })

  it('holds bodies of its own, exactly as long as they are', async () => {
    const { handOver, batches } = bed()
    const shared = Buffer.from('xx{"a":1}yy').subarray(2, 9)
    handOver.watch.take(exchange(shared))
    shared.fill(0)
    await until(() => batches.length === 1)
    const body = batches[0]?.exchanges[0]?.exchange.answer.body
    expect([Buffer.from(body ?? []).toString(), body?.buffer.byteLength]).toEqual(['{"a":1}', 7])
  })

  it('is drawn by the share that is compared, and the others are counted', async () => {
    const { handOver, batches } = bed(0.25)
    for (let n = 0; n < 1_000; n++) handOver.watch.take(exchange(new Uint8Array()))
    await until(() => batches.length > 0)
    const drawn = batches.flatMap(({ exchanges }) => exchanges).filter(({ isCompared }) => isCompared).length
    const not = batches.reduce((sum, { notDrawn }) => sum + (notDrawn.get('a') ?? 0), 0)
    expect(drawn + not).toBe(1_000)
    expect(drawn).toBeGreaterThan(150)
    expect(drawn).toBeLessThan(350)
  })

  it('of a failure goes at once', async () => {
    const { handOver, batches } = bed(1, 60_000)
    handOver.count(call({ failure: 'unavailable' }))
    await until(() => batches.length === 1, 5_000)
  })

  it('of failures without a pause is not put off by them', async () => {
    const { handOver, batches } = bed(1, 60_000)
    for (let turn = 0; turn < 5; turn++) {
      handOver.count(call({ failure: 'unavailable' }))
      await setImmediate()
    }
    expect(batches.length).toBeGreaterThan(1)
  })

  it('goes before its time when a megabyte waits', async () => {
    const { handOver, batches } = bed(1, 60_000)
    handOver.count(call())
    handOver.watch.take(exchange(new Uint8Array(2 * MB)))
    await until(() => batches.length === 1, 5_000)
  })
})

describe('a control plane that does not keep up', () => {
  it('gets no more than 32 MB; what does not fit is not judged, and counted', async () => {
    const { handOver, batches, take } = bed()
    for (let n = 0; n < 40; n++) handOver.watch.take(exchange(new Uint8Array(MB)))
    await until(() => batches.flatMap(({ exchanges }) => exchanges).length === 31)
    handOver.count(call())
    await take()
    await until(() => batches.some(({ missed }) => missed.length > 0) || handOver.lost().exchanges > 0)
    const missed = batches.flatMap((batch) => batch.missed)
    expect(missed[0]).toEqual({ operation: 'a', why: 'control plane busy' })
    expect(missed.length + handOver.lost().exchanges).toBe(9)
    handOver.watch.take(exchange(new Uint8Array(MB)))
    await until(() => batches.flatMap(({ exchanges }) => exchanges).length === 32)
  })

  it('gets what waited while there was none; calls beyond that are counted as lost', async () => {
    const { handOver, batches, channel } = bed()
    handOver.connect(undefined)
    for (let n = 0; n < 200_000; n++) handOver.count(call())
    expect(batches).toEqual([])
    handOver.connect(channel)
    await until(() => batches.length === 1)
    const counted = batches[0]?.calls.length ?? 0
    expect(counted).toBeGreaterThan(100_000)
    expect(counted + handOver.lost().calls).toBe(200_000)
  })

  it('takes an exchange that is larger than all room, alone', async () => {
    const { handOver, batches } = bed()
    handOver.watch.take(exchange(new Uint8Array(40 * MB)))
    await until(() => batches.length === 1)
    expect(batches[0]?.exchanges.length).toBe(1)
  })
})
