import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openMemoryStore } from '../../../src/workers/open-stores.ts'
import { stateFolder } from '../../support/comparing-process.ts'
import { fileState } from './support/engines.ts'
import { answered, decision, entry } from './support/made-up.ts'

const remove = (file: string): void => {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
}

it('a state file that is removed while it is used is created again with all of the cut-over', async () => {
  const file = join(stateFolder(), 'state.db')
  const state = fileState(file)
  const { cutover } = await state.open()
  await cutover.decide(decision(1))
  await cutover.keep([answered(1, 10)])
  await cutover.endBrownouts(entry(), 0)
  const before = { ...(await cutover.read()), now: '' }
  remove(file)
  expect(await cutover.decide(decision(2))).toBe('stored')
  await cutover.keep([answered(1, 12), answered(2, 1)])
  const lease = await cutover.lease()
  expect((await cutover.due(lease as NonNullable<typeof lease>)).messages).toHaveLength(1)
  const { cutover: again } = await fileState(file).open()
  const { positions, brownoutsEndedAt, answered: sums = [] } = await again.read()
  expect(positions).toMatchObject([{ version: 2 }])
  expect(brownoutsEndedAt).toBe(before.brownoutsEndedAt)
  expect(sums.map(({ stage, v1 }) => [stage, v1.calls])).toEqual([
    [1, 12],
    [2, 1],
  ])
  expect(await again.audit({ limit: 10 })).toHaveLength(3)
  expect(state.warnings).toEqual([])
})

it('a state file that is replaced by another one takes plans to where that says, and warns of it', async () => {
  const file = join(stateFolder(), 'state.db')
  const state = fileState(file)
  const { store, cutover } = await state.open()
  await cutover.decide(decision(1))
  await cutover.decide(decision(1, { operation: 'two' }))
  await cutover.keep([answered(1, 10)])
  await cutover.read()
  remove(file)
  const other = await fileState(file).open()
  await other.cutover.decide(decision(1, { operation: 'two' }))
  await other.store.close(500)
  expect((await cutover.read()).positions.map(({ operation }) => operation)).toEqual(['two'])
  await cutover.read()
  expect(state.warnings).toEqual(['the state was replaced or restored: plans stand where it says'])
  await store.close(500)
})

it('versions before write and read a state file that has the tables of the cut-over', async () => {
  const file = join(stateFolder(), 'state.db')
  const { store, cutover } = await fileState(file).open()
  await cutover.decide(decision(1))
  await store.close(500)
  const db = new DatabaseSync(file, { timeout: 10_000 })
  // As they do it: all columns that they know.
  db.prepare('INSERT OR IGNORE INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
    ...[
      'old',
      'evidence-reset',
      'one',
      '2027-03-04T05:06:07.891Z',
      'Ada',
      'ready',
      'insufficient data',
      'a test',
      '{}',
      1,
    ],
  )
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 })
  db.close()
  const { cutover: again } = await fileState(file).open()
  expect((await again.audit({ limit: 10 })).map(({ id }) => id)).toContain('old')
})

it('memory stores the same, until the process ends', async () => {
  const { store, cutover } = openMemoryStore({ warn: () => undefined })
  await store.open(new Date())
  const outcomes = await Promise.all([decision(1), decision(1), decision(1)].map((one) => cutover.decide(one)))
  expect(outcomes).toEqual(['stored', 'stale', 'stale'])
  await Promise.all([cutover.keep([answered(1, 3)]), store.keep({}), cutover.keep([answered(1, 4)])])
  const { positions, answered: sums = [] } = await cutover.read()
  expect([positions[0]?.version, sums[0]?.v1.calls]).toEqual([1, 4])
  expect(await cutover.lease()).toBeDefined()
  expect(await cutover.audit({ limit: 10 })).toHaveLength(1)
  await store.close(0)
})
