import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { keptTally } from '../../../src/control-plane/evidence/tally/kept-tally.ts'
import { StateError } from '../../../src/control-plane/store/state-error.ts'
import { criteria, logged, matching, newFile, storeOf } from './support/keeping.ts'

const LOST = 'the state was replaced or restored: results that were stored since then are not in it'

/** A gateway with results of two lineages, which has its state back after an outage in which somebody has changed it. */
async function afterOutage(change: string): Promise<{ warned: boolean; requests: number | undefined }> {
  const path = newFile()
  let isAway = false
  const db = storeOf(path)
  const orAway = <Result>(work: () => Promise<Result>): Promise<Result> =>
    isAway ? Promise.reject(new StateError('away', true)) : work()
  const { all, log } = logged()
  const tally = await keptTally({
    store: {
      ...{ ...db, isShared: true },
      add: (portion) => orAway(() => db.add(portion)),
      keep: (resets) => orAway(() => db.keep(resets)),
      changes: () => orAway(db.changes),
      resets: () => orAway(db.resets),
    },
    ...{ criteria, log, everyMs: 60_000 },
  })
  const attempt = () => tally.reset({ operation: 'other', by: 'Ada', why: 'to store' })
  for (const v1 of ['old', 'new']) {
    tally.record({ ...matching(), releases: { v1, legacy: undefined } })
    await attempt()
  }
  await tally.refresh(0, 5_000)
  isAway = true
  await attempt()
  const other = new DatabaseSync(path, { timeout: 10_000 })
  other.exec(change)
  other.close()
  isAway = false
  await attempt()
  await tally.refresh(0, 5_000)
  const report = tally.snapshot().find(({ operation }) => operation === 'made-up')
  const requests = report && [report.totals, ...report.history].reduce((sum, one) => sum + one.requests, 0)
  await tally.close(1_000)
  return { warned: all.includes(LOST), requests }
}

it('what another gateway has deleted because it is old, while the state was away, is not said to be lost', async () => {
  expect(await afterOutage(`DELETE FROM ledger WHERE key LIKE '%"old"%'`)).toEqual({ warned: false, requests: 1 })
})

it('what is missing since the state was restored is said to be lost', async () => {
  const restored = `DELETE FROM ledger WHERE key LIKE '%"new"%'; UPDATE ledger_head SET number = number - 1 WHERE kind = 'evidence'`
  expect(await afterOutage(restored)).toEqual({ warned: true, requests: 1 })
})
