import { expect, it } from 'vitest'
import { startSideBySide } from '../support/side-by-side.ts'

const CALLS = 300

it('300 calls that differ only in what the mapping ignores are one unit an hour, and not ready', async () => {
  const sides = await startSideBySide({ operations: { '*': { shadow: 1 } }, limits: { queue: 10_000 } })
  // Four at a time, because comparing waits behind calls.
  for (let n = 0; n < CALLS; n += 4) {
    const four = [n, n + 1, n + 2, n + 3]
    await Promise.all(four.map((_) => sides.call(`/api/invoice/list?_=${_}`, { perPage: 1, _ })))
  }
  const [report] = (await sides.compared(CALLS)).operations
  expect(report).toMatchObject({
    ...{ operation: 'invoice-list', totals: { matched: CALLS }, verdict: 'insufficient data' },
    ...{ inputs: { distinct: 1 }, missing: [expect.stringMatching(/^units [12] of 299$/)] },
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
