import { describe, expect, test } from 'vitest'
import { callLegacy } from '../../support/legacy-client.ts'
import { startSideBySide } from '../../support/side-by-side.ts'

const COUNTRIES = '/api/v1/public/shared/countries'
const INVOICES = '/api/v1/finance/invoices'
const METRIC = 'legacy_gateway_reference_list_counts_disagree_total'

describe('a list with more or fewer rows than v1 announces', () => {
  test('is served, cached, counted on every read, and logged once for the operation', async () => {
    const sides = await startSideBySide({ operations: {} })
    await sides.plant('v1', { path: COUNTRIES, kind: 'change', at: 'meta.total', to: 7 })
    for (const code of ['DE', 'FR', 'DE']) {
      const reply = await sides.gateway.call({ path: `/country/all?code=${code}` })
      expect(reply.status).toBe(200)
      expect(JSON.parse(reply.text)).toMatchObject([{ code }])
    }
    await sides.call('/api/currency')
    const warnings = sides.gateway.log.filter(({ msg }) => String(msg).startsWith('the total that v1 states'))
    expect(warnings).toMatchObject([{ level: 40, operation: 'country-list', rows: 1, promised: 7 }])
    const { text } = await callLegacy(sides.adminUrl, { path: '/metrics' })
    expect(text).toContain(`${METRIC}{operation="country-list"} 2`)
    expect(text).toContain(`${METRIC}{operation="currency-list"} 0`)
    // Each of the two lists is read twice.
    const calls = sides.gateway.log.flatMap(({ v1Calls }) => (typeof v1Calls === 'number' ? [v1Calls] : []))
    expect(calls.slice(-4)).toEqual([2, 2, 0, 1])
  })

  test('is not counted when a second read adds up', async () => {
    const sides = await startSideBySide({ operations: {} })
    await sides.plant('v1', { path: COUNTRIES, kind: 'change', at: 'meta.total', to: 7, calls: 1 })
    expect((await sides.gateway.call({ path: '/country/all?code=DE' })).status).toBe(200)
    expect(sides.gateway.log.at(-1)).toMatchObject({ v1Calls: 2 })
    const { text } = await callLegacy(sides.adminUrl, { path: '/metrics' })
    expect(text).toContain(`${METRIC}{operation="country-list"} 0`)
  })
})

test.each(['v1', 'legacy'])(
  'lists with careless counts are compared as they are answered, when %s serves',
  async (serve) => {
    const sides = await startSideBySide({ operations: { '*': { serve, shadow: 1 } } })
    await sides.plant('v1', { path: COUNTRIES, kind: 'change', at: 'meta.total', to: 7 })
    await sides.plant('v1', { path: INVOICES, kind: 'change', at: 'meta.pageCount', to: 99 })
    await sides.call('/country/all?code=DE')
    await sides.call('/api/invoice/list', {})
    const { operations } = await sides.compared(2)
    const of = (id: string) => operations.find(({ operation }) => operation === id)
    expect(of('country-list')).toMatchObject({ totals: { matched: 1 } })
    expect(of('invoice-list')).toMatchObject({
      totals: { mismatched: 1, failed: 0 },
      differences: [{ kind: 'changed', path: 'pagination.lastPage', v1Path: 'meta.pageCount' }],
    })
  },
)
