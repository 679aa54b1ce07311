import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { type RunningGateway, startGateway } from '../../src/app/start-gateway.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'

/** The gateway as it ships, over the sandbox's v1 face. Each answer is checked against that of v1 itself. */
let sandbox: Sandbox
let gateway: RunningGateway

beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, db: ':memory:' })
  gateway = await startGateway(
    readConfig({ HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', V1_BASE_URL: sandbox.v1Url, LOG_LEVEL: 'silent' }),
  )
})

afterAll(async () => {
  await gateway?.stop()
  await sandbox?.close()
})

interface V1Invoice {
  readonly id: number
  readonly organizationId: number
  readonly dateAt: string
  readonly paymentExpirationAt: string
  readonly currencyCode: string
}

/** A legacy page, or a legacy error. */
interface Answer {
  readonly data: readonly V1Invoice[]
  readonly pagination: { readonly count: number }
  readonly message: string
  readonly violations: readonly unknown[]
}

async function login(client = 'demo'): Promise<string> {
  const response = await fetch(`${gateway.legacyUrl}/auth/application`, {
    method: 'POST',
    body: JSON.stringify({ clientId: `${client}-client`, secretKey: `${client}-secret` }),
  })
  const { token } = (await response.json()) as { readonly token: string }
  return token
}

async function invoices(token: string, filters: object, language = 'tr') {
  const response = await fetch(`${gateway.legacyUrl}/api/invoice/list`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'accept-language': language },
    body: JSON.stringify(filters),
  })
  return { status: response.status, body: (await response.json()) as Answer }
}

async function v1Invoices(token: string, query: string) {
  const response = await fetch(`${sandbox.v1Url}/api/v1/finance/invoices?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return (await response.json()) as { readonly items: readonly V1Invoice[]; readonly meta: { readonly total: number } }
}

const legacyTime = (time: string): string => time.replace(/\.\d{3}Z$/, '+00:00')

/** Written by hand from docs/contract.md 7.1. */
function legacyInvoice({ organizationId: _, currencyCode, ...invoice }: V1Invoice) {
  return {
    ...invoice,
    dateAt: legacyTime(invoice.dateAt),
    paymentExpirationAt: legacyTime(invoice.paymentExpirationAt),
    currency: { code: currencyCode },
  }
}

describe('a legacy program, over the sandbox', () => {
  it('is refused with the wrong secret, in its language', async () => {
    const response = await fetch(`${gateway.legacyUrl}/auth/application`, {
      method: 'POST',
      headers: { 'accept-language': 'en' },
      body: '{"clientId":"demo-client","secretKey":"wrong"}',
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('x-gateway-code')).toBe('CLIENT_ID_OR_SECRET_INVALID')
    expect(await response.json()).toEqual({ message: 'Client id or secret is invalid.' })
  })

  it.each([
    [{}, ''],
    [{ isPayment: true }, 'isPaid=true'],
    [{ isPayment: false, perPage: 3, page: 2 }, 'isPaid=false&perPage=3&page=2'],
    [{ statusId: 2, sortBy: 'priceTry', sortOrder: 'ASC' }, 'statusId=2&sortBy=priceTry&sortOrder=ASC'],
    [{ dateAtBetween: { startAt: '2025-01-01', endAt: '2025-03-31' } }, 'dateFrom=2025-01-01&dateTo=2025-03-31'],
    [
      { paymentExpirationAtBetween: { startAt: '2024-06-01T00:30:00+03:00', endAt: '2024-12-31 10:00:00' } },
      'paymentExpirationFrom=2024-05-31&paymentExpirationTo=2024-12-31',
    ],
    [{ search: 'KAMPANYA%10' }, 'search=KAMPANYA%2510'],
    [{ number: 'NO-SUCH-NUMBER' }, 'number=NO-SUCH-NUMBER'],
  ])('lists the invoices that v1 lists, with %j', async (filters, query) => {
    const token = await login()
    const { status, body } = await invoices(token, filters)
    const v1 = await v1Invoices(token, query)
    expect(status).toBe(200)
    expect(body.data).toEqual(v1.items.map(legacyInvoice))
    expect(body.pagination.count).toBe(v1.meta.total)
  })

  it('gets pages of more rows than v1 allows', async () => {
    const token = await login()
    const { items: all } = await v1Invoices(token, 'perPage=200')
    expect(all.length).toBeGreaterThanOrEqual(120)
    const { body: whole } = await invoices(token, { perPage: 5_000 })
    expect(whole).toEqual({
      data: all.map(legacyInvoice),
      pagination: { count: all.length, page: 1, perPage: 5_000, lastPage: 1 },
    })
    const { body: beyond } = await invoices(token, { perPage: 201, page: 2 })
    expect(beyond).toEqual({ data: [], pagination: { count: all.length, page: 2, perPage: 201, lastPage: 1 } })
  })

  it('never sees the invoices of another organization', async () => {
    const own = await invoices(await login('demo'), { perPage: 200 })
    const others = await invoices(await login('other'), { perPage: 200 })
    const ids = new Set(own.body.data.map(({ id }) => id))
    expect(others.body.data.length).toBeGreaterThan(0)
    expect(others.body.data.filter(({ id }) => ids.has(id))).toEqual([])
  })

  it('gets validation errors for the legacy fields, in its language', async () => {
    const token = await login()
    const english = await invoices(token, { statusId: 9 }, 'en')
    const turkish = await invoices(token, { statusId: 9 }, 'tr')
    for (const { status, body } of [english, turkish]) {
      expect(status).toBe(400)
      expect(body.violations).toEqual([{ propertyPath: 'statusId', message: expect.any(String) }])
    }
    expect(english.body.message).not.toBe(turkish.body.message)
  })

  it('is refused with an unknown token', async () => {
    const { status, body } = await invoices('nobody', {})
    expect(status).toBe(401)
    expect(body).toEqual({ message: expect.any(String) })
  })

  it('gets all countries as one array, in its language, without a token', async () => {
    const list = async (language: string) => {
      const response = await fetch(`${gateway.legacyUrl}/country/all?sortBy=id&sortOrder=asc`, {
        headers: { 'accept-language': language },
      })
      return (await response.json()) as readonly { readonly code: string; readonly name: string }[]
    }
    const english = await list('en-GB')
    const turkish = await list('tr')
    expect(english).toHaveLength(249)
    expect(turkish).toHaveLength(249)
    const germany = english.findIndex(({ code }) => code === 'DE')
    expect(english[germany]).toEqual({
      id: expect.any(Number),
      code: 'DE',
      name: 'Germany',
      phoneCode: '+49',
      isCarrierService: true,
      taxType: expect.any(String),
      taxMaxValidPrice: expect.any(Number),
      flagW20: expect.stringMatching(/^https:.*w20.*de/),
      flagW40: expect.stringMatching(/^https:.*w40.*de/),
    })
    expect(turkish[germany]?.name).toBe('Almanya')
  })
})
