import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openFileStore } from '../../src/aside/open-file-store.ts'
import { type KeptTallyOptions, keptTally } from '../../src/compare/tally/kept-tally.ts'
import { stateDb } from '../../src/compare/tally/state-db.ts'
import type { StateStore } from '../../src/compare/tally/state-store.ts'
import { StateError } from '../../src/state/state-error.ts'
import { stateFolder } from '../support/comparing-process.ts'
import { holdLock } from '../support/hold-lock.ts'
import { until } from '../support/start-gateway.ts'
import { expectationsFrom, lost } from './support/lines.ts'
import { criteriaOf, observe, tallyOf } from './support/observing.ts'

const DAY = 86_400_000
const NOW = Date.parse('2027-03-04T12:00:00Z')
const lines = expectationsFrom([lost('gone', 'no more'), lost('losses', 'no more')])
const criteria = () => criteriaOf(new Map([['made-up', lines]]))
const newFile = (): string => join(stateFolder(), 'state.db')

/** A store in this thread; `around` replaces some of its functions. */
function storeOf(path: string, around: Partial<StateStore> = {}, writer: string = randomUUID()): StateStore {
  const db = stateDb(path, writer)
  return {
    name: path,
    isShared: false,
    holdsCounts: true,
    open: async (now) => db.open(now),
    read: async (after) => db.read(after),
    keep: async (what) => db.keep(what),
    resets: async () => db.resets(),
    forgetBefore: async (day) => db.forgetBefore(day),
    close: async () => db.close(),
    ...around,
  }
}

function logged() {
  const all: string[] = []
  const say = (...args: readonly unknown[]) => void all.push(String(args.at(-1)))
  return { all, log: { info: say, warn: say, error: say } as unknown as KeptTallyOptions['log'] }
}

const matching = () => observe({ control: { a: 1 }, candidate: { a: 1 } })
const requests = (tally: { snapshot(): readonly { totals: { requests: number } }[] }): number =>
  tally.snapshot()[0]?.totals.requests ?? 0

it('everything counts once, regardless of how a write ends, even if its end is unknown', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('count', 'works', 'fails', 'works, but fails'), { maxLength: 30 }),
      async (steps) => {
        const path = newFile()
        const next: string[] = []
        const db = storeOf(path)
        const store = storeOf(path, {
          async keep(what) {
            const fate = what.portion === undefined ? 'works' : (next.shift() ?? 'works')
            if (fate === 'fails') throw new StateError('no', false)
            const where = await db.keep(what)
            if (fate === 'works, but fails') throw new StateError('who knows', false)
            return where
          },
        })
        const tally = await keptTally({ store, criteria, log: logged().log, everyMs: 1 })
        const direct = tallyOf(lines)
        for (const step of steps) {
          if (step === 'count') {
            const seen = observe({
              control: { a: 1, gone: 1 },
              candidate: { a: steps.length % 2 },
              expectations: lines,
            })
            tally.record(seen)
            direct.record(seen)
          } else {
            next.push(step)
            await new Promise((resolve) => setTimeout(resolve, 2))
          }
        }
        await tally.close(1_000)
        expect(tally.snapshot()).toEqual(direct.snapshot())
        const again = await keptTally({ store: storeOf(path), criteria, log: logged().log })
        expect(again.snapshot()).toEqual(direct.snapshot())
        await again.close(0)
        await db.close(0)
      },
    ),
    { numRuns: 25 },
  )
}, 60_000)

it('if more places differ than are kept, stored results are judged like counted ones, losses too', async () => {
  const path = newFile()
  const direct = tallyOf(lines)
  for (let part = 0; part < 4; part++) {
    const tally = await keptTally({ store: storeOf(path), criteria, log: logged().log })
    for (let at = 0; at < 300; at++) {
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
    async keep(what) {
      if (fate === 'fails') throw new StateError('the disk is on fire', false)
      if (fate === 'hangs')
        await new Promise<void>((resolve) => {
          isHanging = true
          goOn = resolve
        })
      return db.keep(what)
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

it.each([
  ['with the next result', 1],
  ['also if there is none', 0],
])('a state that is gone while no thread has it open is recreated from memory %s', async (_, results) => {
  const path = newFile()
  const first = await keptTally({ store: storeOf(path), criteria, log: logged().log })
  first.record(matching())
  await first.close(1_000)
  let db = storeOf(path, {}, 'this')
  // As with a thread that ended and was restarted.
  const store = storeOf(path, {
    open: (now) => db.open(now),
    read: (after) => db.read(after),
    keep: (what) => db.keep(what),
    forgetBefore: (day) => db.forgetBefore(day),
    close: (within) => db.close(within),
  })
  const { all, log } = logged()
  const second = await keptTally({ store, criteria, log, everyMs: 60_000 })
  await db.close(0)
  rmSync(path)
  db = storeOf(path, {}, 'this')
  if (results > 0) second.record(matching())
  await second.close(1_000)
  expect(all).toEqual(['the state was removed: it has been recreated with all results'])
  const third = await keptTally({ store: storeOf(path), criteria, log })
  expect(requests(third)).toBe(1 + results)
  expect(third.since()).toBe(first.since())
  await third.close(0)
})

it('what an outage has left is stored in portions, within one attempt, and everything counts once', async () => {
  const path = newFile()
  const sizes: number[] = []
  let isAway = true
  const db = storeOf(path)
  const store = storeOf(path, {
    async keep(what) {
      if (isAway) throw new StateError('away', true)
      if (what.portion !== undefined) sizes.push(what.portion.operations.length)
      return db.keep(what)
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
    async keep(what) {
      if (what.portion !== undefined && ++portions < 50) tally.record(seen)
      return db.keep(what)
    },
  }
  const tally = await keptTally({ store, criteria, log: logged().log, everyMs: 60_000 })
  tally.record(seen)
  await tally.reset({ operation: 'other', by: 'Ada', why: 'to store' })
  expect(portions).toBe(1)
  await tally.close(0)
})

it('results from before the store could be opened are added operation by operation, between calls, and everything counts once', async () => {
  let isAway = true
  const db = storeOf(newFile())
  const store: StateStore = {
    ...db,
    async open(now) {
      if (isAway) throw new StateError('away', true)
      return db.open(now)
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
  // In each turn, an operation that has been added is called, one that has not, and one that has no results yet.
  const isOpen = tally.reset({ operation: 'other', by: 'Ada', why: 'to open the store' }).then(() => true)
  let turns = 0
  while (!(await Promise.race([isOpen, new Promise((resolve) => setImmediate(resolve))]))) {
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

it('a thread that ends while it writes is restarted, and everything counts once', async () => {
  const path = newFile()
  const threads: Worker[] = []
  const keepThread = (thread: Worker): void => void threads.push(thread)
  process.on('worker', keepThread)
  const { all, log } = logged()
  const tally = await keptTally({
    store: openFileStore(path, randomUUID(), { replica: 'this', log }).store,
    criteria,
    log,
    everyMs: 5,
  })
  for (let round = 0; round < 5; round++) {
    const lock = await holdLock(path, 'BEGIN IMMEDIATE')
    tally.record(matching())
    await new Promise((resolve) => setTimeout(resolve, 20))
    await threads.at(-1)?.terminate()
    await lock.release()
    tally.record(matching())
    await until(() => tally.health().failure === null && threads.length > round + 1)
  }
  process.off('worker', keepThread)
  await tally.close(5_000)
  expect(all.at(-1)).toBe('results are stored again')
  const again = await keptTally({ store: storeOf(path), criteria, log })
  expect([requests(tally), requests(again)]).toEqual([10, 10])
  await again.close(0)
}, 60_000)

/** A gateway whose clocks can be set; it stores after each change. */
async function clocked(path: string, at: number) {
  let wall = at
  let monotonic = 0
  let turns = 0
  const { all, log } = logged()
  const db = storeOf(path)
  const store = storeOf(path, {
    ...db,
    async keep(what) {
      const where = await db.keep(what)
      turns++
      return where
    },
  })
  const tally = await keptTally({
    store,
    criteria,
    log,
    everyMs: 1,
    now: () => new Date(wall),
    monotonic: () => monotonic,
  })
  const turned = async (): Promise<void> => {
    const before = turns
    await until(() => turns >= before + 3)
  }
  return {
    tally,
    all,
    async goOn(milliseconds: number) {
      wall += milliseconds
      monotonic += milliseconds
      await turned()
    },
    async set(to: number) {
      wall = to
      await turned()
    },
  }
}

const AHEAD = 'the clock is 100 days ahead of the stored one: no results are deleted until it has been steady for a day'
const rowsIn = (path: string): number => {
  const db = new DatabaseSync(path, { timeout: 10_000 })
  const rows = Number(db.prepare('SELECT count(*) AS rows FROM counts').get()?.rows)
  db.close()
  return rows
}
async function withOneResult(): Promise<string> {
  const path = newFile()
  const first = await clocked(path, NOW)
  first.tally.record(matching())
  await first.goOn(1_000)
  await first.tally.close(1_000)
  return path
}

it('a gateway that was stopped for 500 days deletes results of past versions a day later, across a restart', async () => {
  const path = newFile()
  const first = await clocked(path, NOW)
  const released = (v1: string, at: number) => ({ ...matching(), at, releases: { v1, legacy: undefined } })
  first.tally.record(released('1', NOW))
  await first.goOn(1_000)
  await first.goOn(2 * DAY)
  first.tally.record(released('2', NOW + 2 * DAY))
  await first.goOn(1_000)
  await first.tally.close(1_000)
  const second = await clocked(path, NOW + 500 * DAY)
  expect([rowsIn(path), second.tally.health().clock]).toEqual([2, '498 days ahead of'])
  for (let hour = 0; hour < 20; hour++) await second.goOn(DAY / 24)
  expect(rowsIn(path)).toBe(2)
  await second.tally.close(0)
  const third = await clocked(path, NOW + 500 * DAY + (21 * DAY) / 24)
  for (let hour = 0; hour < 6; hour++) await third.goOn(DAY / 24)
  // No results of the newest version are deleted.
  expect([requests(third.tally), rowsIn(path), third.tally.health().clock]).toEqual([1, 1, null])
  expect(third.tally.snapshot()).toMatchObject([{ lineage: { v1: '2' }, history: [] }])
  await third.tally.close(0)
})

it('a clock that is set 100 days ahead while the gateway runs deletes nothing, nor does one that is set back again', async () => {
  const path = await withOneResult()
  const { tally, all, goOn, set } = await clocked(path, NOW + 2_000)
  await set(NOW + 100 * DAY)
  expect([requests(tally), rowsIn(path), all]).toEqual([1, 1, [AHEAD]])
  await set(NOW + 3_000)
  tally.record(matching())
  for (let hour = 0; hour < 30; hour++) await goOn(DAY / 24)
  expect([requests(tally), tally.health().clock]).toEqual([2, null])
  await tally.close(0)
})

it('a clock that is set while results are being stored deletes nothing', async () => {
  const path = await withOneResult()
  let wall = NOW + 2_000
  let stored = 0
  const db = storeOf(path)
  const store = storeOf(path, {
    ...db,
    async keep(what) {
      const where = await db.keep(what)
      wall = NOW + 100 * DAY
      stored++
      return where
    },
  })
  const { all, log } = logged()
  const clocks = { now: () => new Date(wall), monotonic: () => 0 }
  const tally = await keptTally({ store, criteria, log, everyMs: 1, ...clocks })
  await until(() => stored >= 3)
  expect([requests(tally), rowsIn(path), all]).toEqual([1, 1, [AHEAD]])
  await tally.close(0)
})

it('results that version 0.1.0 stored are shown as an old lineage, and prove nothing', async () => {
  const path = newFile()
  const old = new DatabaseSync(path, { timeout: 10_000 })
  old.exec(`
    CREATE TABLE begun (at TEXT NOT NULL); INSERT INTO begun VALUES ('2027-03-01T00:00:00.000Z');
    CREATE TABLE counts (
      operation TEXT NOT NULL, day TEXT NOT NULL, counts TEXT NOT NULL, PRIMARY KEY (operation, day)) STRICT;
    PRAGMA user_version = 1; PRAGMA journal_mode = WAL`)
  const insert = old.prepare('INSERT INTO counts VALUES (?, ?, ?)')
  const differing = { part: 'answer', kind: 'changed', path: 'a', requests: 2, count: 2, details: {}, lines: [] }
  const counts = {
    ...{ operation: 'made-up', matched: 268, failed: 1, skipped: 0, unlisted: 0, askedTwice: 0 },
    ...{ classes: [differing], patterns: [{ classes: [0], requests: 2 }], settled: { ignored: 0, mismatched: 0 } },
    ...{ places: [], inputs: [1, 2], assumptions: [] },
  }
  for (const day of ['2027-03-02', '2027-03-04']) insert.run('made-up', day, JSON.stringify(counts))
  old.close()
  const history = {
    ...{ since: '2027-03-02T00:00:00.000Z', until: '2027-03-04T23:59:59.999Z', verdict: 'not ready', requests: 542 },
    lineage: { mapping: 'version 1', v1: null, legacy: null },
  }
  for (const results of [1, 2]) {
    const { tally } = await clocked(path, NOW)
    tally.record(matching())
    expect(tally.snapshot()).toMatchObject([
      { totals: { requests: results, mismatched: 0 }, verdict: 'insufficient data', history: [history] },
    ])
    expect(tally.since()).toBe('2027-03-01T00:00:00.000Z')
    await tally.close(1_000)
  }
})

it('a service that reports another release with each answer does not fill the file', async () => {
  const path = newFile()
  const { tally, goOn } = await clocked(path, NOW)
  for (let release = 1; release <= 30; release++) {
    const at = NOW + release * 1_000
    tally.record({ ...matching(), at, releases: { v1: `${release}`, legacy: undefined } })
    await goOn(1_000)
  }
  await tally.close(1_000)
  expect(rowsIn(path)).toBe(21)
  const again = await clocked(path, NOW + 60_000)
  expect(again.tally.snapshot()).toMatchObject([{ lineage: { v1: '30' }, totals: { requests: 1 } }])
  await again.tally.close(0)
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
      async read(after) {
        if (reading.fails) throw new StateError('the database is away', true)
        if (!reading.answers) await new Promise<void>((resolve) => (readOn = resolve))
        return store.read(after)
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
