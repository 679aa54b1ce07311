import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { startSideBySide } from '../support/side-by-side.ts'

const ROLLOUT = { operations: { '*': { shadow: 1 } } }
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

test('results of a version that no longer answers are deleted after 400 days, in the file too', async () => {
  const first = await startSideBySide(ROLLOUT, { settings: (folder) => ({ stateDb: join(folder, 'state.db') }) })
  await first.call('/api/invoice/list', {})
  await first.compared(1)
  await first.gateway.close()
  const stateDb = join(first.folder, 'state.db')
  const file = new DatabaseSync(stateDb, { timeout: 10_000 })
  for (const days of [399, 401]) {
    const mapping = `the mapping of ${days} days ago`
    file.exec(`INSERT INTO counts SELECT operation, '["${mapping}",null,null]', '${daysAgo(days)}',
      json_set(counts, '$.lineage.mapping', '${mapping}') FROM counts WHERE operation = 'invoice-list' LIMIT 1`)
  }
  const second = await startSideBySide(ROLLOUT, { settings: () => ({ stateDb }) })
  const { operations } = await second.compared(1)
  const shown = operations.find(({ operation }) => operation === 'invoice-list')
  expect(shown?.history.map(({ lineage }) => lineage.mapping)).toEqual(['the mapping of 399 days ago'])
  await second.gateway.close()
  const rows = file.prepare("SELECT DISTINCT lineage FROM counts WHERE lineage LIKE '%days ago%'").all()
  expect(rows).toEqual([{ lineage: '["the mapping of 399 days ago",null,null]' }])
  file.close()
})
