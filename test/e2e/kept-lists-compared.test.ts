import { describe, expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const COUNTRIES = '/country/all'

/** Both services with the same country. v1 can be shut down. */
async function services() {
  let isDown = false
  const country = { id: 1, code: 'tr', name: 'Türkiye' }
  const v1 = await startHttpServer((_, response) => {
    if (isDown) return response.writeHead(503).end()
    const meta = { page: 1, perPage: 200, total: 1, pageCount: 1 }
    return response.end(JSON.stringify({ success: true, items: [country], meta }))
  })
  const legacy = await startHttpServer((_, response) => response.end(JSON.stringify([country])))
  const sides = await startSideBySide(
    { operations: { '*': { shadow: 1 } } },
    { v1Url: v1.url, legacyUrl: legacy.url, settings: () => ({ referenceTtlMs: 600_000 }) },
  )
  const report = async (calls: number) => {
    const { operations } = await sides.compared(calls)
    return operations.find(({ operation }) => operation === 'country-list')
  }
  return {
    call: () => sides.gateway.call({ method: 'GET', path: COUNTRIES }),
    report,
    shutDown: () => {
      isDown = true
    },
  }
}

describe('a kept list', () => {
  it('is compared once, however many calls it answers', async () => {
    const { call, report } = await services()
    for (let times = 0; times < 20; times++) expect((await call()).status).toBe(200)
    const totals = (await report(20))?.totals
    // The first call read the list. Another one may have been compared with a list that was read again.
    expect(totals).toMatchObject({ requests: 20, failed: 0 })
    expect(totals?.skipped).toBeGreaterThanOrEqual(18)
  })

  it('does not hide that v1 is down: comparing reads the list again and counts a failure', async () => {
    const { call, report, shutDown } = await services()
    await call()
    await report(1)
    shutDown()
    expect((await call()).status).toBe(200)
    expect(await report(2)).toMatchObject({
      verdict: 'not ready',
      differences: expect.arrayContaining([expect.objectContaining({ kind: 'failure', ignored: null })]),
    })
  })
})
