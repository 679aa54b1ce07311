import { expect, it } from 'vitest'
import { countTurns } from '../support/count-turns.ts'
import { dashboardSources, NOW } from '../support/dashboard-sources.ts'
import { awayUsage, used } from '../support/known-usage.ts'
import { PAGES_OF_CLIENTS } from '../support/pages-of-clients.ts'
import { slowClock } from '../support/slow-clock.ts'

const CLIENTS = 40

it.each(PAGES_OF_CLIENTS)('calls are answered while %s is made of many clients', async (_, make) => {
  const rows = Array.from({ length: CLIENTS }, (_, index) =>
    used(`client-${index}`, 'price', new Date(NOW).toISOString()),
  )
  const sources = dashboardSources({ usage: { ...awayUsage, since: async () => rows, weeks: async () => [] } })
  await slowClock()
  const [, turns] = await countTurns(() => make(sources))
  expect(turns).toBeGreaterThanOrEqual(CLIENTS)
})
