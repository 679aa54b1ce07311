import { expect, it } from 'vitest'
import { switchOffPage } from '../../src/admin/dashboard/switch-off-page.ts'
import { trafficPage } from '../../src/admin/dashboard/traffic-page.ts'
import type { TotalCounts } from '../../src/observe/traffic.ts'
import { countTurns } from '../support/count-turns.ts'
import { dashboardSources, trafficAt } from '../support/dashboard-sources.ts'

const ROWS = 40
const ROW_MS = 3

/** A row that takes long to read: a page of 17,000 rows on a slow machine, in little. */
const slowRow = (index: number): TotalCounts => ({
  ...{ operation: 'invoice-list', client: `client-${index}`, clientErrors: 0, serverErrors: 0, byV1: 0, lastAt: 0 },
  calls: 1,
  get byLegacy() {
    for (const end = performance.now() + ROW_MS; performance.now() < end; );
    return 1
  },
})

it('calls are answered while the page Switch-off adds up who calls', async () => {
  const totals = Array.from({ length: ROWS }, (_, index) => slowRow(index))
  const sources = dashboardSources({ traffic: () => ({ ...trafficAt().snapshot(), totals }) })
  const [{ content }, turns] = await countTurns(() => switchOffPage(sources))
  expect(`${await content}`).toContain('40 clients have')
  // A slice ends after 10 ms, and so after four rows at most.
  expect(turns).toBeGreaterThanOrEqual(ROWS / 4)
})

it('the page Switch-off reads the reference lists, which are made then, in another turn than the one it is asked in', async () => {
  const sources = dashboardSources()
  const { reference } = sources
  let isRead = false
  const page = switchOffPage(
    Object.defineProperty({ ...sources }, 'reference', {
      get: () => {
        isRead = true
        return reference
      },
    }),
  )
  expect(isRead).toBe(false)
  await page
  expect(isRead).toBe(true)
})

it('calls are answered while the page Traffic copies three hours, minute by minute', async () => {
  const snapshot = { ...trafficAt().snapshot(), totals: [slowRow(0)] }
  const minutes = Array.from({ length: ROWS }, (_, index) => ({
    at: snapshot.now - index * 60_000,
    get counts() {
      for (const end = performance.now() + ROW_MS; performance.now() < end; );
      return []
    },
  }))
  const sources = dashboardSources({ traffic: () => ({ ...snapshot, minutes }) })
  const filter = { operation: undefined, client: undefined, minutes: 180 }
  const [, turns] = await countTurns(() => trafficPage(sources, filter))
  // The last slice needs no turn after it.
  expect(turns).toBeGreaterThanOrEqual(ROWS / 4 - 1)
})
