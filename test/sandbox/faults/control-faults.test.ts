import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type FaultySandbox, invoiceList, startFaultySandbox, v1InvoiceList } from './fault-client.ts'

let sandbox: FaultySandbox
beforeAll(async () => {
  sandbox = await startFaultySandbox()
})
afterEach(() => sandbox.clear())
afterAll(() => sandbox.close())

interface Refused {
  message: string
  errors?: { path: string; message: string }[]
}

async function control(method: string, body?: unknown, path = '/sandbox/faults', url = sandbox.legacyUrl) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(url + path, { method, ...(body !== undefined && { body: text }) })
  const answer = await response.text()
  return {
    status: response.status,
    allow: response.headers.get('Allow'),
    body: (answer === '' ? undefined : JSON.parse(answer)) as Refused & { id: number },
  }
}

describe('faults', () => {
  test('are set, listed in order, and unset one by one or all at once', async () => {
    const slow = { path: invoiceList, kind: 'slow', ms: 5 }
    const change = { path: '*', calls: 2, kind: 'change', at: 'data[].id', to: null }
    const [first, second] = [await control('POST', slow), await control('POST', change)]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(first.body).toEqual({ id: expect.any(Number), calls: 1, ...slow })
    expect(second.body).toEqual({ id: first.body.id + 1, ...change })
    expect((await control('GET')).body).toEqual({ faults: [first.body, second.body] })
    expect((await control('DELETE', undefined, `/sandbox/faults/${first.body.id}`)).status).toBe(204)
    expect((await control('DELETE', undefined, `/sandbox/faults/${first.body.id}`)).status).toBe(404)
    expect((await control('GET')).body).toEqual({ faults: [second.body] })
    expect((await control('DELETE')).status).toBe(204)
    expect((await control('GET')).body).toEqual({ faults: [] })
  })

  test('apply to one call, and differences to all, by default', async () => {
    const callsOf = async (fault: object) => (await control('POST', { path: '*', ...fault })).body
    expect(await callsOf({ kind: 'cut', in: 'start' })).toMatchObject({ calls: 1 })
    expect(await callsOf({ kind: 'remove', at: 'data' })).toMatchObject({ calls: 'all' })
    expect(await callsOf({ kind: 'status', status: 503, calls: 'all' })).toMatchObject({ calls: 'all' })
    expect(await callsOf({ kind: 'remove', at: 'data', calls: 7 })).toMatchObject({ calls: 7 })
  })

  test('of one face do not affect the other', async () => {
    await sandbox.set({ path: '*', kind: 'status', status: 503, calls: 'all' })
    expect((await sandbox.invoices()).status).toBe(503)
    expect((await sandbox.invoicesOfV1()).status).toBe(200)
    expect((await control('GET', undefined, '/sandbox/faults', sandbox.v1Url)).body).toEqual({ faults: [] })
  })

  test('do not affect their own control', async () => {
    await sandbox.set({ path: '*', kind: 'cut', in: 'start', calls: 'all' })
    expect((await control('GET')).status).toBe(200)
  })
})

describe('an invalid order is 400 and sets nothing', () => {
  test('that is not a JSON object', async () => {
    for (const body of [undefined, '{"path":', [{ path: '*', kind: 'slow', ms: 1 }], 'null', '['.repeat(50_000)]) {
      expect(await control('POST', body)).toMatchObject({
        status: 400,
        body: { message: 'The body must be a JSON object.' },
      })
    }
    expect((await control('GET')).body).toEqual({ faults: [] })
  })

  test('at each field that is wrong', async () => {
    for (const [order, paths] of [
      [{}, ['path', 'kind']],
      [{ path: '*', kind: 'explode' }, ['kind']],
      [{ path: v1InvoiceList, kind: 'slow', ms: 1 }, ['path']],
      [{ path: '*', kind: 'slow', ms: 600_001 }, ['ms']],
      [{ path: '*', kind: 'slow', ms: 1, calls: 'many' }, ['calls']],
      [{ path: '*', kind: 'slow', ms: 1, status: 503 }, ['']],
      [{ path: '*', kind: 'status', status: 199 }, ['status']],
      [{ path: '*', kind: 'status', status: 429, retryAfter: -1 }, ['retryAfter']],
      [{ path: '*', kind: 'cut', in: 'middle' }, ['in']],
      [{ path: '*', kind: 'malformed', as: 'xml' }, ['as']],
      [{ path: '*', kind: 'change', at: 'data[' }, ['at', 'to']],
      [{ path: '*', kind: 'remove', at: '' }, ['at']],
      [{ path: '/nowhere', calls: 0, kind: 'slow', ms: 0 }, ['path', 'calls', 'ms']],
    ] as const) {
      const { status, body } = await control('POST', order)
      expect(status).toBe(400)
      expect(body.message).toBe('Not a valid fault.')
      expect(body.errors?.map(({ path }) => path)).toEqual(paths)
      for (const { message } of body.errors ?? []) expect(message).toMatch(/\w/)
    }
    expect((await control('GET')).body).toEqual({ faults: [] })
  })

  test('a value of extreme depth is refused', async () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    const order = (to: string) => control('POST', `{"path":"*","kind":"change","at":"data","to":${to}}`)
    expect((await order(deep(100))).status).toBe(201)
    await sandbox.clear()
    for (const levels of [102, 30_000]) {
      expect(await order(deep(levels))).toMatchObject({ status: 400, body: { errors: [{ path: 'to' }] } })
    }
  })

  test('__proto__ orders nothing', async () => {
    const body = '{"__proto__":{"path":"*","kind":"slow","ms":1}}'
    expect((await control('POST', body)).body.errors?.map(({ path }) => path)).toEqual(['path', 'kind'])
  })
})

test('an unknown path is refused with a list of the known ones', async () => {
  const { body } = await control('POST', { path: '/x', kind: 'slow', ms: 1 })
  expect(body.errors?.[0]?.message).toContain('/api/invoice/list, /api/transaction/charge/list')
})

test('an order over 64 KiB is 413', async () => {
  const order = { path: '*', kind: 'change', at: 'x', to: 'x'.repeat(70_000) }
  expect((await control('POST', order)).status).toBe(413)
})

test('other methods are 405, and other addresses below it 404', async () => {
  expect(await control('PUT', {})).toMatchObject({ status: 405, allow: 'GET, POST, DELETE' })
  for (const path of ['/sandbox/faults/x', '/sandbox/faults/1/2', '/sandbox/faults/']) {
    expect((await control('DELETE', undefined, path)).status).toBe(404)
  }
})
