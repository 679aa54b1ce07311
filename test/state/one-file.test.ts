import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stateFolder } from '../support/comparing-process.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'

const KEY = randomBytes(32)

/** A gateway before a sandbox of its own, whose results are in this file. */
const startGatewayOn = (stateDb: string): Promise<SideBySide> =>
  startSideBySide(
    { operations: { '*': { serve: 'legacy', shadow: 1 } } },
    { settings: () => ({ stateDb, tokenKeys: [KEY] }) },
  )

const invoices = async (gateway: SideBySide, times: number): Promise<void> => {
  for (let time = 0; time < times; time++) expect((await gateway.call('/api/invoice/list', {})).status).toBe(200)
}
const requestsAt = async (gateway: SideBySide): Promise<number> =>
  (await gateway.experiments()).operations.find(({ operation }) => operation === 'invoice-list')?.totals.requests ?? 0

it('two gateways that share an SQLite file during a restart lose no results, and each shows those of both', async () => {
  const file = join(stateFolder(), 'state.db')
  const old = await startGatewayOn(file)
  await invoices(old, 2)
  await expect.poll(() => requestsAt(old)).toBe(2)
  const replacement = await startGatewayOn(file)
  await invoices(old, 3)
  await invoices(replacement, 4)
  for (const gateway of [old, replacement]) await expect.poll(() => requestsAt(gateway)).toBe(9)
  // What the old one stores last of all.
  await invoices(old, 5)
  await old.gateway.close()
  await expect.poll(() => requestsAt(replacement)).toBe(14)
  await replacement.gateway.close()
  expect(await requestsAt(await startGatewayOn(file))).toBe(14)
})
