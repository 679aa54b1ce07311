import { expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const INVOICES = '/api/invoice/list'
/** Five times each moment of a comparison at which a row can be added. */
const CALLS = 35

it.each(['v1', 'legacy'])(
  'a list that grows between the answers of two equal services is never a difference (%s answers)',
  async (serve) => {
    let rows = 40
    let asked = 0
    /** The newest rows first, as both services show them. Every few requests a row is added, whichever service is asked. */
    const page = (perPage: number) => {
      if (asked++ % 7 === 3) rows++
      return Array.from({ length: perPage }, (_, at) => ({ id: rows - at, number: `N${rows - at}` }))
    }
    const legacy = await startHttpServer(({ target }, response) => {
      const pagination = { count: rows, page: 1, perPage: 25, lastPage: Math.ceil(rows / 25) }
      response.end(target === INVOICES ? JSON.stringify({ data: page(25), pagination }) : '{"token":"t"}')
    })
    const v1 = await startHttpServer(({ target }, response) => {
      const meta = { page: 1, perPage: 25, total: rows, pageCount: Math.ceil(rows / 25) }
      const body = target.includes('invoices') ? { items: page(25), meta } : { data: { token: 'v' } }
      response.end(JSON.stringify({ success: true, ...body }))
    })
    const sides = await startSideBySide(
      {
        operations: { '*': { serve, shadow: 1 } },
        ignore: [{ operation: '*', path: 'pagination', why: 'not of interest' }],
      },
      { v1Url: v1.url, legacyUrl: legacy.url },
    )
    for (let call = 0; call < CALLS; call++) {
      await sides.call(INVOICES, { search: `${call}` })
      await sides.compared(call + 1)
    }
    const { operations } = await sides.compared(CALLS)
    const report = operations.find(({ operation }) => operation === 'invoice-list')
    expect(report?.totals.mismatched).toBe(0)
    expect(report?.differences.filter(({ ignored }) => ignored === null)).toEqual([])
    expect(report?.totals.matched).toBeGreaterThan(0)
  },
)
