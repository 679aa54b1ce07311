import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { StateError } from '../../../src/control-plane/store/state-error.ts'
import { countUsage } from '../../../src/control-plane/usage/count-usage.ts'
import { keepUsage } from '../../../src/control-plane/usage/keep-usage.ts'
import { knownUsage } from '../../../src/control-plane/usage/stored-usage.ts'
import type { UsedAgain } from '../../../src/control-plane/usage/usage-store.ts'
import { memoryUsageStore } from './support/memory-usage-store.ts'

const NOON = Date.parse('2026-11-23T12:00:00Z')

function bed() {
  const store = memoryUsageStore()
  const counter = countUsage(['a', 'b'])
  const again: UsedAgain[] = []
  const errors: unknown[] = []
  const log = { error: (problem: unknown) => void errors.push(problem) }
  const keeper = keepUsage({ counter, store, onUsedAgain: (one) => again.push(one), log })
  const known = knownUsage({ store, keeper, examples: { of: () => undefined }, now: () => NOON })
  const count = (client: string, operation = 'a', at = NOON): void =>
    counter.count({ at, operation, client, status: 200, code: undefined, answeredBy: 'v1', agent: undefined })
  const calls = async (days = 30) => (await known.since(days)).map((row) => [row.client, row.operation, row.calls])
  return { store, counter, keeper, known, again, errors, count, calls }
}

describe('what is counted', () => {
  it('goes to the store in numbered portions of at most 500 rows', async () => {
    const { store, keeper, count } = bed()
    await keeper.keep()
    expect(store.given).toEqual([])
    for (let n = 0; n < 1_001; n++) count(`${n}`)
    await keeper.keep()
    count('late')
    await keeper.keep()
    expect(store.given.map(({ number, rows }) => [number, rows.length])).toEqual([
      ...[
        [1, 500],
        [2, 500],
        [3, 1],
      ],
      [4, 1],
    ])
  })

  it('is given again as it was after an error, whether it was stored or not, and counts once', async () => {
    for (const away of ['before', 'after'] as const) {
      const { store, keeper, count, calls, errors } = bed()
      count('shop')
      store.away = away
      await keeper.keep()
      count('shop')
      await keeper.keep()
      expect(keeper.unstored().map(({ calls }) => calls)).toEqual([1, 1])
      store.away = false
      await keeper.keep()
      await keeper.keep()
      expect(store.given.map(({ number }) => number)).toEqual([1, 1, 1, 2])
      expect(new Set(store.given.slice(0, 3).map(({ rows }) => rows)).size).toBe(1)
      expect(await calls()).toEqual([['shop', 'a', 2]])
      expect(errors).toEqual([])
    }
  })

  it('is stored at the end, as soon as the store is back, and not waited for longer than that', async () => {
    const { store, keeper, count, calls } = bed()
    count('shop')
    store.away = 'before'
    const closed = keeper.close(60_000)
    await keeper.keep()
    store.away = false
    await closed
    expect(await calls()).toEqual([['shop', 'a', 1]])
    store.away = 'before'
    count('shop')
    await keeper.close(0)
    expect(keeper.unstored().length).toBe(1)
  })

  it('is not made into rows to see whether any is left', async () => {
    const { store, counter, count } = bed()
    let made = 0
    const counting = {
      ...counter,
      rows() {
        made++
        return counter.rows()
      },
    }
    const keeper = keepUsage({
      counter: counting,
      store,
      onUsedAgain: () => undefined,
      log: { error: () => undefined },
    })
    for (let n = 0; n < 501; n++) count(`${n}`)
    store.away = 'before'
    await keeper.close(0)
    expect([counter.rows().length, made]).toEqual([1, 0])
    store.away = false
    await keeper.close(0)
    expect([store.given.at(-1)?.rows.length, counter.isEmpty()]).toEqual([1, true])
  })

  it('reports once what is used again', async () => {
    const { store, keeper, count, again } = bed()
    const one = { operation: 'a', client: 'shop', before: '2026-11-01T00:00:00.000Z', at: '2026-11-23T12:00:00.000Z' }
    store.again = [one]
    count('shop')
    await keeper.keep()
    count('shop')
    await keeper.keep()
    expect(again).toEqual([one])
  })
})

describe('what is known', () => {
  it('has each call once, those counted meanwhile once at most', async () => {
    const TURNS = 50
    const { store, counter, keeper, count } = bed()
    const read: typeof store.read = async (query) => {
      const rows = await store.read(query)
      for (let turn = 0; turn < TURNS; turn++) await nextTurn()
      return rows
    }
    const known = () =>
      knownUsage({ store: { ...store, read }, keeper, examples: { of: () => undefined }, now: () => NOON })
    const sum = (rows: readonly { readonly calls: number }[]) => rows.reduce((all, { calls }) => all + calls, 0)
    let counted = 0
    const countOne = (): void => count(`client ${counted++ % 30}`)
    for (let n = 0; n < 60; n++) countOne()
    await keeper.keep()
    for (let n = 0; n < 60; n++) countOne()
    let isDone = false
    const turn = (): void => {
      if (isDone) return
      countOne()
      void keeper.keep()
      setImmediate(turn)
    }
    setImmediate(turn)
    const during = sum(await known().since(30))
    isDone = true
    expect(counted).toBeGreaterThan(150)
    expect(during).toBeGreaterThanOrEqual(120)
    expect(during).toBeLessThanOrEqual(counted)
    await keeper.keep()
    expect([counter.isEmpty(), sum(await known().since(30))]).toEqual([true, counted])
  })

  it('is what is stored and what was counted since, of the days asked for, the most calls first', async () => {
    const { keeper, known, count, calls } = bed()
    count('old', 'a', NOON - 30 * 86_400_000)
    count('shop', 'a', NOON - 29 * 86_400_000)
    await keeper.keep()
    count('shop')
    count('shop', 'b')
    expect(await calls()).toEqual([
      ['shop', 'a', 2],
      ['shop', 'b', 1],
    ])
    expect((await calls(31)).length).toBe(3)
    expect((await known.ofClient('old', 400)).map(({ calls, example }) => [calls, example])).toEqual([[1, undefined]])
    const report = await known.report(30, 'b')
    expect([report.since, report.clients.map(({ client, calls }) => [client, calls])]).toEqual([
      '2026-10-25T00:00:00.000Z',
      [['shop', 1]],
    ])
    expect(await known.weeks()).toEqual([
      { client: 'shop', operation: 'a', weeksAgo: 0, calls: 1 },
      { client: 'shop', operation: 'b', weeksAgo: 0, calls: 1 },
    ])
    const { days, clients } = await known.daily(31)
    expect(days.map(({ day, calls }) => [day, calls])).toEqual([
      ['2026-10-24', 1],
      ['2026-10-25', 1],
      ['2026-11-23', 2],
    ])
    expect([...clients]).toEqual([
      ['old', { last: '2026-10-24', cameBack: undefined }],
      ['shop', { last: '2026-11-23', cameBack: { day: '2026-11-23', before: '2026-10-25' } }],
    ])
  })

  it('of one client leaves out all others, stored or not', async () => {
    const { keeper, known, count } = bed()
    for (const client of ['shop', 'other']) count(client)
    await keeper.keep()
    for (const client of ['shop', 'other', 'new']) count(client)
    for (const [client, calls] of Object.entries({ shop: 2, new: 1 })) {
      expect(await known.ofClient(client, 30)).toMatchObject([{ client, calls }])
    }
  })

  it('while the store is away is what is in memory, and says so', async () => {
    const { store, keeper, known, count } = bed()
    count('stored')
    await keeper.keep()
    store.away = 'before'
    count('shop')
    await keeper.keep()
    expect(await known.report(30)).toMatchObject({ incomplete: true, clients: [{ client: 'shop', calls: 1 }] })
    await expect(known.since(30)).rejects.toBeInstanceOf(StateError)
    await expect(known.weeks()).rejects.toBeInstanceOf(StateError)
    await expect(known.daily(30)).rejects.toBeInstanceOf(StateError)
  })
})
