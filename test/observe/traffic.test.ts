import { describe, expect, it } from 'vitest'
import { latencyQuantile } from '../../src/observe/latency.ts'
import { steadyTime } from '../../src/observe/steady-time.ts'
import { type CountedCall, countTraffic, type Traffic } from '../../src/observe/traffic.ts'

const NOW = Date.parse('2025-03-04T12:34:56Z')
const MINUTE_MS = 60_000

function started(operations: readonly string[] = ['list', 'add']): {
  readonly traffic: Traffic
  count(call?: Partial<CountedCall>): void
  /** Moves the clock. */
  goOn(milliseconds: number): void
} {
  let clock = NOW
  const traffic = countTraffic({ operations, now: () => clock })
  return {
    traffic,
    count: (call = {}) =>
      traffic.count({
        at: clock,
        operation: 'list',
        client: 'anna',
        status: 200,
        milliseconds: 10,
        answeredBy: 'v1',
        ...{ method: 'GET', path: '/list' },
        ...call,
      }),
    goOn(milliseconds) {
      clock += milliseconds
    },
  }
}

describe('the totals since the start', () => {
  it('are by operation and client, with both kinds of errors, the side and the time of the last call', () => {
    const { traffic, count, goOn } = started()
    count()
    count({ status: 406 })
    goOn(1_500)
    count({ status: 503, answeredBy: 'legacy' })
    count({ client: 'berta' })
    count({ operation: 'add' })
    expect(traffic.snapshot()).toMatchObject({
      since: NOW,
      now: NOW + 1_500,
      totals: [
        {
          operation: 'list',
          client: 'anna',
          calls: 3,
          clientErrors: 1,
          serverErrors: 1,
          byV1: 2,
          byLegacy: 1,
          lastAt: NOW + 1_500,
        },
        { operation: 'list', client: 'berta', calls: 1, clientErrors: 0, serverErrors: 0 },
        { operation: 'add', client: 'anna', calls: 1 },
      ],
    })
  })

  it('count calls without a mapping as one unknown operation', () => {
    const { traffic, count } = started()
    count({ operation: undefined })
    count({ operation: 'of nobody' })
    expect(traffic.snapshot().totals).toMatchObject([{ operation: 'unknown', client: 'anna', calls: 2 }])
  })

  it('count clients beyond the first thousand, and those with overlong names, as others', () => {
    const { traffic, count } = started()
    for (let number = 0; number < 1_200; number++) count({ client: `client ${number}` })
    count({ client: 'client 7' })
    count({ client: 'x'.repeat(10_000) })
    const { totals } = traffic.snapshot()
    expect(totals).toHaveLength(1_001)
    expect(totals.find(({ client }) => client === 'client 7')?.calls).toBe(2)
    expect(totals.find(({ client }) => client === 'client 999')?.calls).toBe(1)
    expect(totals.find(({ client }) => client === 'others')?.calls).toBe(201)
  })

  it('keep the latest time when an earlier call ends last', () => {
    const { traffic, count } = started()
    count()
    count({ at: NOW - 5_000 })
    expect(traffic.snapshot().totals).toMatchObject([{ calls: 2, lastAt: NOW }])
  })
})

describe('the minutes', () => {
  it('hold only the calls of their own time, oldest first', () => {
    const { traffic, count, goOn } = started()
    count({ status: 404 })
    goOn(2 * MINUTE_MS)
    count({ status: 500 })
    count({ client: 'berta' })
    const first = Math.floor(NOW / MINUTE_MS) * MINUTE_MS
    expect(traffic.snapshot().minutes).toMatchObject([
      { at: first, counts: [{ operation: 'list', client: 'anna', calls: 1, clientErrors: 1, serverErrors: 0 }] },
      {
        at: first + 2 * MINUTE_MS,
        counts: [
          { client: 'anna', calls: 1, clientErrors: 0, serverErrors: 1 },
          { client: 'berta', calls: 1, clientErrors: 0, serverErrors: 0 },
        ],
      },
    ])
  })

  it('are dropped after three hours, while the totals stay', () => {
    const { traffic, count, goOn } = started()
    count()
    goOn(179 * MINUTE_MS)
    expect(traffic.snapshot().minutes).toHaveLength(1)
    goOn(MINUTE_MS)
    expect(traffic.snapshot().minutes).toEqual([])
    count()
    expect(traffic.snapshot().minutes).toMatchObject([{ counts: [{ calls: 1 }] }])
    expect(traffic.snapshot().totals).toMatchObject([{ calls: 2 }])
  })

  it('ignore a call that is older than the minute in its place', () => {
    const { traffic, count } = started()
    count()
    count({ at: NOW - 180 * MINUTE_MS })
    expect(traffic.snapshot().minutes).toMatchObject([{ counts: [{ calls: 1 }] }])
  })

  it('count clients as others when very many call within one minute', () => {
    const { traffic, count } = started()
    for (let number = 0; number < 900; number++) count({ client: `client ${number}` })
    for (let number = 0; number < 900; number++) count({ client: `client ${number}` })
    const { minutes, totals } = traffic.snapshot()
    const counts = minutes[0]?.counts ?? []
    expect(counts.length).toBeLessThan(700)
    expect(counts.reduce((sum, { calls }) => sum + calls, 0)).toBe(1_800)
    expect(counts.find(({ client }) => client === 'client 0')?.calls).toBe(2)
    expect(totals).toHaveLength(900)
  })

  it('do not change with later calls, so that they agree with the totals', () => {
    const { traffic, count } = started()
    count()
    count({ status: 500 })
    const { minutes, totals } = traffic.snapshot()
    count()
    count({ client: 'berta' })
    expect(minutes).toMatchObject([{ counts: [{ client: 'anna', calls: 2, serverErrors: 1 }] }])
    const [anna, ...others] = minutes[0]?.counts ?? []
    expect(others).toEqual([])
    expect(Array.from(anna?.latencies ?? []).reduce((sum, calls) => sum + calls, 0)).toBe(2)
    expect(totals).toMatchObject([{ calls: 2 }])
  })

  it('stay in a snapshot when their three hours are over', () => {
    const { traffic, count, goOn } = started()
    count()
    const at = Math.floor(NOW / MINUTE_MS) * MINUTE_MS
    const { minutes } = traffic.snapshot()
    goOn(180 * MINUTE_MS)
    count({ client: 'berta' })
    expect(minutes).toMatchObject([{ at, counts: [{ client: 'anna', calls: 1 }] }])
  })
})

describe('a wall clock that is set', () => {
  const FAR = 100 * 24 * 60 * MINUTE_MS

  it.each([
    ['ahead', FAR],
    ['back', -FAR],
    ['back by less than the minutes cover', -90 * MINUTE_MS],
  ])('%s loses no call of the last hours, and their times agree with it', (_, by) => {
    let wall = NOW
    let monotonic = 1_000
    const time = steadyTime(
      () => wall,
      () => monotonic,
    )
    const traffic = countTraffic({ operations: ['list'], ...time })
    const call = (): void =>
      traffic.count({
        ...{ at: time.now(), operation: 'list', client: 'anna', status: 200, milliseconds: 10, answeredBy: 'v1' },
        ...{ method: 'GET', path: '/list' },
      })
    const first = Math.floor(NOW / MINUTE_MS) * MINUTE_MS
    for (let minute = 0; minute < 200; minute++) {
      call()
      if (minute === 100) wall += by
      wall += MINUTE_MS
      monotonic += MINUTE_MS
    }
    const { since, now, minutes, totals } = traffic.snapshot()
    expect(now).toBe(wall)
    expect(since).toBe(NOW + by)
    expect(minutes).toHaveLength(179)
    expect(minutes.at(-1)?.at).toBe(first + by + 199 * MINUTE_MS)
    expect(totals[0]?.lastAt).toBe(NOW + by + 199 * MINUTE_MS)
  })
})

describe('the latencies of a minute', () => {
  const latencies = (milliseconds: readonly number[]) => {
    const { traffic, count } = started()
    for (const each of milliseconds) count({ milliseconds: each })
    return traffic.snapshot().minutes[0]?.counts[0]?.latencies ?? []
  }
  const even = (from: number, to: number) => Array.from({ length: 1_000 }, (_, at) => from + ((to - from) * at) / 1_000)

  it.each([
    [even(0, 100), 50, 99],
    [even(200, 2_000), 1_100, 1_982],
    [[...even(1, 2), ...Array<number>(30).fill(5_000)], 1.5, 5_000],
  ])('give p50 and p99 to within a quarter (%#)', (all, p50, p99) => {
    const histogram = latencies(all)
    expect(Math.abs((latencyQuantile(histogram, 0.5) ?? 0) / p50 - 1)).toBeLessThan(0.25)
    expect(Math.abs((latencyQuantile(histogram, 0.99) ?? 0) / p99 - 1)).toBeLessThan(0.25)
  })

  it('go up to a minute, and stay there for longer calls', () => {
    expect(latencyQuantile(latencies([1e9, Number.POSITIVE_INFINITY]), 0.5)).toBe(60_000)
  })

  it('are undefined without calls', () => {
    expect(latencyQuantile([], 0.5)).toBeUndefined()
  })
})

describe('paths that no mapping has', () => {
  const unknownOf = (traffic: Traffic) => traffic.snapshot().unknown

  it('are remembered with their method, how often and by whom they were called, most calls first', () => {
    const { traffic, count, goOn } = started()
    count()
    count({ operation: undefined, method: 'GET', path: '/a' })
    count({ operation: undefined, method: 'POST', path: '/b', client: 'berta' })
    goOn(1_500)
    count({ operation: 'no such operation', method: 'POST', path: '/b' })
    expect(unknownOf(traffic)).toEqual({
      paths: [
        { method: 'POST', path: '/b', calls: 2, client: 'anna', lastAt: NOW + 1_500 },
        { method: 'GET', path: '/a', calls: 1, client: 'anna', lastAt: NOW },
      ],
      otherCalls: 0,
    })
  })

  it('are at most 100, cut to 200 characters, whatever a scanner tries; one that is called again and again stays', () => {
    const { traffic, count } = started()
    const unknown = (path: string, method = 'GET') => count({ operation: undefined, method, path })
    for (let tried = 0; tried < 50; tried++) unknown(`/before/${tried}/${'x'.repeat(5_000)}`)
    unknown('/program')
    unknown('/program')
    for (let tried = 0; tried < 1_000; tried++) unknown(`/${tried}`, 'M'.repeat(1_000))
    const { paths, otherCalls } = unknownOf(traffic)
    expect(paths).toHaveLength(100)
    expect(paths[0]).toMatchObject({ path: '/program', calls: 2 })
    expect(Math.max(...paths.map(({ method, path }) => method.length + path.length))).toBeLessThanOrEqual(221)
    expect(otherCalls + paths.reduce((sum, { calls }) => sum + calls, 0)).toBe(1_052)
  })

  it('name clients beyond the limit as the counts do', () => {
    const { traffic, count } = started()
    count({ operation: undefined, path: '/a', client: 'x'.repeat(500) })
    expect(unknownOf(traffic).paths[0]?.client).toBe('others')
  })
})
