import { expect, it } from 'vitest'
import { startSideBySide } from '../support/side-by-side.ts'

const CALLS = 12

it('calls that differ only in what the mapping ignores are one unit an hour, and not ready', async () => {
  // Five units would prove half.
  const sides = await startSideBySide({ operations: { '*': { shadow: 1, target: 0.5 } } })
  for (let _ = 0; _ < CALLS; _++) await sides.call(`/api/invoice/list?_=${_}`, { perPage: 1, _ })
  const [report] = (await sides.compared(CALLS)).operations
  expect(report).toMatchObject({
    ...{ operation: 'invoice-list', totals: { matched: CALLS }, verdict: 'insufficient data' },
    ...{ inputs: { distinct: 1 }, missing: [expect.stringMatching(/^units [12] of 5$/)] },
  })
}, 60_000)

it('a cached list is not read again for each call that differs only in what the mapping ignores', async () => {
  const sides = await startSideBySide({ operations: { '*': { shadow: 1 } } })
  await sides.call('/api/currency')
  await sides.compared(1)
  for (const n of [1, 2, 3]) {
    await sides.call(`/api/currency?_=${n}`)
    await sides.compared(1 + n)
  }
  const [report] = (await sides.experiments()).operations.filter(({ operation }) => operation === 'currency-list')
  expect(report).toMatchObject({ totals: { matched: 2, skipped: 2 }, unjudged: {} })
}, 60_000)
