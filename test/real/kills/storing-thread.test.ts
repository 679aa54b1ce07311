import type { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { keptTally } from '../../../src/compare/tally/kept-tally.ts'
import { openFileStore } from '../../../src/workers/open-stores.ts'
import { criteria, logged, matching, newFile, requests, storeOf } from '../../compare/support/keeping.ts'
import { STATUS } from '../../state/support/replicas.ts'
import { holdLock } from '../../support/hold-lock.ts'
import { until } from '../../support/start-gateway.ts'

it('a thread that ends while it writes is restarted, and everything counts once', async () => {
  const path = newFile()
  const threads: Worker[] = []
  const keepThread = (thread: Worker): void => void threads.push(thread)
  process.on('worker', keepThread)
  const { all, log } = logged()
  const tally = await keptTally({
    store: openFileStore(path, { replica: 'this', status: () => STATUS, log }).store,
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
})
