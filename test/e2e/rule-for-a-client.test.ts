import { describe, expect, it } from 'vitest'
import { startSideBySide } from '../support/side-by-side.ts'

const INVOICES = '/api/invoice/list'

describe.each(['v1', 'legacy'])('where %s answers', (serve) => {
  it('an ignore rule for a client covers only the calls of that client', async () => {
    for (const [client, outcome] of [
      ['demo-client', 'ignored'],
      ['another', 'mismatched'],
    ] as const) {
      const rule = { operation: 'invoice-list', path: 'data[].priceTry', client, why: 'it rounds by itself' }
      const sides = await startSideBySide({ operations: { '*': { serve, shadow: 1 } }, ignore: [rule] })
      await sides.plant('legacy', { path: INVOICES, kind: 'change', at: 'data[].priceTry', to: 0.5 })
      await sides.call(INVOICES, { perPage: 1 })
      const { operations } = await sides.compared(1)
      const { totals } = operations.find(({ operation }) => operation === 'invoice-list') ?? {}
      expect(totals).toMatchObject({ requests: 1, [outcome]: 1 })
    }
  })
})
