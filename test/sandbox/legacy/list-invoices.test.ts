import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type ListBody } from '../sandbox-client.ts'
import { type LegacyError, type LegacyPage, languages, legacyTime, violates } from './legacy-client.ts'
import { type OpenFaces, openFaces } from './open-faces.ts'

interface Invoice {
  id: number
  number: string
  dateAt: string
  paymentExpirationAt: string
  priceTry: number
  isPaid: boolean
  status: { id: number; slug: string }
  addressType: { id: number; slug: string }
  currency: { code: string }
}

interface V1Invoice extends Omit<Invoice, 'currency'> {
  organizationId: number
  currencyCode: string
}

const path = '/api/invoice/list'
let faces: OpenFaces
/** The expected whole list, in v1's order: v1's rows with its changes undone by hand. */
let all: Invoice[]
beforeAll(async () => {
  faces = await openFaces()
  const { body } = await ask<ListBody<V1Invoice>>(faces, '/api/v1/finance/invoices?perPage=200', {
    token: faces.v1Tokens.demo,
  })
  all = body.items.map(({ organizationId: _, currencyCode, ...invoice }) => ({
    ...invoice,
    dateAt: invoice.dateAt.replace('.000Z', '+00:00'),
    paymentExpirationAt: invoice.paymentExpirationAt.replace('.000Z', '+00:00'),
    currency: { code: currencyCode },
  }))
})
afterAll(() => faces.close())

async function list(filters: unknown = {}) {
  const reply = await faces.ask<LegacyPage<Invoice>>(path, { body: filters })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const idsOf = (invoices: readonly Invoice[]) => invoices.map(({ id }) => id)

/** Expects the list with these filters to be exactly the invoices that meet the condition, in order. */
async function finds(filters: object, meets: (invoice: Invoice) => boolean) {
  const { data, pagination } = await list({ perPage: 5000, ...filters })
  expect(idsOf(data)).toEqual(idsOf(all.filter(meets)))
  expect(pagination.count).toBe(data.length)
  return data.length
}

describe('the answer', () => {
  test('is data and pagination, 25 a page, newest id first', async () => {
    const body = await list()
    expect(Object.keys(body)).toEqual(['data', 'pagination'])
    expect(body.data).toEqual(all.slice(0, 25))
    expect(body.pagination).toEqual({ count: 144, page: 1, perPage: 25, lastPage: 6 })
  })

  test('has the members of the contract and no others, and legacy timestamps', async () => {
    const { data } = await list({ perPage: 200 })
    expect(data).toEqual(all)
    for (const invoice of data) {
      expect(Object.keys(invoice)).toEqual([
        ...['id', 'number', 'dateAt', 'paymentExpirationAt', 'priceTry', 'priceUsd', 'firstName', 'lastName'],
        ...['citizenshipNumber', 'company', 'taxNumber', 'isPaid', 'status', 'addressType', 'currency'],
      ])
      expect(invoice.dateAt).toMatch(legacyTime)
      expect(invoice.paymentExpirationAt).toMatch(legacyTime)
    }
  })

  test('has invoices of its own organization only', async () => {
    const { body } = await faces.ask<LegacyPage<Invoice>>(path, {
      body: { perPage: 5000 },
      token: faces.tokens.other,
    })
    expect(body.pagination.count).toBeGreaterThan(0)
    const mine = new Set(idsOf(all))
    expect(idsOf(body.data).filter((id) => mine.has(id))).toEqual([])
  })

  test('is the same without filters, with empty and with unknown ones', async () => {
    const usual = await list()
    for (const body of [
      undefined,
      '',
      ' [\n] ',
      '{"page":null,"isPayment":null,"dateAtBetween":null}',
      '{"search":"","sortBy":"","statusId":[],"dateAtBetween":{"startAt":"","endAt":[]}}',
      '{"isPaid":true,"dateFrom":"2999-01-01","organizationId":2,"__proto__":{"page":9},"x":[]}',
    ]) {
      const reply = await faces.ask<LegacyPage<Invoice>>(path, { method: 'POST', body })
      expect(reply.status, body).toBe(200)
      expect(reply.body).toEqual(usual)
    }
  })
})

describe('pages', () => {
  test('of any size add up to the list', async () => {
    for (const perPage of [40, 144, 145, 5000]) {
      const lastPage = Math.ceil(144 / perPage)
      const rows: Invoice[] = []
      for (let page = 1; page <= lastPage; page++) {
        const { data, pagination } = await list({ page, perPage })
        expect(pagination).toEqual({ count: 144, page, perPage, lastPage })
        rows.push(...data)
      }
      expect(idsOf(rows)).toEqual(idsOf(all))
    }
  })

  test('can be requested as text, and are empty past the end', async () => {
    const body = await list({ page: '7', perPage: '25' })
    expect(body).toEqual({ data: [], pagination: { count: 144, page: 7, perPage: 25, lastPage: 6 } })
  })
})

describe('filters', () => {
  test('isPayment is true or false, as bool, number or text', async () => {
    for (const value of [true, 1, 'true', '1']) await finds({ isPayment: value }, ({ isPaid }) => isPaid)
    for (const value of [false, 0, 'false', '0']) await finds({ isPayment: value }, ({ isPaid }) => !isPaid)
  })

  test('statusId is 1, 2 or 3, as number or text; no invoice has 4', async () => {
    for (const id of [1, 2, 3]) {
      expect(await finds({ statusId: id }, ({ status }) => status.id === id)).toBeGreaterThan(0)
      await finds({ statusId: String(id) }, ({ status }) => status.id === id)
    }
    expect(await list({ statusId: 4, page: 3, perPage: 10 })).toEqual({
      data: [],
      pagination: { count: 0, page: 3, perPage: 10, lastPage: 0 },
    })
  })

  test('dateAtBetween and paymentExpirationAtBetween include both days, and may have one end only', async () => {
    const on = '2025-06-17'
    for (const [filter, member] of [
      ['dateAtBetween', 'dateAt'],
      ['paymentExpirationAtBetween', 'paymentExpirationAt'],
    ] as const) {
      const day = (invoice: Invoice) => invoice[member].slice(0, 10)
      await finds({ [filter]: { startAt: on } }, (each) => day(each) >= on)
      await finds({ [filter]: { endAt: on } }, (each) => day(each) <= on)
      const months = { startAt: '2025-05-01', endAt: '2025-06-30' }
      expect(
        await finds({ [filter]: months }, (each) => day(each) >= '2025-05-01' && day(each) <= '2025-06-30'),
      ).toBeGreaterThan(0)
      for (const { [member]: at } of all.slice(0, 3)) {
        const only = at.slice(0, 10)
        expect(await finds({ [filter]: { startAt: only, endAt: only } }, (each) => day(each) === only)).toBeGreaterThan(
          0,
        )
      }
      await finds({ [filter]: { startAt: '2025-06-30', endAt: '2025-06-01' } }, () => false)
    }
  })

  test('a timestamp means its day in UTC', async () => {
    for (const [startAt, day] of [
      ['2025-06-17T23:59:59+00:00', '2025-06-17'],
      ['2025-06-17 12:00', '2025-06-17'],
      ['2025-06-17T01:00:00+03:00', '2025-06-16'],
      ['2025-06-17T23:00:00-0200', '2025-06-18'],
      ['2024-02-29t10:24:19z', '2024-02-29'],
    ] as const) {
      const meant = await list({ dateAtBetween: { startAt: day }, perPage: 5000 })
      expect(meant.data.length).toBeGreaterThan(0)
      expect(await list({ dateAtBetween: { startAt }, perPage: 5000 }), startAt).toEqual(meant)
    }
  })

  test('search, id and number work as in v1', async () => {
    const [first, second] = all
    if (first === undefined || second === undefined) throw new Error('There must be two invoices')
    await finds({ id: first.id }, ({ id }) => id === first.id)
    await finds({ id: String(first.id) }, ({ id }) => id === first.id)
    await finds({ number: first.number }, ({ number }) => number === first.number)
    await finds({ search: 'DEM2025' }, ({ number }) => number.includes('DEM2025'))
    await finds({ search: first.id }, ({ id, number }) => id === first.id || number.includes(String(first.id)))
    await finds({ search: `${first.id}, ${second.number}` }, (each) => each === first || each === second)
    await finds({ search: '%' }, ({ number }) => number.includes('%'))
  })

  test('work together', async () => {
    const filters = { isPayment: false, statusId: 3, dateAtBetween: { startAt: '2025-01-01', endAt: '2025-12-31' } }
    const found = await finds(
      filters,
      ({ isPaid, status, dateAt }) => !isPaid && status.id === 3 && dateAt.startsWith('2025'),
    )
    expect(found).toBeGreaterThan(0)
  })
})

test('is sorted by each column both ways', async () => {
  for (const sortBy of ['id', 'number', 'dateAt', 'paymentExpirationAt', 'priceTry'] as const) {
    const sorted = all.toSorted((a, b) => (a[sortBy] < b[sortBy] ? -1 : a[sortBy] > b[sortBy] ? 1 : a.id - b.id))
    const up = await list({ sortBy, sortOrder: 'ASC', perPage: 200 })
    expect(idsOf(up.data)).toEqual(idsOf(sorted))
    const down = await list({ sortBy, sortOrder: 'desc', perPage: 200 })
    expect(down.data.map((invoice) => invoice[sortBy])).toEqual(sorted.toReversed().map((invoice) => invoice[sortBy]))
  }
})

test('an invalid filter is 400 at its legacy path', async () => {
  const text = { tr: 'Tek bir metin olmalıdır.', en: 'Must be a single string.' }
  const object = { tr: 'Bir nesne olmalıdır.', en: 'Must be an object.' }
  const day = {
    tr: 'YYYY-MM-DD biçiminde bir tarih veya ISO 8601 zaman damgası olmalıdır.',
    en: 'Must be a date of the form YYYY-MM-DD or an ISO 8601 timestamp.',
  }
  const upTo5000 = {
    tr: '1 ile 5000 arasında bir tam sayı olmalıdır.',
    en: 'Must be a whole number from 1 to 5000.',
  }
  const flag = { tr: 'Şunlardan biri olmalıdır: 0, 1, true, false.', en: 'Must be one of: 0, 1, true, false.' }

  for (const [filters, fields] of [
    [{ perPage: 5001 }, { perPage: upTo5000 }],
    [{ perPage: [5] }, { perPage: text }],
    [
      { search: { a: 1 }, number: ['x'] },
      { search: text, number: text },
    ],
    [{ isPayment: 'yes' }, { isPayment: flag }],
    [{ dateAtBetween: ['2025-01-01'] }, { dateAtBetween: object }],
    [{ dateAtBetween: { startAt: '2025-02-30T00:00:00Z' } }, { 'dateAtBetween.startAt': day }],
    [
      { dateAtBetween: { startAt: '01.02.2025', endAt: 20250101 } },
      { 'dateAtBetween.startAt': day, 'dateAtBetween.endAt': day },
    ],
    [{ paymentExpirationAtBetween: { endAt: { x: 1 } } }, { 'paymentExpirationAtBetween.endAt': text }],
  ] as const) {
    for (const language of languages) {
      const reply = await faces.ask<LegacyError>(path, { body: filters, language })
      expect(reply.status, reply.text).toBe(400)
      const messages = Object.entries<typeof text>(fields).map(([field, message]) => [field, message[language]])
      expect(reply.body).toEqual(violates(language, Object.fromEntries(messages)))
    }
  }
  const all = { page: 0, statusId: 5, sortBy: 'company', sortOrder: 'up', id: 0, number: 'x'.repeat(17), search: ',' }
  const { status, body } = await faces.ask<LegacyError>(path, { body: all })
  expect(status).toBe(400)
  const named = body.violations?.map(({ propertyPath }) => propertyPath)
  expect(named?.toSorted()).toEqual(Object.keys(all).toSorted())
})
