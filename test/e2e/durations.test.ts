import { expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const INVOICES = '/api/invoice/list'
const V1_MS = 120

it.each(['v1', 'legacy'])(
  'an operation is not ready while v1 is slower than the slowdown allows (%s answers)',
  async (serve) => {
    const legacy = await startHttpServer(({ target }, response) => {
      const pagination = { count: 1, page: 1, perPage: 25, lastPage: 1 }
      response.end(target === INVOICES ? JSON.stringify({ data: [{ id: 1 }], pagination }) : '{"token":"t"}')
    })
    const v1 = await startHttpServer(({ target }, response) => {
      const meta = { page: 1, perPage: 25, total: 1, pageCount: 1 }
      const body = target.includes('invoices') ? { items: [{ id: 1 }], meta } : { data: { token: 'v' } }
      setTimeout(() => response.end(JSON.stringify({ success: true, ...body })), V1_MS)
    })
    const operations = { '*': { serve, shadow: 1, target: 0.1, require: { slowdown: 1.5 } } }
    const ignore = ['missing', 'extra'].map((kind) => ({ operation: '*', path: '', kind, why: 'not of interest' }))
    const sides = await startSideBySide({ operations, ignore }, { v1Url: v1.url, legacyUrl: legacy.url })
    for (const search of ['a', 'b', 'c']) await sides.call(INVOICES, { search })
    const report = (await sides.compared(3)).operations.find(({ operation }) => operation === 'invoice-list')
    const { durations, verdict, missing } = report as unknown as {
      readonly durations: { readonly control: { readonly p50: number }; readonly candidate: { readonly p50: number } }
      readonly verdict: string
      readonly missing: readonly string[]
    }
    // A histogram is exact to 5 %.
    expect(durations.candidate.p50).toBeGreaterThan(V1_MS * 0.95)
    expect(durations.control.p50).toBeLessThan(V1_MS)
    expect(verdict).toBe('insufficient data')
    expect(missing).toEqual([
      expect.stringMatching(/^p95 of v1 \d+(\.\d+)? ms, legacy \d+(\.\d+)? ms: \d+(\.\d+)? of 1\.5 times$/),
    ])
  },
)
