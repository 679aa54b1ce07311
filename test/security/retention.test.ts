import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { startSideBySide } from '../support/side-by-side.ts'

const ROLLOUT = { operations: { '*': { shadow: 1 } } }
const OLD = '["an old mapping",null,null]'
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** What is left of the results of a version that last answered so many days ago: lineages in the history, and rows in the file. */
async function keptSince(days: number): Promise<readonly [lineages: number, rows: number]> {
  const first = await startSideBySide(ROLLOUT, { settings: (folder) => ({ stateDb: join(folder, 'state.db') }) })
  await first.call('/api/invoice/list', {})
  await first.compared(1)
  await first.gateway.close()
  const stateDb = join(first.folder, 'state.db')
  const edit = new DatabaseSync(stateDb, { timeout: 10_000 })
  edit.exec(`INSERT INTO counts SELECT operation, '${OLD}', '${daysAgo(days)}',
    json_set(counts, '$.lineage.mapping', 'an old mapping') FROM counts WHERE operation = 'invoice-list'`)
  edit.close()
  const second = await startSideBySide(ROLLOUT, { settings: () => ({ stateDb }) })
  const { operations } = await second.compared(1)
  await second.gateway.close()
  const left = new DatabaseSync(stateDb, { timeout: 10_000 })
  const rows = left.prepare('SELECT count(*) AS rows FROM counts WHERE lineage = ?').get(OLD)?.rows
  left.close()
  const invoices = operations.find(({ operation }) => operation === 'invoice-list')
  return [(invoices as unknown as { history: readonly object[] }).history.length, Number(rows)]
}

test('results of a version that no longer answers are deleted after 400 days, in the file too', async () => {
  expect(await keptSince(399)).toEqual([1, 1])
  expect(await keptSince(401)).toEqual([0, 0])
})
