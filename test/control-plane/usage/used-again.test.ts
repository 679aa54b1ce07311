import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { callLegacy } from '../../support/legacy-client.ts'
import { startSideBySide } from '../../support/side-by-side.ts'
import { callsOf, clientsThat } from './support/asked-clients.ts'

const DAY_MS = 86_400_000

it('when an operation is called that nobody has called for seven days, the audit gets one entry', async () => {
  const settings = (folder: string) => ({ stateDb: join(folder, 'state.db') })
  const first = await startSideBySide({}, { settings })
  await first.call('/api/invoice/list', {})
  await first.gateway.close()
  const db = new DatabaseSync(join(first.folder, 'state.db'), { timeout: 10_000 })
  const column = db.prepare('SELECT at FROM usage_last').get()?.at
  const earlier = typeof column === 'number' ? column - 8 * DAY_MS : new Date(Date.now() - 8 * DAY_MS).toISOString()
  db.prepare("UPDATE usage_last SET at = ? WHERE operation = 'invoice-list'").run(earlier)
  db.close()
  const again = await startSideBySide({}, { settings: () => settings(first.folder) })
  for (let n = 0; n < 3; n++) await again.call('/api/invoice/list', {})
  await clientsThat(again.adminUrl, (all) => callsOf(all, 'demo-client', 'invoice-list') === 4)
  const told = async (): Promise<readonly { readonly event: string; readonly why: string }[]> => {
    const { text } = await callLegacy(again.adminUrl, { path: '/audit?operation=invoice-list' })
    return (JSON.parse(text) as { entries: { event: string; why: string }[] }).entries
  }
  await expect
    .poll(told, { interval: 10 })
    .toMatchObject([
      { event: 'legacy-used-again', why: 'no client had called it for seven days; demo-client has called it again' },
    ])
})
