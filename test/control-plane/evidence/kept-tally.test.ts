import { existsSync, rmSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { keptTally } from '../../../src/control-plane/evidence/tally/kept-tally.ts'
import type { StateStore } from '../../../src/control-plane/evidence/tally/state-store.ts'
import { StateError } from '../../../src/control-plane/store/state-error.ts'
import { until } from '../../support/start-gateway.ts'
import { criteria, lines, logged, matching, NOW, newFile, requests, rowsIn, storeOf } from './support/keeping.ts'
import { observe, tallyOf } from './support/observing.ts'

it('if more places differ than are kept, stored results are judged like counted ones, losses too', async () => {
  const path = newFile()
  const direct = tallyOf(lines)
  for (let part = 0; part < 3; part++) {
    const tally = await keptTally({ store: storeOf(path), criteria, log: logged().log })
    for (let at = 0; at < 220; at++) {
      const name = `m${part}_${at}`
      const seen = observe({
        control: at % 2 ? { losses: { [name]: 1 } } : { [name]: 1 },
        candidate: {},
        expectations: lines,
      })
      tally.record(seen)
      direct.record(seen)
    }
    await tally.close(1_000)
  }
  const again = await keptTally({ store: storeOf(path), criteria, log: logged().log })
  expect(again.snapshot()[0]?.totals).toEqual(direct.snapshot()[0]?.totals)
  await again.close(0)
})

it('a store that fails, or a write that never ends, is logged once, and once more when it works again', async () => {
  let fate: 'works' | 'fails' | 'hangs' = 'works'
  let isHanging = false
  let goOn = (): void => undefined
  let monotonic = 0
  const db = storeOf(':memory:')
  const store = storeOf(':memory:', {
    ...db,
    async keep(resets) {
      if (fate === 'fails') throw new StateError('the disk is on fire', false)
      if (fate === 'hangs')
        await new Promise<void>((resolve) => {
          isHanging = true
          goOn = resolve
        })
      return db.keep(resets)
    },
  })
  const { all, log } = logged()
  const tally = await keptTally({ store, criteria, log, everyMs: 1, monotonic: () => monotonic })
  fate = 'fails'
  const { since } = tally.health()
  tally.record(matching())
  await until(() => tally.health().failure !== null)
  expect(tally.health().since).toBe(tally.health().failure?.since)
  await new Promise((resolve) => setTimeout(resolve, 20))
  fate = 'works'
  await until(() => tally.health().failure === null)
  expect(Date.parse(tally.health().since)).toBeGreaterThan(Date.parse(since))
  fate = 'hangs'
  tally.record(matching())
  await until(() => isHanging)
  expect(tally.health().failure).toBeNull()
  monotonic += 6_000
  await until(() => tally.health().failure !== null)
  expect(tally.health().failure?.reason).toBe(':memory: has not answered for 5 s')
  fate = 'works'
  goOn()
  await until(() => tally.health().failure === null)
  const FAILS = 'results cannot be stored; they stay in memory and storing is retried'
  expect(all).toEqual([FAILS, 'results are stored again', FAILS, 'results are stored again'])
  await tally.close(0)
  expect(requests(tally)).toBe(2)
})

it('a state file that is removed while it is used is said to be, and nothing else takes its place until a restart', async () => {
  const path = newFile()
  const first = await keptTally({ store: storeOf(path), criteria, log: logged().log })
  first.record(matching())
  await first.close(1_000)
  const { all, log } = logged()
  const second = await keptTally({ store: storeOf(path), criteria, log, everyMs: 1 })
  for (const name of [path, `${path}-wal`, `${path}-shm`]) rmSync(name, { force: true })
  await until(() => second.health().failure !== null)
  expect(second.health().failure?.reason).toContain('was removed or replaced while it was in use')
  second.record(matching())
  expect(requests(second)).toBe(2)
  await second.close(0)
  expect(existsSync(path)).toBe(false)
  expect(all.at(-1)).toBe('results are lost: they could not be stored before the end')
  const third = await keptTally({ store: storeOf(path), criteria, log })
  expect(requests(third)).toBe(0)
  await third.close(0)
})

it('what an outage has left is stored in portions, within one attempt, and everything counts once', async () => {
  const path = newFile()
  const sizes: number[] = []
  let isAway = true
  const db = storeOf(path)
  const store = storeOf(path, {
    async add(portion) {
      if (isAway) throw new StateError('away', true)
      sizes.push(portion.operations.length)
      return db.add(portion)
    },
  })
  const tally = await keptTally({ store, criteria, log: logged().log, everyMs: 60_000 })
  const see = (operation: string, many: number): void => {
    const seen = observe({ control: { a: 1 }, candidate: { a: 1 }, operation })
    for (let at = 0; at < many; at++) tally.record(seen)
  }
  see('first', 1)
  // Fails, so that this portion stays as it is.
  await tally.reset({ operation: 'other', by: 'Ada', why: 'to try to store' })
  for (const [operation, many] of [
    ['a', 1_500],
    ['b', 400],
    ['c', 700],
    ['d', 1],
  ] as const)
    see(operation, many)
  isAway = false
  await tally.reset({ operation: 'other', by: 'Ada', why: 'to store' })
  expect(sizes).toEqual([1, 1, 2, 1])
  const again = await keptTally({ store: storeOf(path), criteria, log: logged().log })
  const counted = again.snapshot().map(({ operation, totals }) => `${operation} ${totals.requests}`)
  expect(counted).toEqual(['a 1500', 'b 400', 'c 700', 'd 1', 'first 1'])
  await again.close(0)
  await tally.close(0)
  await db.close(0)
})

it('what is counted while results are stored waits for the next attempt, so that each attempt ends', async () => {
  const seen = observe({ control: { a: 1 }, candidate: { a: 1 } })
  let portions = 0
  const db = storeOf(newFile())
  const store: StateStore = {
    ...db,
    async add(portion) {
      if (++portions < 50) tally.record(seen)
      return db.add(portion)
    },
  }
  const tally = await keptTally({ store, criteria, log: logged().log, everyMs: 60_000 })
  tally.record(seen)
  await tally.reset({ operation: 'other', by: 'Ada', why: 'to store' })
  expect(portions).toBe(1)
  await tally.close(0)
})

it('results from before the store could be opened count once, and so do those recorded while it is read', async () => {
  let isAway = true
  const db = storeOf(newFile())
  const store: StateStore = {
    ...db,
    async open() {
      if (isAway) throw new StateError('away', true)
      return db.open()
    },
    async changes() {
      const changes = await db.changes()
      await nextTurn()
      await nextTurn()
      return changes
    },
  }
  const options = { store, criteria, log: logged().log, everyMs: 60_000, patienceMs: 0 }
  const tally = await keptTally(options)
  const counted = (): readonly string[] =>
    tally.snapshot().map(({ operation, totals }) => `${operation} ${totals.requests}`)
  const see = (...operations: readonly string[]): void => {
    for (const operation of operations) {
      tally.record(observe({ control: { a: 1 }, candidate: { a: 1 }, operation }))
    }
  }
  see('a', 'b', 'c')
  isAway = false
  // In each turn, operations are called that have results, and one that has none yet.
  const isOpen = tally.reset({ operation: 'other', by: 'Ada', why: 'to open the store' }).then(() => true)
  let turns = 0
  while (!(await Promise.race([isOpen, nextTurn()]))) {
    see('a', 'c', `new in turn ${++turns}`)
  }
  expect(turns).toBeGreaterThanOrEqual(2)
  const expected = [`a ${1 + turns}`, 'b 1', `c ${1 + turns}`]
  for (let turn = 1; turn <= turns; turn++) expected.push(`new in turn ${turn} 1`)
  expect(counted()).toEqual(expected)
  await tally.close(1_000)
})

it('results are stored within a second', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const path = newFile()
  const tally = await keptTally({ store: storeOf(path), criteria, log: logged().log })
  tally.record(matching())
  expect(rowsIn(path)).toBe(0)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(rowsIn(path)).toBe(1)
  await tally.close(1_000)
})

it('counts without the results of other processes if they were never read, and says since when', async () => {
  const away = () => Promise.reject(new StateError('the database is away', true))
  const store = { ...storeOf(newFile()), isShared: true, open: away, resets: away }
  const tally = await keptTally({ store, criteria, log: logged().log, now: () => new Date(NOW), patienceMs: 10 })
  onTestFinished(() => tally.close(0))
  expect([await tally.refresh(1_000), tally.asOf()]).toEqual([false, '2027-03-04T12:00:00.000Z'])
})

it('says whether the results of other processes were read, and since when they are', async () => {
  const reading = { answers: true, fails: false }
  let readOn = (): void => {}
  const path = newFile()
  const store = storeOf(path)
  let milliseconds = 0
  const tally = await keptTally({
    store: {
      ...store,
      isShared: true,
      async changes() {
        if (reading.fails) throw new StateError('the database is away', true)
        if (!reading.answers) await new Promise<void>((resolve) => (readOn = resolve))
        return store.changes()
      },
    },
    ...{ criteria, log: logged().log, now: () => new Date(NOW + milliseconds), monotonic: () => milliseconds },
  })
  onTestFinished(() => tally.close(0))
  milliseconds = 40_000
  reading.answers = false
  expect([await tally.refresh(60_000), tally.asOf()]).toEqual([true, '2027-03-04T12:00:00.000Z'])
  expect([await tally.refresh(30_000, 20), tally.asOf()]).toEqual([false, '2027-03-04T12:00:00.000Z'])
  reading.answers = true
  readOn()
  expect([await tally.refresh(30_000), tally.asOf()]).toEqual([true, '2027-03-04T12:00:40.000Z'])
  milliseconds = 80_000
  reading.fails = true
  for (let times = 0; times < 2; times++) expect(await tally.refresh(30_000)).toBe(false)
  expect(tally.asOf()).toBe('2027-03-04T12:00:40.000Z')
})
