import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { type KeptTally, type KeptTallyOptions, keptTally } from '../../src/compare/tally/kept-tally.ts'
import { stateDb } from '../../src/compare/tally/state-db.ts'
import { openFileStore, openMemoryStore } from '../../src/workers/open-stores.ts'
import { stateFolder } from '../support/comparing-process.ts'
import { holdLock } from '../support/hold-lock.ts'
import { until } from '../support/start-gateway.ts'
import { expectationsFrom } from './support/lines.ts'
import { criteriaOf, observe } from './support/observing.ts'

const DAY = 86_400_000
const ORDER = { operation: 'made-up', by: 'Ada', why: 'v1 was repaired' }
const newFile = (): string => join(stateFolder(), 'state.db')
const quiet = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
} as unknown as KeptTallyOptions['log']
let writers = 0

const open = (file: string, options: Partial<KeptTallyOptions> = {}): Promise<KeptTally> =>
  keptTally({
    store: openFileStore(file, `writer ${++writers}`, { replica: 'this', log: quiet }).store,
    criteria: () => criteriaOf(new Map([['made-up', expectationsFrom([])]])),
    // On a busy machine, opening a file takes longer than the time after which counting goes on without it.
    ...{ log: quiet, everyMs: 20, patienceMs: 60_000, ...options },
  })

function see(tally: KeptTally, count: number): void {
  for (let seen = 0; seen < count; seen++) {
    tally.record(observe({ control: { a: 1 }, candidate: { a: 1 }, input: `${seen}`, at: new Date() }))
  }
}

const requestsOf = (tally: KeptTally): number | undefined => tally.snapshot()[0]?.totals.requests
const pastOf = (tally: KeptTally) =>
  tally.snapshot()[0]?.history.map(({ requests, endedBy }) => `${requests}: ${endedBy?.why}`)

function auditOf(file: string): readonly unknown[] {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    return db.prepare('SELECT why FROM audit ORDER BY at').all()
  } finally {
    db.close()
  }
}

it('a reset judges its own operation alone, because a report at its limits takes long', async () => {
  const judged: string[] = []
  const all = criteriaOf(new Map([['made-up', expectationsFrom([])]]))
  const criteria = () => ({
    ...all,
    demandsOf(operation: string) {
      judged.push(operation)
      return all.demandsOf(operation)
    },
  })
  const tally = await open(newFile(), { criteria })
  for (const operation of ['first', 'made-up', 'last']) {
    tally.record(observe({ control: { a: 1 }, candidate: { a: 1 }, operation }))
  }
  await tally.reset(ORDER)
  expect(judged).toEqual(['made-up'])
  await tally.close(0)
})

it('a reset that cannot be stored holds at once, says so, and is stored as soon as it can be', async () => {
  const file = newFile()
  const tally = await open(file)
  see(tally, 2)
  await until(() => storedRows(file) === 1)
  const lock = await holdLock(file, 'BEGIN IMMEDIATE')
  const { isStored } = await tally.reset(ORDER)
  expect([isStored, requestsOf(tally), pastOf(tally)]).toEqual([false, 0, ['2: v1 was repaired']])
  await lock.release()
  await until(() => auditOf(file).length === 1)
  await tally.close(1_000)
  const again = await open(file)
  expect([requestsOf(again), pastOf(again)]).toEqual([0, ['2: v1 was repaired']])
  await again.close(1_000)
})

it('resets survive the removal of the file while it is in use', async () => {
  const file = newFile()
  const tally = await open(file)
  see(tally, 2)
  expect((await tally.reset(ORDER)).isStored).toBe(true)
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
  see(tally, 1)
  await tally.close(1_000)
  const again = await open(file)
  expect([requestsOf(again), pastOf(again)]).toEqual([1, ['2: v1 was repaired']])
  await again.close(1_000)
})

it('a gateway that shares the file learns of a reset, and counts towards the new evidence', async () => {
  const file = newFile()
  const [one, other] = [await open(file), await open(file)]
  see(other, 2)
  await one.reset(ORDER)
  await until(() => requestsOf(other) === 0)
  see(other, 3)
  await other.close(1_000)
  await one.close(1_000)
  const again = await open(file)
  expect([requestsOf(again), pastOf(again)]).toEqual([3, ['2: v1 was repaired']])
  await again.close(1_000)
})

it('the latest reset is kept forever, earlier ones for 400 days', async () => {
  const file = newFile()
  const db = stateDb(file, 'this')
  const now = Date.parse('2027-03-04T12:00:00Z')
  db.open(new Date(now))
  const before = { lineage: { mapping: 'x', v1: null, legacy: null }, verdict: 'ready' as const, requests: 1 }
  const resets = [900, 500].map((days) => {
    const at = new Date(now - days * DAY).toISOString()
    return { ...{ id: at, operation: 'made-up', at, by: 'Ada', why: `${days} days ago` }, before }
  })
  db.keep({ resets })
  // Sent twice, stored once.
  db.keep({ resets })
  expect(db.resets()).toEqual(resets)
  db.forgetBefore(new Date(now - 400 * DAY).toISOString().slice(0, 10))
  expect(auditOf(file)).toEqual([{ why: '500 days ago' }])
  db.close()
})

it('in memory it works the same way', async () => {
  const tally = await open('', { store: openMemoryStore(quiet).store })
  see(tally, 2)
  await tally.reset(ORDER)
  see(tally, 1)
  expect([requestsOf(tally), pastOf(tally)]).toEqual([1, ['2: v1 was repaired']])
  await tally.close(0)
})

it('in memory, results are kept once, not also as rows, and stay when old data is deleted', async () => {
  const { store } = openMemoryStore(quiet)
  const kept: unknown[] = []
  const forgotten: string[] = []
  const watched = {
    ...store,
    keep: (what: Parameters<typeof store.keep>[0]) => {
      kept.push(what.portion)
      return store.keep(what)
    },
    forgetBefore: (day: string) => {
      forgotten.push(day)
      return store.forgetBefore(day)
    },
  }
  let daysLater = 0
  const start = Date.now()
  const tally = await open('', {
    store: watched,
    now: () => new Date(start + daysLater * DAY),
    monotonic: () => daysLater * DAY,
  })
  see(tally, 2)
  await until(() => kept.length > 1)
  daysLater = 1
  await until(() => forgotten.length === 2)
  see(tally, 1)
  const calls = kept.length
  await until(() => kept.length > calls + 1)
  expect(kept.every((portion) => portion === undefined)).toBe(true)
  expect(requestsOf(tally)).toBe(3)
  await tally.close(0)
})

function storedRows(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    return db.prepare('SELECT * FROM counts').all().length
  } finally {
    db.close()
  }
}
