import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { fileState } from '../../cutover/store/support/engines.ts'
import { stateFolder } from '../../support/comparing-process.ts'
import { dayAgo, portion, row } from './support/made-up.ts'

const TABLES = ['usage', 'usage_day', 'usage_last', 'usage_writer', 'usage_brownout']

it('a state file of a gateway before gets the tables of usage', async () => {
  const file = join(stateFolder(), 'state.db')
  const { store } = await fileState(file).open()
  await store.close(500)
  const db = new DatabaseSync(file, { timeout: 10_000 })
  for (const table of TABLES) db.exec(`DROP TABLE ${table}`)
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 })
  db.close()
  const { usage } = await fileState(file).open()
  await usage.add(portion(1, row({ brownouts: { key: { refused: 1, passed: 0, since: 0 } } })))
  expect(await usage.read({ since: dayAgo(0) })).toMatchObject([{ client: 'shop', calls: 1 }])
})

it('a state file that is removed while it is used is created again with its usage, and nothing counts twice', async () => {
  const file = join(stateFolder(), 'state.db')
  const { usage } = await fileState(file).open()
  await usage.add(portion(1, row({ days: 9 })))
  await usage.add(portion(2, row({ operation: 'two', brownouts: { key: { refused: 1, passed: 0, since: 0 } } })))
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
  await usage.add(portion(2, row({ operation: 'two' })))
  expect(await usage.add(portion(3, row()))).toMatchObject([{ operation: 'one' }])
  const { usage: again } = await fileState(file).open()
  const read = await again.read({ since: dayAgo(20) })
  expect(Object.fromEntries(read.map(({ operation, calls }) => [operation, calls]))).toEqual({ one: 2, two: 1 })
  for await (const page of again.brownouts([{ key: 'key', operations: ['*'], from: Date.now() }])) {
    expect(page[0]?.calls.get('key')).toEqual({ before: 2, refused: 1, since: 0 })
  }
})
