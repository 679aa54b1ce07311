import { expect, it } from 'vitest'
import { brownoutsPage } from '../../src/admin/dashboard/brownouts-page.ts'
import type { BrownoutReport } from '../../src/cutover/brownout/current-brownouts.ts'
import { brownoutRule } from '../support/brownout-rule.ts'
import { countTurns } from '../support/count-turns.ts'

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
  const brownouts = Array.from({ length: PAGES }, (_, index) => slow(index + 1))
  const report = async () => ({ since: '2027-05-03T06:00:00.000Z', endedAt: null, brownouts })
  const [{ content }, turns] = await countTurns(() => brownoutsPage({ brownouts: report }))
  expect(`${await content}`).toContain(`Brownout ${PAGES}`)
  // A slice ends after 10 ms, and so after one brownout.
  expect(turns).toBeGreaterThanOrEqual(PAGES - 1)
})
