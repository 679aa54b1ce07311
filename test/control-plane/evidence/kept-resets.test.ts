import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openFileStore } from '../../../src/app/stores.ts'
import {
  type KeptTally,
  type KeptTallyOptions,
  keptTally,
} from '../../../src/control-plane/evidence/tally/kept-tally.ts'
import { stateFolder } from '../../support/comparing-process.ts'
import { holdLock } from '../../support/hold-lock.ts'
import { until } from '../../support/start-gateway.ts'
import { expectationsFrom } from './support/lines.ts'
import { criteriaOf, observe } from './support/observing.ts'

const ORDER = { operation: 'made-up', by: 'Ada', why: 'v1 was repaired' }
const newFile = (): string => join(stateFolder(), 'state.db')
const quiet = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
} as unknown as KeptTallyOptions['log']

const open = (file: string, options: Partial<KeptTallyOptions> = {}): Promise<KeptTally> =>
  keptTally({
    store: openFileStore(file, { replica: 'this', log: quiet }).store,
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

it('in memory it works the same way', async () => {
  const tally = await open(':memory:')
  see(tally, 2)
  await tally.reset(ORDER)
  see(tally, 1)
  expect([requestsOf(tally), pastOf(tally)]).toEqual([1, ['2: v1 was repaired']])
  await tally.close(0)
})

function storedRows(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    return db.prepare("SELECT * FROM ledger WHERE kind = 'evidence'").all().length
  } finally {
    db.close()
  }
}
