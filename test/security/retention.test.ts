import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { startSideBySide } from '../support/side-by-side.ts'

const ROLLOUT = { operations: { '*': { shadow: 1 } } }
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** How many results a gateway knows of that were kept so many days ago, and how many rows are left of them. */
async function keptSince(days: number): Promise<readonly [results: number, rows: number]> {
  const first = await startSideBySide(ROLLOUT, { settings: (folder) => ({ stateDb: join(folder, 'state.db') }) })
  await first.call('/api/invoice/list', {})
  await first.compared(1)
  await first.gateway.close()
  const stateDb = join(first.folder, 'state.db')
  const edit = new DatabaseSync(stateDb)
  edit.prepare('UPDATE counts SET day = ?').run(daysAgo(days))
  edit.close()
  const second = await startSideBySide(ROLLOUT, { settings: () => ({ stateDb }) })
  const { operations } = await second.compared(0)
  await second.gateway.close()
  const left = new DatabaseSync(stateDb)
  const rows = left.prepare('SELECT count(*) AS rows FROM counts WHERE day = ?').get(daysAgo(days))?.rows
  left.close()
  return [operations.length, Number(rows)]
}

test('results of comparing are let go of after 90 days, in the file too', async () => {
  const [results, rows] = await keptSince(89)
  expect([results, rows]).toEqual([1, 2])
  expect(await keptSince(92)).toEqual([0, 0])
})
