import { expect, it } from 'vitest'
import { startSideBySide } from '../support/side-by-side.ts'

const INVOICES = '/api/invoice/list'

it.each(['v1', 'legacy'])(
  'an ignore rule for a client covers only the calls of that client (%s answers)',
  async (serve) => {
    const client = 'other-client'
    const rule = { operation: 'invoice-list', path: 'data[].priceTry', client, why: 'it rounds by itself' }
    const sides = await startSideBySide({ operations: { '*': { serve, shadow: 1 } }, ignore: [rule] })
    await sides.plant('legacy', { path: INVOICES, kind: 'change', at: 'data[].priceTry', to: 0.5 })
    const invoicesAfter = async (calls: number) =>
      (await sides.compared(calls)).operations.find(({ operation }) => operation === 'invoice-list')
    await sides.call(INVOICES, { perPage: 1 })
    expect((await invoicesAfter(1))?.totals).toMatchObject({ ignored: 0, mismatched: 1 })
    const login = { clientId: client, secretKey: 'other-secret' }
    const { text } = await sides.gateway.call({ path: '/auth/application', body: JSON.stringify(login) })
    const { token } = JSON.parse(text) as { readonly token: string }
    await sides.call(INVOICES, { perPage: 1 }, { authorization: `Bearer ${token}` })
    expect((await invoicesAfter(2))?.totals).toMatchObject({ ignored: 1, mismatched: 1 })
  },
)
