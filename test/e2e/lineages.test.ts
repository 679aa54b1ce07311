import { expect, it, onTestFinished, vi } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
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

it('a release of v1 that is rolled back brings old mismatches back into the verdict, but not into the metrics', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const v1Is = { release: '1', total: 1 }
  const meta = () => ({ page: 1, perPage: 25, total: v1Is.total, pageCount: 1 })
  const v1 = await startHttpServer(({ target }, response) => {
    response.setHeader('X-Release', v1Is.release)
    response.end(
      JSON.stringify(
        target.includes('invoices')
          ? { success: true, items: [], meta: meta() }
          : { success: true, data: { token: 'v' } },
      ),
    )
  })
  const page = { data: [], pagination: { count: 0, page: 1, perPage: 25, lastPage: 1 } }
  const legacy = await startHttpServer(({ target }, response) => {
    response.end(target === INVOICES ? JSON.stringify(page) : '{"token":"t"}')
  })
  const sides = await startSideBySide(
    { operations: { '*': { serve: 'legacy', shadow: 1 } } },
    {
      ...{ legacyUrl: legacy.url, v1Url: v1.url },
      settings: () => ({ releaseHeaders: { v1: 'x-release', legacy: undefined } }),
    },
  )
  const invoices = async () =>
    (await sides.experiments()).operations.find(({ operation }) => operation === 'invoice-list')
  /** Makes a call, and waits until so many calls of the release that answers have been compared. */
  const afterOneCall = async (requests: number) => {
    await sides.call(INVOICES, {})
    const compared = async () => {
      const { lineage, totals } = (await invoices()) ?? {}
      return [lineage?.v1, totals?.requests]
    }
    await expect.poll(compared).toEqual([v1Is.release, requests])
    const { text } = await callLegacy(sides.adminUrl, { path: '/metrics' })
    vi.setSystemTime(Date.now() + 20 * 60_000)
    return [
      (await invoices())?.totals.mismatched,
      Number(/comparisons_total\{operation="invoice-list",outcome="mismatched"\} (\d+)/.exec(text)?.[1]),
    ]
  }
  expect(await afterOneCall(1)).toEqual([1, 1])
  Object.assign(v1Is, { release: '2', total: 0 })
  expect(await afterOneCall(1)).toEqual([0, 1])
  Object.assign(v1Is, { release: '1' })
  expect(await afterOneCall(2)).toEqual([1, 1])
})
