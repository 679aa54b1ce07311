import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { type ListClient, listClient, messages } from './list-client.ts'
import { ask, demo, type ErrorBody, type ListBody, logIn, other, startInMemory } from './sandbox-client.ts'

interface Invoice {
  id: number
  organizationId: number
  number: string
  dateAt: string
  paymentExpirationAt: string
  priceTry: number
  priceUsd: number
  firstName: string
  lastName: string
  citizenshipNumber: string
  company: string
  taxNumber: string
  isPaid: boolean
  status: { id: number; slug: string }
  addressType: { id: number; slug: string }
  currencyCode: string
}

const path = '/api/v1/finance/invoices'
let sandbox: Sandbox
let token: string
let otherToken: string
/** Every invoice of the demo organization, by id. */
let all: Invoice[]

beforeAll(async () => {
  sandbox = await startInMemory()
  token = await logIn(sandbox, demo)
  otherToken = await logIn(sandbox, other)
  all = (await list({ perPage: '200', sortOrder: 'asc' })).items
})
afterAll(() => sandbox.close())

async function list(query: Record<string, string>, as = token): Promise<ListBody<Invoice>> {
  const reply = await ask<ListBody<Invoice>>(sandbox, `${path}?${new URLSearchParams(query)}`, { token: as })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

/** The ids of every invoice that the query finds, in ascending order. */
async function find(query: Record<string, string>, as = token): Promise<number[]> {
  return ids((await list({ perPage: '200', sortOrder: 'asc', ...query }, as)).items)
}

const ids = (invoices: Invoice[]) => invoices.map(({ id }) => id)
const idsWhere = (meets: (invoice: Invoice) => boolean) => ids(all.filter(meets))

describe('the answer', () => {
  test('is the success envelope with items and meta, its message Turkish in every language', async () => {
    for (const language of ['tr', 'en']) {
      const { status, headers, body } = await ask<ListBody<Invoice>>(sandbox, path, { token, language })
      expect(status).toBe(200)
      expect(headers.get('Content-Type')).toMatch(/^application\/json/)
      expect(Object.keys(body)).toEqual(['success', 'message', 'items', 'meta'])
      expect(body).toMatchObject({ success: true, message: 'Faturalar listelendi.' })
      expect(Object.entries(body.meta)).toEqual([
        ['page', 1],
        ['perPage', 25],
        ['total', 144],
        ['pageCount', 6],
      ])
    }
  })

  test("has the contract's members in its order, of its types", () => {
    for (const invoice of all) {
      expect(Object.keys(invoice)).toEqual(
        (
          'id organizationId number dateAt paymentExpirationAt priceTry priceUsd firstName lastName ' +
          'citizenshipNumber company taxNumber isPaid status addressType currencyCode'
        ).split(' '),
      )
      const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(invoice).toEqual({
        id: expect.any(Number),
        organizationId: 1,
        number: expect.stringMatching(/^.{1,16}$/),
        dateAt: timestamp,
        paymentExpirationAt: timestamp,
        priceTry: expect.any(Number),
        priceUsd: expect.any(Number),
        firstName: expect.any(String),
        lastName: expect.any(String),
        citizenshipNumber: expect.stringMatching(/^(\d{11})?$/),
        company: expect.any(String),
        taxNumber: expect.stringMatching(/^(\d{10})?$/),
        isPaid: expect.any(Boolean),
        status: { id: expect.any(Number), slug: { 1: 'NEW', 2: 'WAITING', 3: 'COMPLETED' }[invoice.status.id] },
        addressType: invoice.company === '' ? { id: 1, slug: 'INDIVIDUAL' } : { id: 2, slug: 'CORPORATION' },
        currencyCode: expect.stringMatching(/^[A-Z]{3}$/),
      })
      expect(invoice.citizenshipNumber === '').toBe(invoice.taxNumber !== '')
    }
  })

  test('covers two years, every state paid and unpaid, several currencies, whole and big prices, Turkish letters', () => {
    const distinct = (of: (invoice: Invoice) => unknown) => new Set(all.map(of)).size
    expect(distinct(({ dateAt }) => dateAt.slice(0, 7))).toBe(24)
    expect(distinct(({ status, isPaid }) => `${status.slug} ${isPaid}`)).toBe(6)
    expect(distinct(({ currencyCode }) => currencyCode)).toBeGreaterThanOrEqual(4)
    expect(all.some(({ priceTry }) => Number.isInteger(priceTry))).toBe(true)
    expect(all.some(({ priceTry }) => !Number.isInteger(priceTry))).toBe(true)
    expect(all.some(({ priceTry }) => priceTry > 10_000_000)).toBe(true)
    const words = all.map(({ firstName, lastName, company }) => `${firstName} ${lastName} ${company}`).join()
    for (const letter of 'İışğŞÇöüÖÜ') expect(words).toContain(letter)
  })
})

describe('authorization', () => {
  test('is refused with 401 and a Turkish message before anything is validated', async () => {
    for (const header of [
      undefined,
      'Bearer nonsense',
      'Bearer ',
      token,
      `Basic ${token}`,
      `Bearer ${token} ${token}`,
    ]) {
      const headers = header === undefined ? {} : { Authorization: header }
      const reply = await ask<ErrorBody>(sandbox, `${path}?page=0`, { headers, language: 'en' })
      expect(reply.status, header).toBe(401)
      expect(reply.headers.get('WWW-Authenticate')).toBe('Bearer')
      expect(reply.body).toEqual({
        success: false,
        code: 'UNAUTHORIZED',
        message: 'Yetkilendirme başarısız: geçerli bir erişim anahtarı gerekiyor.',
      })
    }
  })

  test("never shows another organization's invoices, whatever the query", async () => {
    const theirs = await list({ perPage: '200' }, otherToken)
    expect(theirs.meta.total).toBe(40)
    expect(new Set(theirs.items.map(({ organizationId }) => organizationId))).toEqual(new Set([2]))
    expect(ids(theirs.items).filter((id) => ids(all).includes(id))).toEqual([])

    const [their] = theirs.items
    const [mine] = all
    if (their === undefined || mine === undefined) throw new Error('both organizations have invoices')
    expect(await find({ id: String(their.id) })).toEqual([])
    expect(await find({ number: their.number })).toEqual([])
    expect(await find({ search: String(their.id) })).toEqual([])
    expect(await find({ search: `${their.number},${their.id},${mine.id}` })).toEqual([mine.id])
    expect(await find({ id: String(mine.id) }, otherToken)).toEqual([])
  })
})

test('invoices are sorted by text and time, too, both ways, with ties by id', async () => {
  for (const sortBy of ['number', 'dateAt', 'paymentExpirationAt'] as const) {
    const compare = (a: Invoice, b: Invoice) => (a[sortBy] < b[sortBy] ? -1 : a[sortBy] > b[sortBy] ? 1 : 0)
    expect(await find({ sortBy })).toEqual(ids(all.toSorted((a, b) => compare(a, b) || a.id - b.id)))
    expect(await find({ sortBy, sortOrder: 'desc' })).toEqual(ids(all.toSorted((a, b) => compare(b, a) || a.id - b.id)))
  }
})

describe('search', () => {
  test('with a single value finds the id that equals it, and the numbers that contain it as text', async () => {
    for (const search of ['1001', '2024', 'DEM2025', 'ELDEN', '-', '%', '_', 'N_2']) {
      const expected = idsWhere(({ id, number }) => String(id) === search || number.includes(search))
      expect(expected.length).toBeGreaterThan(0)
      expect(await find({ search }), search).toEqual(expected)
    }
    for (const search of ['01001', 'Örnek', '9999', "' OR 1=1 --", '\0', '🚀'])
      expect(await find({ search })).toEqual([])
  })

  test('with commas finds ids and numbers that equal a value, and none that only contain one', async () => {
    expect(await find({ search: '1001,ELDEN_2024_1' })).toEqual(
      idsWhere((i) => i.id === 1001 || i.number === 'ELDEN_2024_1'),
    )
    expect(await find({ search: '1002, 1001 ,,1001,' })).toEqual([1001, 1002])
    for (const search of ['2024,2025', '%,_', 'DEM2024,']) expect(await find({ search })).toEqual([])
  })
})

describe('filters', () => {
  test('id, number, statusId and isPaid find what equals them', async () => {
    expect(await find({ id: '1001' })).toEqual([1001])
    expect(await find({ id: '999999' })).toEqual([])
    expect(await find({ number: 'DEM2024000000001' })).toEqual([1001])
    for (const number of ['DEM', 'dem2024000000001', 'DEM202400000000_']) expect(await find({ number })).toEqual([])
    for (const statusId of [1, 2, 3]) {
      expect(await find({ statusId: String(statusId) })).toEqual(idsWhere(({ status }) => status.id === statusId))
    }
    for (const isPaid of ['true', '1']) expect(await find({ isPaid })).toEqual(idsWhere((one) => one.isPaid))
    for (const isPaid of ['false', '0']) expect(await find({ isPaid })).toEqual(idsWhere((one) => !one.isPaid))
  })

  test('of dates include both days whole', async () => {
    for (const [from, to, member] of [
      ['dateFrom', 'dateTo', 'dateAt'],
      ['paymentExpirationFrom', 'paymentExpirationTo', 'paymentExpirationAt'],
    ] as const) {
      const dayOf = (invoice: Invoice) => invoice[member].slice(0, 10)
      for (const time of ['T00:00:00.000Z', 'T23:59:59.000Z']) {
        const day = dayOf(all.find((invoice) => invoice[member].endsWith(time)) as Invoice)
        expect(await find({ [from]: day, [to]: day })).toEqual(idsWhere((invoice) => dayOf(invoice) === day))
        expect(await find({ [from]: day })).toEqual(idsWhere((invoice) => dayOf(invoice) >= day))
        expect(await find({ [to]: day })).toEqual(idsWhere((invoice) => dayOf(invoice) <= day))
      }
      expect(await find({ [from]: '2025-01-02', [to]: '2025-01-01' })).toEqual([])
    }
  })

  test('apply together, and count in meta; those that the contract does not have are ignored', async () => {
    const expected = all.filter((i) => i.isPaid && i.status.id === 3 && i.dateAt >= '2025')
    const { items, meta } = await list({ isPaid: '1', statusId: '3', dateFrom: '2025-01-01', perPage: '5' })
    expect(ids(items)).toEqual(ids(expected).reverse().slice(0, 5))
    expect(meta).toEqual({ page: 1, perPage: 5, total: expected.length, pageCount: Math.ceil(expected.length / 5) })
    expect(await find({ organizationId: '2', foo: '', constructor: 'x' })).toEqual(ids(all))
  })
})

describe('bad values', () => {
  const refuses: ListClient<Invoice>['refuses'] = (query, errors) =>
    listClient<Invoice>(sandbox, path, token).refuses(query, errors)
  const parameters = [
    ...['search', 'id', 'number', 'statusId', 'isPaid', 'dateFrom', 'dateTo'],
    ...['paymentExpirationFrom', 'paymentExpirationTo'],
  ]
  const date = [
    'YYYY-MM-DD biçiminde gerçek bir tarih olmalıdır.',
    'Must be a real date of the form YYYY-MM-DD.',
  ] as const

  test('of several parameters are reported at once', async () => {
    const status = ['Şunlardan biri olmalıdır: 1, 2, 3.', 'Must be one of: 1, 2, 3.'] as const
    const upTo16 = ['En fazla 16 karakter olabilir.', 'Must be at most 16 characters long.'] as const
    const wrong = ['x'.repeat(256), '0', 'x'.repeat(17), '4', 'yes', '2025-02-30', '2025-1-1', '01.01.2025', 'today']
    const says = [messages.upTo255, messages.atLeast1, upTo16, status, messages.flag, date, date, date, date]
    await refuses(
      Object.fromEntries(parameters.map((name, at) => [name, wrong[at] ?? ''])),
      parameters.map((name, at) => [name, ...(says[at] ?? date)] as const),
    )
  })

  test('are parameters that are empty or given twice', async () => {
    const each = (message: readonly [string, string]) => parameters.map((name) => [name, ...message] as const)
    await refuses(parameters.map((name) => `${name}=`).join('&'), each(messages.empty))
    await refuses(parameters.map((name) => `${name}=1&${name}=1`).join('&'), each(messages.text))
  })
})
