import { expect, it } from 'vitest'
import { brownoutsPage } from '../../src/admin/dashboard/brownouts-page.ts'
import type { BrownoutReport } from '../../src/cutover/brownout/brownout-report.ts'
import { brownoutRule } from '../support/brownout-rule.ts'

const PAGES = 20
const ROW_MS = 12

/** A brownout that takes long to render. */
const slow = (n: number): BrownoutReport => ({
  ...brownoutRule(),
  ...{ n, state: 'over', until: '2027-05-03T07:00:00.000Z', clients: [] },
  get others() {
    for (const end = performance.now() + ROW_MS; performance.now() < end; );
    return { before: n, refused: 0, since: 0 }
  },
})

it('calls are answered while the page Brownouts lists the clients of many', async () => {
  let turns = 0
  let isDone = false
  const turn = (): void => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const brownouts = Array.from({ length: PAGES }, (_, index) => slow(index + 1))
  const report = async () => ({ since: '2027-05-03T06:00:00.000Z', endedAt: null, brownouts })
  const { content } = await brownoutsPage({ brownouts: report })
  isDone = true
  expect(`${await content}`).toContain(`Brownout ${PAGES}`)
  // A slice ends after 10 ms, and so after one brownout.
  expect(turns).toBeGreaterThanOrEqual(PAGES - 1)
})
