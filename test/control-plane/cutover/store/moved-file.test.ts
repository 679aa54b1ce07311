import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFileStore } from '../../../../src/app/stores.ts'
import { stateFolder } from '../../../support/comparing-process.ts'
import { fileState } from './support/engines.ts'
import { answered, decision } from './support/made-up.ts'

const remove = (file: string): void => {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
}
const MOVED = /was removed or replaced while it was in use: put it back, or restart the gateway/

it('a state file that is removed or replaced while it is used stores and says nothing more of the cut-over', async () => {
  const file = join(stateFolder(), 'state.db')
  const { cutover } = await fileState(file).open()
  await cutover.decide(decision(1))
  remove(file)
  await expect(cutover.decide(decision(2))).rejects.toThrow(MOVED)
  const { cutover: other } = await fileState(file).open()
  await other.decide(decision(1, { operation: 'two' }))
  await expect(cutover.keep([answered(1, 10)])).rejects.toThrow(MOVED)
  await expect(cutover.read()).rejects.toThrow(MOVED)
  expect((await other.read()).positions.map(({ operation }) => operation)).toEqual(['two'])
})

it('memory stores the same, until the process ends', async () => {
  const { store, cutover } = openFileStore(':memory:', {
    ...{ replica: 'this', log: { warn: () => undefined } },
  })
  await store.open()
  const outcomes = await Promise.all([decision(1), decision(1), decision(1)].map((one) => cutover.decide(one)))
  expect(outcomes).toEqual(['stored', 'stale', 'stale'])
  await Promise.all([cutover.keep([answered(1, 3)]), store.keep([]), cutover.keep([answered(1, 4)])])
  const { positions, answered: sums = [] } = await cutover.read()
  expect([positions[0]?.version, sums[0]?.v1.calls]).toEqual([1, 4])
  expect(await cutover.lease()).toBeDefined()
  expect(await cutover.audit({ limit: 10 })).toHaveLength(1)
  await store.close(0)
})
