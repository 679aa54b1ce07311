import { expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const INVOICES = '/api/invoice/list'

it('results belong to the releases that both services report in their answers', async () => {
  const release = { v1: '2026.11.3', legacy: '4.2' }
  const page = { data: [], pagination: { count: 0, page: 1, perPage: 25, lastPage: 1 } }
  const legacy = await startHttpServer(({ target }, response) => {
    response.setHeader('X-Legacy-Build', release.legacy)
    response.end(target === INVOICES ? JSON.stringify(page) : '{"token":"t"}')
  })
  const meta = { page: 1, perPage: 25, total: 0, pageCount: 1 }
  const v1 = await startHttpServer(({ target }, response) => {
    response.setHeader('X-Release', release.v1)
    const body = target.includes('invoices')
      ? { success: true, items: [], meta }
      : { success: true, data: { token: 'v' } }
    response.end(JSON.stringify(body))
  })
  for (const serve of ['v1', 'legacy']) {
    const sides = await startSideBySide(
      { operations: { '*': { serve, shadow: 1 } } },
      {
        ...{ legacyUrl: legacy.url, v1Url: v1.url },
        settings: () => ({ releaseHeaders: { v1: 'x-release', legacy: 'x-legacy-build' } }),
      },
    )
    await sides.call(INVOICES, {})
    const { operations } = await sides.compared(1)
    expect(operations.find(({ operation }) => operation === 'invoice-list')).toMatchObject({
      lineage: { mapping: expect.stringMatching(/^[0-9a-f]{12}$/), ...release },
      history: [],
    })
  }
})
