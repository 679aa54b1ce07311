import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { keptTally } from '../../src/compare/tally/kept-tally.ts'
import { until } from '../support/start-gateway.ts'
import { criteria, logged, matching, NOW, newFile, requests, rowsIn, storeOf } from './support/keeping.ts'

const DAY = 86_400_000

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
