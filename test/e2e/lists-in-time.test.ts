import { describe, expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const PAGES = 2
const ROWS = Array.from({ length: 200 * PAGES }, (_, id) => ({ id, code: `c${id}`, name: 'a' }))

/** Both services with two pages of countries, each page in `pageMs`, and legacy's answer in `legacyMs`. */
async function countries(serve: 'v1' | 'legacy', pageMs: number, legacyMs: number) {
  const v1 = await startHttpServer(({ target }, response) => {
    if (target.includes('auth')) return response.end('{"success":true,"data":{"token":"v"}}')
    const page = Number(new URLSearchParams(target.split('?')[1]).get('page') ?? 1)
    const meta = { page, perPage: 200, total: ROWS.length, pageCount: PAGES }
    const body = JSON.stringify({ success: true, items: ROWS.slice((page - 1) * 200, page * 200), meta })
    return setTimeout(() => response.end(body), pageMs)
  })
  const legacy = await startHttpServer(({ target }, response) => {
    if (target.includes('auth')) return response.end('{"token":"l"}')
    return setTimeout(() => response.end(JSON.stringify(ROWS)), legacyMs)
  })
  const operation = { serve, shadow: 1, confirm: false, target: 0.1, require: { slowdown: 2 } }
  const ignore = [{ operation: '*', path: '', kind: 'missing', why: 'not of interest' }]
  const sides = await startSideBySide(
    { operations: { 'country-list': operation }, ignore },
    { v1Url: v1.url, legacyUrl: legacy.url, settings: () => ({ referenceTtlMs: 600_000 }) },
  )
  // Two units prove a tenth.
  const codes = ['a', 'b']
  await Promise.all(codes.map((code) => sides.gateway.call({ method: 'GET', path: `/country/all?code=${code}` })))
  const { operations } = await sides.compared(2)
  return { report: operations.find(({ operation: id }) => id === 'country-list'), sides }
}

describe.each(['v1', 'legacy'] as const)('the time of a whole list, where %s answers', (serve) => {
  it('is that of all pages of v1 and of legacy’s one answer, and lets the operation become ready', async () => {
    const { report, sides } = await countries(serve, 30, 400)
    // The first page comes first, then the other one. A histogram is exact to 5 %.
    expect(report?.durations?.candidate.p50).toBeGreaterThan(2 * 30 * 0.95)
    expect(report?.durations?.control.p50).toBeGreaterThan(400 * 0.95)
    expect(report?.durations?.allPages).toBe(true)
    expect(report).toMatchObject({ verdict: 'ready', missing: [], totals: { requests: 2, matched: 2 } })
    const page = await (await fetch(`${sides.adminUrl}/side-by-side/country-list`)).text()
    expect(page).toContain('v1, all pages: p50, p95, p99')
  })

  it('keeps it from ready if v1 is too slow', async () => {
    const { report } = await countries(serve, 400, 0)
    expect(report?.verdict).toBe('insufficient data')
    expect(report?.missing).toEqual([
      expect.stringMatching(/^p95 of v1 for all pages [\d.]+ ms, legacy [\d.]+ ms: [\d.]+ of 2 times$/),
    ])
  })
})
