import { join } from 'node:path'
import { expect, it } from 'vitest'
import { requestsOf, startComparing, stateFolder } from '../../support/comparing-process.ts'

it('two gateways that share an SQLite file during a restart lose no results, and each shows those of both', async () => {
  const file = join(stateFolder(), 'state.db')
  const old = await startComparing(file)
  await old.call(2)
  await old.counted(2)
  const replacement = await startComparing(file)
  await old.call(3)
  await replacement.call(4)
  for (const gateway of [old, replacement]) expect(requestsOf(await gateway.counted(9))).toBe(9)
  // What the old one stores last of all.
  await old.call(5)
  await old.stop()
  expect(requestsOf(await replacement.counted(14))).toBe(14)
  await replacement.stop()
  expect(requestsOf(await (await startComparing(file)).counted(14))).toBe(14)
})
