import { expect, it, onTestFinished } from 'vitest'
import { openFileStore } from '../../../src/app/stores.ts'
import { StateError } from '../../../src/control-plane/store/state-error.ts'
import { holdLock } from '../../support/hold-lock.ts'
import { answered } from '../cutover/store/support/made-up.ts'
import { newFile } from '../evidence/support/keeping.ts'
import { row } from '../usage/store/support/made-up.ts'

it('a file that another process has locked fails at once but for the first time, and is written as soon as it is free', async () => {
  const path = newFile()
  const { store, cutover, usage, logins } = openFileStore(path, { replica: 'this', log: { warn: () => undefined } })
  onTestFinished(() => store.close(0))
  await store.open()
  const lock = await holdLock(path, 'BEGIN IMMEDIATE')
  const writes = [
    () => usage.add({ number: 1, rows: [row()] }),
    () => logins.add([{ hash: 'a', client: 'shop' }]),
    () => cutover.keep([answered(1, 1)]),
    () => cutover.lease(),
    () => usage.add({ number: 1, rows: [row()] }),
  ]
  const blocked: number[] = []
  for (const write of writes) {
    const from = performance.now()
    const error = await write().catch((thrown: unknown) => thrown)
    blocked.push(performance.now() - from)
    expect(error).toBeInstanceOf(StateError)
    expect(error).toMatchObject({ isBusy: true, message: expect.stringContaining('database is locked') })
    // Reading goes on.
    expect(await usage.read({ since: '2020-01-01' })).toEqual([])
  }
  // The first one waits for 200 ms.
  expect(blocked.reduce((sum, milliseconds) => sum + milliseconds, 0)).toBeLessThan(400)
  await lock.release()
  for (const write of writes) await write()
  expect((await usage.read({ since: '2020-01-01' })).map(({ calls }) => calls)).toEqual([row().calls])
})
