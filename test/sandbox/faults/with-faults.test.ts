import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { documentBody, imports } from '../shipment-requests.ts'
import { type FaultySandbox, invoiceList, startFaultySandbox, v1InvoiceList } from './fault-client.ts'

let sandbox: FaultySandbox
beforeAll(async () => {
  sandbox = await startFaultySandbox()
})
afterEach(() => sandbox.clear())
afterAll(() => sandbox.close())

interface Invoices {
  data: Record<string, unknown>[]
  pagination: object
}

const usual = async () => (await sandbox.invoices()).text()
const read = async () => (await (await sandbox.invoices()).json()) as Invoices

/** The number of charges, which is the number of shipments that were carried out. */
async function countCharges(): Promise<number> {
  const response = await fetch(`${sandbox.legacyUrl}/api/transaction/charge/list`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.tokens.legacy}` },
  })
  return ((await response.json()) as { pagination: { count: number } }).pagination.count
}

const document = '/api/consignment/document'
const createDocument = () =>
  fetch(sandbox.legacyUrl + document, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.tokens.legacy}` },
    body: JSON.stringify(documentBody()),
  })

test('without a fault an answer shows no sign of one', async () => {
  const response = await sandbox.invoices()
  expect(response.status).toBe(200)
  expect(response.headers.get('X-Sandbox-Fault')).toBeNull()
})

describe('slow', () => {
  test('gives the usual answer, later', async () => {
    const body = await usual()
    await sandbox.set({ path: invoiceList, kind: 'slow', ms: 150 })
    const startedAt = performance.now()
    const response = await sandbox.invoices()
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(140)
    expect(await response.text()).toBe(body)
    expect(response.headers.get('X-Sandbox-Fault')).toBe('slow')
  })

  test('carries a write out even when the caller has hung up, and does not delay the stop', async () => {
    const before = await countCharges()
    await sandbox.set({ path: document, kind: 'slow', ms: 60_000 })
    const signal = AbortSignal.timeout(100)
    const call = fetch(sandbox.legacyUrl + document, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.tokens.legacy}` },
      body: JSON.stringify(documentBody()),
      signal,
    })
    await expect(call).rejects.toThrow()
    expect(await countCharges()).toBe(before + 1)

    const another = await startFaultySandbox()
    await another.set({ path: '*', kind: 'slow', ms: 60_000 })
    const hanging = expect(another.invoices()).rejects.toThrow()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const startedAt = performance.now()
    await another.close()
    expect(performance.now() - startedAt).toBeLessThan(2000)
    await hanging
  })
})

describe('a status', () => {
  test('of 503 is that of the contract in v1, and the unexpected error in legacy', async () => {
    await sandbox.set({ path: invoiceList, kind: 'status', status: 503 })
    await sandbox.setInV1({ path: v1InvoiceList, kind: 'status', status: 503 })
    const [v1, legacy] = [await sandbox.invoicesOfV1(), await sandbox.invoices({ 'Accept-Language': 'en' })]
    expect([v1.status, legacy.status]).toEqual([503, 503])
    expect(await v1.json()).toEqual({
      success: false,
      code: 'DEPENDENCY_UNAVAILABLE',
      message: 'Hizmet geçici olarak kullanılamıyor.',
    })
    expect(await legacy.json()).toEqual({ message: 'An unexpected error occurred.' })
    expect([(await sandbox.invoicesOfV1()).status, (await sandbox.invoices()).status]).toEqual([200, 200])
  })

  test('of 429 says when to retry', async () => {
    await sandbox.set({ path: invoiceList, kind: 'status', status: 429, retryAfter: 7 })
    await sandbox.setInV1({ path: v1InvoiceList, kind: 'status', status: 429, retryAfter: 0 })
    const [v1, legacy] = [await sandbox.invoicesOfV1(), await sandbox.invoices()]
    expect([v1.status, v1.headers.get('Retry-After')]).toEqual([429, '0'])
    expect(await v1.json()).toMatchObject({ success: false, code: 'TOO_MANY_REQUESTS' })
    expect([legacy.status, legacy.headers.get('Retry-After')]).toEqual([429, '7'])
    expect(await legacy.json()).toEqual({ message: 'Çok fazla istek gönderildi.' })
  })

  test('of 401, 404 and any other has the envelope of the face', async () => {
    for (const status of [400, 401, 404, 418, 500, 599]) {
      await sandbox.set({ path: '*', kind: 'status', status })
      await sandbox.setInV1({ path: '*', kind: 'status', status })
      const [v1, legacy] = [await sandbox.invoicesOfV1(), await sandbox.invoices()]
      expect([v1.status, legacy.status]).toEqual([status, status])
      expect(await v1.json()).toMatchObject({ success: false, code: expect.any(String), message: expect.any(String) })
      expect(await legacy.json()).toEqual({ message: expect.any(String) })
    }
  })

  test('of 400 or more prevents a write; a lower one only replaces the status of its answer', async () => {
    const before = await countCharges()
    await sandbox.set({ path: document, kind: 'status', status: 503 })
    expect((await createDocument()).status).toBe(503)
    expect(await countCharges()).toBe(before)
    await sandbox.set({ path: document, kind: 'status', status: 201 })
    const created = await createDocument()
    expect(created.status).toBe(201)
    expect(await created.json()).toMatchObject({ type: { slug: 'DOCUMENT' } })
    expect(await countCharges()).toBe(before + 1)
    await sandbox.set({ path: invoiceList, kind: 'status', status: 399 })
    const odd = await sandbox.invoices()
    expect([odd.status, Object.keys((await odd.json()) as object)]).toEqual([399, ['data', 'pagination']])
    await sandbox.set({ path: invoiceList, kind: 'status', status: 204 })
    const empty = await sandbox.invoices()
    expect([empty.status, await empty.text()]).toEqual([204, ''])
  })
})

describe('cut off', () => {
  test.each(['start', 'headers'])('in the %s sends no answer at all', async (place) => {
    await sandbox.set({ path: invoiceList, kind: 'cut', in: place })
    await expect(sandbox.invoices()).rejects.toThrow('fetch failed')
    expect((await sandbox.invoices()).status).toBe(200)
  })

  test('in the body sends half an answer that announces the whole', async () => {
    const whole = Buffer.byteLength(await usual())
    await sandbox.set({ path: invoiceList, kind: 'cut', in: 'body' })
    const response = await sandbox.invoices()
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Length')).toBe(String(whole))
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(first?.value?.length).toBe(Math.ceil(whole / 2))
    await expect(reader?.read()).rejects.toThrow()
  })

  test('at the start prevents a write; later it is carried out', async () => {
    const before = await countCharges()
    for (const [place, count] of [
      ['start', 0],
      ['headers', 1],
      ['body', 2],
    ] as const) {
      await sandbox.set({ path: document, kind: 'cut', in: place })
      await expect(createDocument().then((response) => response.text())).rejects.toThrow()
      expect(await countCharges()).toBe(before + count)
    }
  })

  test('cuts an answer without a body in its headers', async () => {
    await sandbox.set({ path: '/api/calculate/price/country/validate', kind: 'cut', in: 'body' })
    const call = fetch(`${sandbox.legacyUrl}/api/calculate/price/country/validate`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.tokens.legacy}` },
      body: '{"countryId":57}',
    })
    await expect(call).rejects.toThrow('fetch failed')
  })
})

describe('malformed', () => {
  test('can be HTML with 200', async () => {
    await sandbox.set({ path: invoiceList, kind: 'malformed', as: 'html' })
    const response = await sandbox.invoices()
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await response.text()).toMatch(/^<!DOCTYPE html>/)
  })

  test('can be half the JSON, with no sign of it in the headers', async () => {
    const body = await usual()
    await sandbox.set({ path: invoiceList, kind: 'malformed', as: 'truncated' })
    const response = await sandbox.invoices()
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/json'])
    const text = await response.text()
    expect(text).toBe(body.slice(0, Math.floor(body.length / 2)))
    expect(() => JSON.parse(text)).toThrow()
  })

  test('can be an empty envelope', async () => {
    await sandbox.set({ path: invoiceList, kind: 'malformed', as: 'bare' })
    await sandbox.setInV1({ path: v1InvoiceList, kind: 'malformed', as: 'bare' })
    expect(await (await sandbox.invoices()).json()).toEqual({})
    expect(await (await sandbox.invoicesOfV1()).json()).toEqual({ success: true, message: 'Faturalar listelendi.' })
  })
})

describe('differences', () => {
  test('are in every answer for as long as they are set', async () => {
    const { data, pagination } = await read()
    const changed = await sandbox.set({ path: invoiceList, kind: 'change', at: 'data[].priceTry', to: 0.5 })
    await sandbox.set({ path: invoiceList, kind: 'remove', at: 'data[].dateAt' })
    const { dateAt: _, ...rest } = data[0] ?? {}
    for (let call = 0; call < 3; call++) {
      const response = await sandbox.invoices()
      expect(response.headers.get('X-Sandbox-Fault')).toBe('change, remove')
      expect(await response.json()).toEqual({ data: [{ ...rest, priceTry: 0.5 }], pagination })
    }
    await fetch(`${sandbox.legacyUrl}/sandbox/faults/${changed}`, { method: 'DELETE' })
    expect(await read()).toEqual({ data: [rest], pagination })
    await sandbox.clear()
    expect(await read()).toEqual({ data, pagination })
  })

  test('can be limited to some calls, and be any JSON value', async () => {
    for (const to of [null, 'text', false, [1, { a: {} }], { nested: true }]) {
      await sandbox.set({ path: invoiceList, kind: 'change', at: 'pagination', to, calls: 1 })
      expect(await read()).toMatchObject({ pagination: to })
    }
    expect(await read()).toMatchObject({ pagination: { page: 1 } })
  })

  test('work in root arrays and in v1', async () => {
    await sandbox.set({ path: '/country/all', kind: 'remove', at: '[].flagW20' })
    await sandbox.setInV1({ path: v1InvoiceList, kind: 'change', at: 'meta.total', to: 1 })
    const countries = (await (await fetch(`${sandbox.legacyUrl}/country/all`)).json()) as object[]
    expect(countries).toHaveLength(249)
    for (const country of countries) expect(country).not.toHaveProperty('flagW20')
    expect(await (await sandbox.invoicesOfV1()).json()).toMatchObject({ meta: { total: 1, perPage: 1 } })
  })

  test('in the status are planted with `calls: all`', async () => {
    await sandbox.set({ path: invoiceList, kind: 'status', status: 404, calls: 'all' })
    for (let call = 0; call < 3; call++) expect((await sandbox.invoices()).status).toBe(404)
  })

  test('leave an answer that is not JSON unchanged', async () => {
    await sandbox.set({ path: '*', kind: 'remove', at: 'message' })
    const response = await fetch(`${sandbox.legacyUrl}/api/calculate/price/country/validate`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.tokens.legacy}` },
      body: '{"countryId":57}',
    })
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(response.headers.get('X-Sandbox-Fault')).toBeNull()
  })

  test('are named in the header only where they changed something', async () => {
    await sandbox.set({ path: invoiceList, kind: 'remove', at: 'data[].nothing' })
    await sandbox.set({ path: invoiceList, kind: 'change', at: 'pagination.page', to: 1 })
    const response = await sandbox.invoices()
    expect(response.headers.get('X-Sandbox-Fault')).toBeNull()
    expect(await response.json()).toMatchObject({ data: [{}], pagination: { page: 1 } })
    await sandbox.set({ path: invoiceList, kind: 'remove', at: 'data' })
    expect((await sandbox.invoices()).headers.get('X-Sandbox-Fault')).toBe('remove')
  })
})

describe('several faults', () => {
  test('apply to the calls one after the other, and differences to each', async () => {
    await sandbox.set({ path: invoiceList, kind: 'status', status: 503, calls: 2 })
    await sandbox.set({ path: '*', kind: 'status', status: 429 })
    await sandbox.set({ path: invoiceList, kind: 'remove', at: 'data' })
    await sandbox.set({ path: invoiceList, kind: 'status', status: 202 })
    const answers: unknown[] = []
    for (let call = 0; call < 5; call++) {
      const response = await sandbox.invoices()
      answers.push([response.status, Object.keys((await response.json()) as object)])
    }
    expect(answers).toEqual([
      [503, ['message']],
      [503, ['message']],
      [429, ['message']],
      [202, ['pagination']],
      [200, ['pagination']],
    ])
  })

  test('apply to their own path only, whatever its parameters', async () => {
    await sandbox.setInV1({ path: `${imports}/{id}/complete`, kind: 'status', status: 503, calls: 'all' })
    const complete = (id: string) => fetch(`${sandbox.v1Url}${imports}/${id}/complete`, { method: 'POST' })
    expect([(await complete('1')).status, (await complete('2')).status]).toEqual([503, 503])
    expect((await complete('1/2')).status).toBe(404)
    expect((await sandbox.invoicesOfV1()).status).toBe(200)
  })

  test('of another path are not used up', async () => {
    await sandbox.set({ path: '/country/all', kind: 'status', status: 503 })
    expect((await sandbox.invoices()).status).toBe(200)
    expect((await fetch(`${sandbox.legacyUrl}/nowhere`)).status).toBe(404)
    expect((await fetch(`${sandbox.legacyUrl}/country/all`)).status).toBe(503)
  })
})

describe('the request header', () => {
  const header = (fault: object | string) => ({
    'X-Sandbox-Fault': typeof fault === 'string' ? fault : JSON.stringify(fault),
  })

  test('sets a fault for its own call', async () => {
    const response = await sandbox.invoices(header({ kind: 'status', status: 503 }))
    expect([response.status, response.headers.get('X-Sandbox-Fault')]).toEqual([503, 'status'])
    const changed = await sandbox.invoices(header({ kind: 'change', at: 'data', to: [] }))
    expect(await changed.json()).toMatchObject({ data: [] })
    expect((await read()).data).toHaveLength(1)
  })

  test('precedes the faults that are set, and adds to their differences', async () => {
    await sandbox.set({ path: invoiceList, kind: 'status', status: 429 })
    await sandbox.set({ path: invoiceList, kind: 'remove', at: 'data' })
    const response = await sandbox.invoices(header({ kind: 'status', status: 202 }))
    expect([response.status, Object.keys((await response.json()) as object)]).toEqual([202, ['pagination']])
    expect((await sandbox.invoices()).status).toBe(429)
  })

  test('that is invalid is 400, and nothing is carried out', async () => {
    const before = await countCharges()
    for (const fault of ['x', 'null', '{"kind":"explode"}', '{"kind":"slow","ms":1,"path":"*"}']) {
      const response = await fetch(sandbox.legacyUrl + document, {
        method: 'POST',
        headers: { Authorization: `Bearer ${sandbox.tokens.legacy}`, ...header(fault) },
        body: JSON.stringify(documentBody()),
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ message: expect.stringMatching(/fault|JSON object/) })
    }
    expect(await countCharges()).toBe(before)
  })
})
