import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
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
  test.each([
    ['no header', undefined],
    ['an unknown token', 'Bearer nonsense'],
    ['no token', 'Bearer '],
    ['no prefix', 'TOKEN'],
    ['another scheme', 'Basic TOKEN'],
    ['more than a token', 'Bearer TOKEN TOKEN'],
  ])('is refused with 401 and a Turkish message before anything is validated: %s', async (_, header) => {
    for (const language of ['tr', 'en']) {
      const headers = header === undefined ? {} : { Authorization: header.replaceAll('TOKEN', token) }
      const reply = await ask<ErrorBody>(sandbox, `${path}?page=0`, { headers, language })
      expect(reply.status).toBe(401)
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

describe('page and perPage', () => {
  test('walk through the list without gap or overlap', async () => {
    const pages = []
    for (let page = 1; page <= 5; page++)
      pages.push(await list({ page: String(page), perPage: '30', sortOrder: 'asc' }))
    expect(pages.map(({ meta }) => meta)).toEqual(
      [1, 2, 3, 4, 5].map((page) => ({ page, perPage: 30, total: 144, pageCount: 5 })),
    )
    expect(pages.map(({ items }) => items.length)).toEqual([30, 30, 30, 30, 24])
    expect(pages.flatMap(({ items }) => items)).toEqual(all)
  })

  test('reach from 1 to 200', async () => {
    expect((await list({ perPage: '1' })).items).toHaveLength(1)
    expect((await list({ perPage: '200' })).items).toHaveLength(144)
  })

  test.each(['7', '9007199254740991'])('page %s past the end is empty', async (page) => {
    const { items, meta } = await list({ page, perPage: '200' })
    expect(items).toEqual([])
    expect(meta).toEqual({ page: Number(page), perPage: 200, total: 144, pageCount: 1 })
  })

  test('an empty list has no pages', async () => {
    expect((await list({ search: 'nothing like it' })).meta).toEqual({ page: 1, perPage: 25, total: 0, pageCount: 0 })
  })
})

describe('sortBy and sortOrder', () => {
  test('are id and desc by default', async () => {
    expect(ids((await list({ perPage: '200' })).items)).toEqual(ids(all).reverse())
  })

  test.each(['id', 'number', 'dateAt', 'paymentExpirationAt', 'priceTry', 'priceUsd'] as const)(
    'sort by %s both ways, ties by id',
    async (sortBy) => {
      const compare = (a: Invoice, b: Invoice) => (a[sortBy] < b[sortBy] ? -1 : a[sortBy] > b[sortBy] ? 1 : 0)
      const upwards = (await list({ perPage: '200', sortBy, sortOrder: 'asc' })).items
      expect(ids(upwards)).toEqual(ids(all.toSorted((a, b) => compare(a, b) || a.id - b.id)))
      const downwards = (await list({ perPage: '200', sortBy, sortOrder: 'desc' })).items
      expect(ids(downwards)).toEqual(ids(all.toSorted((a, b) => compare(b, a) || a.id - b.id)))
    },
  )

  test.each(['asc', 'ASC', 'Asc', 'desc', 'DESC'])('sortOrder %s is accepted in any case', async (sortOrder) => {
    const upwards = sortOrder.toLowerCase() === 'asc'
    expect(ids((await list({ perPage: '200', sortOrder })).items)).toEqual(upwards ? ids(all) : ids(all).reverse())
  })
})

describe('search', () => {
  test('with a single value finds the id that equals it', async () => {
    expect(await find({ search: '1001' })).toEqual(idsWhere(({ id, number }) => id === 1001 || number.includes('1001')))
    expect(await find({ search: '01001' })).toEqual([])
  })

  test.each(['2024', 'DEM2025', '00012', 'ELDEN', '-', '%', '_', 'N_2', '%10'])(
    'with a single value finds the numbers that contain it as text: %s',
    async (search) => {
      const expected = idsWhere(({ id, number }) => String(id) === search || number.includes(search))
      expect(expected.length).toBeGreaterThan(0)
      expect(expected.length).toBeLessThan(all.length)
      expect(await find({ search })).toEqual(expected)
    },
  )

  test('with a single value finds nothing by a name, nor by part of an id', async () => {
    expect(await find({ search: 'Örnek' })).toEqual([])
    expect(await find({ search: '9999' })).toEqual([])
  })

  test('with commas finds ids and numbers that equal a value', async () => {
    expect(await find({ search: '1001,ELDEN_2024_1' })).toEqual(
      idsWhere((i) => i.id === 1001 || i.number === 'ELDEN_2024_1'),
    )
    expect(await find({ search: '1002, 1001 ,,1001,' })).toEqual([1001, 1002])
  })

  test('with commas does not find numbers that only contain a value, nor by wildcards', async () => {
    expect(await find({ search: '2024,2025' })).toEqual([])
    expect(await find({ search: '%,_' })).toEqual([])
    expect(await find({ search: 'DEM2024,' })).toEqual([])
  })

  test('treats SQL, a NUL and emoji as text', async () => {
    for (const search of ["' OR 1=1 --", "'),('", '\0', '🚀', '\\']) expect(await find({ search })).toEqual([])
  })

  test('accepts 255 characters', async () => {
    expect(await find({ search: 'x'.repeat(255) })).toEqual([])
    expect(await find({ search: `1001${','.repeat(251)}` })).toEqual([1001])
  })
})

describe('filters', () => {
  test('id finds that invoice', async () => {
    expect(await find({ id: '1001' })).toEqual([1001])
    for (const id of ['1', '999999', '9007199254740991']) expect(await find({ id })).toEqual([])
  })

  test('number is matched whole and exactly', async () => {
    expect(await find({ number: 'DEM2024000000001' })).toEqual([1001])
    for (const number of ['DEM', 'dem2024000000001', 'DEM202400000000_', '%', 'x']) {
      expect(await find({ number })).toEqual([])
    }
  })

  test.each([1, 2, 3])('statusId %i', async (statusId) => {
    const expected = idsWhere(({ status }) => status.id === statusId)
    expect(expected.length).toBeGreaterThan(0)
    expect(await find({ statusId: String(statusId) })).toEqual(expected)
  })

  test.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('isPaid %s', async (sent, isPaid) => {
    expect(await find({ isPaid: sent })).toEqual(idsWhere((invoice) => invoice.isPaid === isPaid))
  })

  test.each([
    ['dateFrom', 'dateTo', 'dateAt'],
    ['paymentExpirationFrom', 'paymentExpirationTo', 'paymentExpirationAt'],
  ] as const)('%s and %s include both days whole', async (from, to, member) => {
    const days = new Set(all.map((invoice) => invoice[member].slice(0, 10)))
    const times = new Set(all.map((invoice) => invoice[member].slice(11)))
    expect(times).toContain('00:00:00.000Z')
    expect(times).toContain('23:59:59.000Z')
    for (const day of days) {
      expect(await find({ [from]: day, [to]: day })).toEqual(idsWhere((invoice) => invoice[member].startsWith(day)))
    }
    const day = all[70]?.[member].slice(0, 10) ?? ''
    expect(await find({ [from]: day })).toEqual(idsWhere((invoice) => invoice[member].slice(0, 10) >= day))
    expect(await find({ [to]: day })).toEqual(idsWhere((invoice) => invoice[member].slice(0, 10) <= day))
    expect(await find({ [from]: '2025-01-02', [to]: '2025-01-01' })).toEqual([])
    expect(await find({ [from]: '2024-02-29', [to]: '2024-03-31' })).not.toEqual([])
  })

  test('apply together, and count in meta', async () => {
    const expected = all.filter((i) => i.isPaid && i.status.id === 3 && i.dateAt >= '2025')
    const { items, meta } = await list({ isPaid: '1', statusId: '3', dateFrom: '2025-01-01', perPage: '5' })
    expect(ids(items)).toEqual(ids(expected).reverse().slice(0, 5))
    expect(meta).toEqual({ page: 1, perPage: 5, total: expected.length, pageCount: Math.ceil(expected.length / 5) })
  })

  test('that the contract does not have are ignored', async () => {
    expect(await find({ organizationId: '2', foo: '', __proto__x: '1', constructor: 'x' })).toEqual(ids(all))
    const { status } = await ask(sandbox, `${path}?__proto__=1&__proto__=2&%5B%5D=&`, { token })
    expect(status).toBe(200)
  })
})

describe('bad values', () => {
  const messages = {
    empty: ['Bu alan boş olamaz.', 'This field must not be empty.'],
    text: ['Tek bir metin olmalıdır.', 'Must be a single string.'],
    atLeast1: ['1 veya daha büyük bir tam sayı olmalıdır.', 'Must be a whole number of at least 1.'],
    upTo200: ['1 ile 200 arasında bir tam sayı olmalıdır.', 'Must be a whole number from 1 to 200.'],
    sortBy: [
      'Şunlardan biri olmalıdır: id, number, dateAt, paymentExpirationAt, priceTry, priceUsd.',
      'Must be one of: id, number, dateAt, paymentExpirationAt, priceTry, priceUsd.',
    ],
    sortOrder: ['Şunlardan biri olmalıdır: asc, desc.', 'Must be one of: asc, desc.'],
    upTo255: ['En fazla 255 karakter olabilir.', 'Must be at most 255 characters long.'],
    upTo16: ['En fazla 16 karakter olabilir.', 'Must be at most 16 characters long.'],
    statusId: ['Şunlardan biri olmalıdır: 1, 2, 3.', 'Must be one of: 1, 2, 3.'],
    flag: ['Şunlardan biri olmalıdır: 0, 1, true, false.', 'Must be one of: 0, 1, true, false.'],
    date: ['YYYY-MM-DD biçiminde gerçek bir tarih olmalıdır.', 'Must be a real date of the form YYYY-MM-DD.'],
  } as const
  const notInts = [
    '0',
    '-1',
    '+1',
    '1.0',
    '1e2',
    '05',
    '0x10',
    ' 5',
    '5 ',
    '５',
    'abc',
    'NaN',
    '9007199254740992',
    '9'.repeat(400),
  ]
  const noDates = [
    '2025-02-30',
    '2025-02-29',
    '2025-13-01',
    '2025-00-10',
    '2025-1-1',
    '25-01-01',
    '01.01.2025',
    '2025-01-01T00:00:00Z',
    '2025-01-01 ',
    'today',
    '20250101',
  ]
  const bad: [string, keyof typeof messages, string[]][] = [
    ['page', 'atLeast1', notInts],
    ['perPage', 'upTo200', [...notInts, '201', '6000']],
    ['sortBy', 'sortBy', ['isPaid', 'ID', 'orderNumber', 'id ', '__proto__', 'toString', 'id; DROP TABLE invoices']],
    ['sortOrder', 'sortOrder', ['ascending', 'up', 'asc ', '1']],
    ['search', 'upTo255', ['x'.repeat(256), 'x'.repeat(1024 * 1024)]],
    ['search', 'empty', [',', ' , ,']],
    ['id', 'atLeast1', notInts],
    ['number', 'upTo16', ['DEM20240000000012']],
    ['statusId', 'statusId', ['0', '4', '01', '1.0', 'NEW']],
    ['isPaid', 'flag', ['yes', 'TRUE', 'True', '2', '01', 'null']],
    ['dateFrom', 'date', noDates],
    ['dateTo', 'date', noDates],
    ['paymentExpirationFrom', 'date', noDates],
    ['paymentExpirationTo', 'date', noDates],
  ]

  const refusals = async (query: string) => {
    const replies = []
    for (const language of ['tr', 'en']) {
      replies.push(await ask<ErrorBody>(sandbox, `${path}?${query}`, { token, language }))
    }
    return replies
  }

  test.each(bad)('%s is 422 (%s)', async (parameter, message, values) => {
    for (const value of values) {
      const [turkish, english] = await refusals(String(new URLSearchParams({ [parameter]: value })))
      const envelope = { success: false, code: 'VALIDATION_FAILED' }
      expect([turkish?.status, english?.status], value.slice(0, 50)).toEqual([422, 422])
      expect(turkish?.body).toEqual({
        ...envelope,
        message: 'Doğrulama başarısız oldu.',
        errors: [{ path: parameter, message: messages[message][0] }],
      })
      expect(english?.body).toEqual({
        ...envelope,
        message: 'Validation failed.',
        errors: [{ path: parameter, message: messages[message][1] }],
      })
    }
  })

  const parameters = [...new Set(bad.map(([parameter]) => parameter))]

  test.each([
    ['sent empty', 'empty', (parameter: string) => `${parameter}=`],
    ['sent without a value', 'empty', (parameter: string) => parameter],
    ['given twice', 'text', (parameter: string) => `${parameter}=1&${parameter}=1`],
  ] as const)('all parameters %s are reported at once, in both languages', async (_, message, write) => {
    const replies = await refusals(parameters.map(write).join('&'))
    for (const [index, reply] of replies.entries()) {
      expect(reply.status).toBe(422)
      expect(reply.body.errors).toEqual(parameters.map((path) => ({ path, message: messages[message][index] })))
    }
  })

  test('percent signs that do not encode anything are text', async () => {
    expect((await ask(sandbox, `${path}?search=%E0%A4%A`, { token })).status).toBe(200)
    expect((await ask(sandbox, `${path}?search=%`, { token })).status).toBe(200)
    expect((await ask(sandbox, `${path}?page=%31`, { token })).status).toBe(200)
  })
})
