import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import { startHttpServer } from '../support/http-server.ts'
import { http, startRawServer } from '../support/raw-server.ts'
import { DEMO_LOGIN, startSideBySide } from '../support/side-by-side.ts'
import { until } from '../support/start-gateway.ts'

const INVOICES = '/api/invoice/list'
const ONE = '{"perPage":1}'
const everything = { operations: { '*': { shadow: 1 } } }
const PAGINATION: Record<string, unknown> = {}
const ofInvoices = (all: Experiments) => all.operations.find(({ operation }) => operation === 'invoice-list')

describe('a call that is compared', () => {
  it('matches if both services answer alike', async () => {
    const sides = await startSideBySide(everything)
    for (const body of [{}, { isPayment: true }, { page: 2, perPage: 5 }, { perPage: 'x' }]) {
      await sides.call(INVOICES, body)
    }
    await sides.call('/api/currency')
    // This list needs no token.
    await sides.gateway.call({ path: '/country/all?code=de' })
    const { operations, queue, rollout } = await sides.compared(6)
    expect(operations.map(({ operation, totals }) => [operation, totals])).toEqual([
      ['invoice-list', { requests: 4, matched: 3, ignored: 1, mismatched: 0, failed: 0, skipped: 0 }],
      ['country-list', { requests: 1, matched: 1, ignored: 0, mismatched: 0, failed: 0, skipped: 0 }],
      ['currency-list', { requests: 1, matched: 1, ignored: 0, mismatched: 0, failed: 0, skipped: 0 }],
    ])
    expect(operations[0]).toMatchObject({ verdict: 'insufficient data', needed: 296, serve: 'v1', shadow: 1 })
    expect(operations[0]).not.toHaveProperty('lines')
    expect(queue).toEqual({ length: 0, limit: 256, running: 0, dropped: 0 })
    expect(rollout).toEqual({ loadedAt: expect.stringMatching(/^2/), error: null })
  })

  it('shows each planted difference at its path', async () => {
    const sides = await startSideBySide(everything)
    const ofV1 = '/api/v1/finance/invoices'
    const planted = [
      ['changed', 'legacy', { kind: 'change', at: 'data[].priceTry', to: 0.5 }, 'data[].priceTry', 'items[].priceTry'],
      ['missing', 'v1', { kind: 'remove', at: 'items[].company' }, 'data[].company', 'items[].company'],
      ['extra', 'legacy', { kind: 'remove', at: 'data[].status' }, 'data[].status', 'items[].status'],
      [
        ...(['type', 'legacy', { kind: 'change', at: 'data[].currency.code', to: 7 }] as const),
        ...['data[].currency.code', 'items[].currencyCode'],
      ],
      ['length', 'legacy', { kind: 'remove', at: 'data[0]' }, 'data', 'items'],
      ['status', 'legacy', { kind: 'status', status: 404, calls: 'all' }, '', null],
    ] as const
    for (const [at, [, face, fault]] of planted.entries()) {
      await sides.plant(face, { path: face === 'v1' ? ofV1 : INVOICES, ...fault })
      await sides.call(INVOICES, { perPage: 5, page: at + 1 })
      await sides.compared(at + 1)
      await sides.clear(face)
    }
    const found = ofInvoices(await sides.compared(planted.length))
    expect(found).toMatchObject({ totals: { mismatched: planted.length }, verdict: 'not ready' })
    const shown = planted.map(([kind, , , path, v1Path]) => ({ kind, path, v1Path, requests: 1, ignored: null }))
    expect(found?.differences).toHaveLength(planted.length)
    expect(found?.differences).toEqual(expect.arrayContaining(shown.map((one) => expect.objectContaining(one))))
  })

  it('shows reordered rows as one difference of the list', async () => {
    let rows: object[] = []
    const legacy = await startHttpServer(({ target }, response) => {
      response.end(target === INVOICES ? JSON.stringify({ data: rows, pagination: PAGINATION }) : '{"token":"t"}')
    })
    const sides = await startSideBySide(everything, { legacyUrl: legacy.url })
    const reply = await sides.gateway.call({ path: INVOICES, headers: await v1Token(sides), body: '{"perPage":3}' })
    const answered = JSON.parse(reply.text) as { data: object[]; pagination: object }
    Object.assign(PAGINATION, answered.pagination)
    rows = answered.data.toReversed()
    await sides.call(INVOICES, { perPage: 3 })
    expect(ofInvoices(await sides.compared(2))).toMatchObject({
      differences: [{ kind: 'order', path: 'data', v1Path: 'items', requests: 1, count: 1, ignored: null }],
    })
  })

  it('is skipped if it is a write: no second side gets it', async () => {
    const sides = await startSideBySide(everything)
    const before = await startCount(sides)
    const created = await sides.call('/api/single/point/import', { name: 'Yalnız bir kez', shipmentId: 'GCCN-1' })
    expect(created.status).toBe(200)
    const again = await sides.call('/api/single/point/import', { name: 'Yalnız bir kez', shipmentId: 'GCCN-1' })
    expect(again.status).toBe(400)
    const { operations } = await sides.compared(3)
    expect(operations).toMatchObject([{ operation: 'import-create', totals: { requests: 3, skipped: 3 } }])
    expect(JSON.parse(created.text)).toMatchObject({ id: before + 1 })
  })

  it('asks each side with the token that it issued, and is skipped with a token that the gateway did not seal', async () => {
    const authorizations: (string | undefined)[] = []
    const legacy = await startHttpServer(({ target, headers }, response) => {
      if (target === INVOICES) authorizations.push(headers.authorization)
      response.end('{"token":"of-legacy","data":[],"pagination":{}}')
    })
    const sides = await startSideBySide(everything, { legacyUrl: legacy.url })
    await sides.call(INVOICES, {})
    await sides.compared(1)
    // The answers differ, so legacy was asked again.
    expect(authorizations).toEqual(['Bearer of-legacy', 'Bearer of-legacy'])
    await sides.call(INVOICES, {}, { authorization: 'Bearer somebody-else' })
    expect(ofInvoices(await sides.compared(2))).toMatchObject({ totals: { requests: 2, skipped: 1 } })
    expect(authorizations).toHaveLength(2)
  })

  it('is skipped if only one service gave the login a token', async () => {
    const legacy = await startHttpServer((_, response) => response.writeHead(503).end())
    const sides = await startSideBySide(everything, { legacyUrl: legacy.url })
    await sides.call(INVOICES, {})
    expect(ofInvoices(await sides.compared(1))).toMatchObject({ totals: { requests: 1, skipped: 1 } })
    expect(legacy.received.map(({ target }) => target)).toEqual(['/auth/application'])
  })

  it('fails if the legacy service breaks off while it answers the client', async () => {
    const legacy = await startRawServer((socket, number) => {
      if (number === 1) socket.write(http(200, '{"token":"t"}'))
      else socket.end(http(200, '{"data":[', { 'content-length': '500' }))
    })
    const sides = await startSideBySide(
      { operations: { '*': { serve: 'legacy', shadow: 1 } } },
      { legacyUrl: legacy.url },
    )
    await expect(sides.call(INVOICES, {})).rejects.toThrow()
    expect(ofInvoices(await sides.compared(1))).toMatchObject({ totals: { requests: 1, failed: 1 } })
  })

  it('shows that legacy serves operations that v1 lacks', async () => {
    const sides = await startSideBySide(everything)
    await sides.call('/api/transaction/charge/list', {})
    expect((await sides.compared(1)).operations).toMatchObject([{ operation: 'charge-list', serve: 'legacy' }])
  })

  it('fails if the legacy service does not answer, without the client noticing', async () => {
    const sides = await startSideBySide({ ...everything, limits: { timeoutMs: 150 } })
    await sides.plant('legacy', { path: INVOICES, kind: 'slow', ms: 600, calls: 'all' })
    const started = performance.now()
    expect((await sides.call(INVOICES, {})).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(500)
    expect(ofInvoices(await sides.compared(1))).toMatchObject({
      totals: { requests: 1, failed: 1 },
      verdict: 'insufficient data',
    })
  })

  it('is dropped and counted if the queue is full; no call waits', async () => {
    const operations = { ...everything.operations, auth: { shadow: 0 } }
    const sides = await startSideBySide({ operations, limits: { queue: 2, concurrency: 1, timeoutMs: 500 } })
    await sides.plant('legacy', { path: INVOICES, kind: 'slow', ms: 400, calls: 'all' })
    await Promise.all(Array.from({ length: 8 }, () => sides.call(INVOICES, {})))
    const { queue } = await sides.experiments()
    expect(queue).toMatchObject({ limit: 2, running: 1 })
    expect(queue.dropped).toBeGreaterThanOrEqual(5)
    expect(queue.dropped + queue.length + queue.running).toBe(8)
  })
})

describe('data that changes during a comparison', () => {
  /** The legacy service answers what v1 does, except for a price that has changed since v1 was first asked. */
  async function changed(serve: 'v1' | 'legacy', prices: readonly number[]) {
    let answer = { data: [{ priceTry: 0 }], pagination: {} }
    let asked = 0
    const legacy = await startHttpServer(({ target }, response) => {
      if (target !== INVOICES) return response.end('{"token":"t"}')
      for (const row of answer.data) row.priceTry = prices[asked] ?? 0
      asked++
      return response.end(JSON.stringify(answer))
    })
    const sides = await startSideBySide({ operations: { '*': { shadow: 1 } } }, { legacyUrl: legacy.url })
    answer = JSON.parse((await sides.gateway.call({ path: INVOICES, headers: await v1Token(sides), body: ONE })).text)
    const { priceTry } = answer.data[0] ?? { priceTry: 0 }
    prices = prices.map((add) => priceTry + add)
    await sides.compared(1)
    asked = 0
    writeFileSync(sides.rolloutFile, JSON.stringify({ operations: { '*': { shadow: 1, serve } } }))
    await until(() => sides.gateway.log.at(-1)?.msg === 'the rollout file is in effect')
    await sides.call(INVOICES, JSON.parse(ONE))
    return { report: (await sides.compared(2)).operations[0], asked }
  }

  it('does not count if the legacy service first has the old value, then that of v1', async () => {
    const { report, asked } = await changed('legacy', [-1, 0])
    expect(asked).toBe(2)
    expect(report?.differences.at(-1)).toMatchObject({ path: 'data[].priceTry', drift: 1, ignored: 'drift' })
  })

  it('counts if the legacy service gives the same answer twice', async () => {
    const { report } = await changed('legacy', [-1, -1])
    expect(report?.differences.at(-1)).toMatchObject({ path: 'data[].priceTry', drift: 0, ignored: null })
  })
})

describe('the side that answers', () => {
  it('is the legacy service if the rollout file says so, and v1 is compared with it', async () => {
    const sides = await startSideBySide({ operations: { '*': { serve: 'legacy', shadow: 1 } } })
    const reply = await sides.call(INVOICES, { perPage: 3 })
    expect(reply.status).toBe(200)
    expect(sides.gateway.log.at(-1)).toMatchObject({ operation: 'invoice-list', legacyStatus: 200, v1Calls: 0 })
    expect(ofInvoices(await sides.compared(1))).toMatchObject({ totals: { matched: 1 }, serve: 'legacy' })
    await sides.plant('v1', { path: '/api/v1/finance/invoices', kind: 'change', at: 'items[].priceUsd', to: 1 })
    await sides.call(INVOICES, { perPage: 4 })
    expect(ofInvoices(await sides.compared(2))).toMatchObject({
      differences: [{ kind: 'changed', path: 'data[].priceUsd', v1Path: 'items[].priceUsd' }],
    })
  })

  it('may differ for one client', async () => {
    const sides = await startSideBySide({ operations: { '*': { serve: 'legacy', clients: { 'demo-client': 'v1' } } } })
    await sides.call(INVOICES, {})
    expect(sides.gateway.log.at(-1)).toMatchObject({ operation: 'invoice-list', v1Calls: 1 })
    expect(sides.gateway.log.at(-1)).not.toHaveProperty('legacyStatus')
  })
})

/** The id of the newest import so far: creates an import to find out. */
async function startCount(sides: Awaited<ReturnType<typeof startSideBySide>>): Promise<number> {
  const reply = await sides.gateway.call({
    path: '/auth/application',
    body: JSON.stringify({ clientId: 'other-client', secretKey: 'other-secret' }),
  })
  const { token } = JSON.parse(reply.text) as { token: string }
  const created = await sides.gateway.call({
    path: '/api/single/point/import',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: 'Zähler', shipmentId: 'G0' }),
  })
  return (JSON.parse(created.text) as { id: number }).id
}

/** A token of v1 alone: calls with it are not compared. */
async function v1Token(sides: Awaited<ReturnType<typeof startSideBySide>>) {
  const reply = await fetch(`${sides.v1Url}/api/v1/auth/application`, {
    method: 'POST',
    body: JSON.stringify(DEMO_LOGIN),
  })
  const { data } = (await reply.json()) as { data: { token: string } }
  return { authorization: `Bearer ${data.token}` }
}
