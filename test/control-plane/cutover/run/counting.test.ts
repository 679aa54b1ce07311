import { expect, it } from 'vitest'
import { oneTime } from '../../../../src/common/histogram.ts'
import { type CountedCall, type Counting, counting } from '../../../../src/control-plane/cutover/run/counting.ts'

const call = (others: Partial<CountedCall> = {}): CountedCall => ({
  ...{ operation: 'a', answeredBy: 'v1', status: 200, failure: undefined, milliseconds: 5 },
  ...others,
})

function counted(stage = 1): Counting {
  let now = 0
  const counts = counting(() => {
    now += 1_000
    return now
  })
  counts.follow(new Map([['a', stage]]))
  return counts
}

it('counts calls and failures of both sides, and of v1 only those that it is to blame for', () => {
  const counts = counted()
  expect(counts.count(call())).toBe(false)
  expect(counts.count(call({ status: 500, failure: 'unavailable' }))).toBe(true)
  expect(counts.count(call({ status: 504, failure: 'timeout' }))).toBe(true)
  expect(counts.count(call({ status: 500 })), 'without X-Gateway-Error').toBe(false)
  expect(counts.count(call({ status: 401 }))).toBe(false)
  expect(counts.count(call({ answeredBy: 'legacy', status: 503 }))).toBe(false)
  expect(counts.of('a').v1).toMatchObject({ calls: 5, failures: 2 })
  expect(counts.of('a').legacy).toEqual({ calls: 1, failures: 1, times: [] })
})

it('counts no call of other operations, none that its client broke off, and none that a brownout refused', () => {
  const counts = counted()
  for (const one of [{ operation: 'b' }, { operation: undefined }, { status: 499 }, { status: 503, brownout: 1 }]) {
    counts.count(call(one))
  }
  expect(counts.of('a').v1.calls + counts.of('a').legacy.calls).toBe(0)
  expect(counts.changes()).toBe(1)
})

it('counts v1 from the step on, and legacy from the step before', () => {
  const counts = counted(1)
  for (const answeredBy of ['v1', 'legacy'] as const) counts.count(call({ answeredBy }))
  counts.follow(new Map([['a', 4]]))
  for (const answeredBy of ['v1', 'legacy', 'legacy'] as const) counts.count(call({ answeredBy }))
  expect(counts.of('a')).toMatchObject({ v1: { calls: 1 }, legacy: { calls: 3 } })
  counts.follow(new Map([['a', 5]]))
  expect(counts.of('a')).toMatchObject({ v1: { calls: 0 }, legacy: { calls: 2 } })
})

it('counts a call at the stage at which it arrived', () => {
  let now = 0
  const counts = counting(() => now)
  counts.follow(new Map([['a', 1]]))
  now = 1_000
  counts.follow(new Map([['a', 4]]))
  now = 1_500
  counts.count(call({ status: 504, failure: 'timeout', milliseconds: 501 }))
  counts.count(call({ milliseconds: 500 }))
  expect(counts.of('a').v1).toMatchObject({ calls: 1, failures: 0 })
  expect(counts.own()).toMatchObject([
    { stage: 4, v1: { calls: 1, failures: 0 } },
    { stage: 1, v1: { calls: 1, failures: 1 } },
  ])
})

it('counts no call that the gateway refused by itself: neither service was asked', () => {
  const counts = counted()
  for (const status of [400, 413]) expect(counts.count(call({ status, answeredBy: 'gateway' }))).toBe(false)
  expect(counts.of('a')).toMatchObject({ v1: { calls: 0 }, legacy: { calls: 0 } })
  for (const answeredBy of ['v1', 'legacy'] as const) counts.count(call({ status: 400, answeredBy }))
  expect(counts.of('a')).toMatchObject({ v1: { calls: 1 }, legacy: { calls: 1 } })
})

it('counts what a client gave up after 5 s as failed, whatever the answer, and no read that it gave up earlier', () => {
  const counts = counted()
  const late = { afterMs: 5_000, isRead: true }
  const early = { afterMs: 4_500, isRead: true }
  for (const answeredBy of ['v1', 'legacy'] as const) {
    expect(counts.count(call({ answeredBy, status: 499, givenUp: late }))).toBe(answeredBy === 'v1')
    counts.count(call({ answeredBy, givenUp: late }))
    counts.count(call({ answeredBy, status: 499, givenUp: early }))
    counts.count(call({ answeredBy, status: 504, failure: 'timeout', givenUp: early }))
    // Only reads are broken off: what other calls bring is known.
    counts.count(call({ answeredBy, status: 504, failure: 'timeout', givenUp: { ...early, isRead: false } }))
  }
  for (const side of ['v1', 'legacy'] as const) expect(counts.of('a')[side]).toMatchObject({ calls: 3, failures: 3 })
})

it('goes on with what it counted when an operation is followed again', () => {
  const counts = counted(3)
  counts.count(call({ status: 500, failure: 'unavailable' }))
  counts.follow(new Map())
  expect(counts.count(call())).toBe(false)
  expect(counts.of('a').v1.calls).toBe(0)
  // What is stored of it is its row as it was, not that nothing was answered.
  expect(counts.own()).toMatchObject([{ stage: 3, v1: { calls: 1, failures: 1 } }])
  counts.follow(new Map([['a', 3]]))
  expect(counts.of('a').v1).toMatchObject({ calls: 1, failures: 1 })
})

it('adds what others counted to its own, which is in their sum already', () => {
  const counts = counted()
  counts.count(call())
  const own = counts.own()
  const side = { calls: 10, failures: 2, times: [[oneTime(5)[0]?.[0] ?? 0, 8]] as const }
  counts.heard([{ operation: 'a', stage: 1, v1: side, legacy: side }], own)
  counts.count(call())
  expect(counts.of('a').v1).toMatchObject({ calls: 11, failures: 2 })
  expect(counts.of('a').v1.times).toEqual([[oneTime(5)[0]?.[0], 9]])
})
