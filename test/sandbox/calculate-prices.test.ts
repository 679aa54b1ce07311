import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyWith } from './bad-input.ts'
import { countryId, type OpenSandbox, openSandbox, post, validationFailed } from './open-sandbox.ts'
import type { ErrorBody } from './sandbox-client.ts'

const path = '/api/v1/shipment/price-calculations'
let nowMs = Date.UTC(2025, 5, 1)
let sandbox: OpenSandbox
beforeAll(async () => {
  sandbox = await openSandbox(() => nowMs)
})
afterAll(() => sandbox.close())

interface Quote {
  carrier: { id: number; slug: string; name: string; service: string; logoUrl: string }
  currencyCode: string
  freightPrice: number
  fuelSurcharge: number
  peakPrice: number
  remoteAreaPrice: number
  totalPrice: number
  packages: {
    length: number
    size: number
    height: number
    weight: number
    desi: number
    chargeableWeight: number
    freightPrice: number
    additionalFees: { slug: string; name: string; amount: number }[]
  }[]
}

const box = { length: 30, size: 20, height: 10, weight: 2, piece: 1 }
const request = (facts: object = {}) => ({
  countryId: countryId('DE'),
  city: 'Köln',
  zipCode: '50667',
  date: '2025-06-02',
  carrierId: 1,
  packages: [box],
  ...facts,
})

async function quote(facts: object = {}, language = 'tr'): Promise<Quote[]> {
  const reply = await post<{ items: Quote[] }>(sandbox, path, request(facts), { language })
  expect(reply.status, reply.text).toBe(200)
  return reply.body.items
}

async function quoteOne(facts: object = {}, language = 'tr'): Promise<Quote> {
  const [first, ...more] = await quote(facts, language)
  if (first === undefined) throw new Error('no quote')
  expect(more).toEqual([])
  return first
}

describe('the answer', () => {
  test('is 200 with a quote per carrier in items, a Turkish message and no meta', async () => {
    const { carrierId: _, ...withoutCarrier } = request()
    for (const language of ['tr', 'en']) {
      const { status, body } = await post<{ items: Quote[] }>(sandbox, path, withoutCarrier, { language })
      expect(status).toBe(200)
      expect(body).toEqual({ success: true, message: 'Fiyatlar hesaplandı.', items: expect.any(Array) })
      expect(body.items.map(({ carrier }) => carrier.id)).toEqual([1, 2, 3, 4])
      expect(new Set(body.items.map(({ totalPrice }) => totalPrice)).size).toBe(4)
    }
  })

  test('has all amounts, and package rows without id, piece and perimeter', async () => {
    expect(await quoteOne()).toEqual({
      carrier: {
        id: 1,
        slug: 'EXPRESS_SAVER',
        name: 'Numune Express',
        service: 'Express Saver',
        logoUrl: 'https://carriers.example/express-saver.png',
      },
      currencyCode: 'USD',
      freightPrice: 36,
      fuelSurcharge: 6.48,
      peakPrice: 0,
      remoteAreaPrice: 0,
      totalPrice: 42.48,
      packages: [
        {
          length: 30,
          size: 20,
          height: 10,
          weight: 2,
          desi: 1.2,
          chargeableWeight: 2,
          freightPrice: 36,
          additionalFees: [],
        },
      ],
    })
  })

  test('is the same in both languages except for the names of the fees', async () => {
    const packages = [{ ...box, weight: 40, length: 200, piece: 3 }]
    const [turkish, english] = [await quoteOne({ packages }), await quoteOne({ packages }, 'en')]
    expect(turkish.packages[0]?.additionalFees).toEqual([
      { slug: 'OVERSIZE', name: 'Büyük boyut ücreti', amount: 75 },
      { slug: 'OVERWEIGHT', name: 'Ağır paket ücreti', amount: 60 },
    ])
    expect(english.packages[0]?.additionalFees).toEqual([
      { slug: 'OVERSIZE', name: 'Oversize fee', amount: 75 },
      { slug: 'OVERWEIGHT', name: 'Overweight fee', amount: 60 },
    ])
    const withoutFees = (quote: Quote) => ({ ...quote, packages: quote.packages.map((row) => row.freightPrice) })
    expect(withoutFees(english)).toEqual(withoutFees(turkish))
  })
})

describe('a price', () => {
  test('goes by weight or desi, by started half kilograms', async () => {
    for (const [measures, desi, chargeableWeight] of [
      [{ length: 10, size: 10, height: 10, weight: 5 }, 0.2, 5],
      [{ length: 50, size: 40, height: 30, weight: 5 }, 12, 12],
      [{ length: 1, size: 1, height: 1, weight: 5.001 }, 0, 5.5],
      [{ length: 0.1, size: 0.2, height: 300, weight: 0.1 + 0.2 }, 0, 0.5],
    ] as const) {
      const { packages, freightPrice } = await quoteOne({ packages: [measures] })
      expect(packages[0]).toMatchObject({ desi, chargeableWeight })
      expect(freightPrice).toBeCloseTo(18 + chargeableWeight * 9, 10)
    }
  })

  test('is that of one piece times the number of pieces, which is 1 by default', async () => {
    const priceOf = async (piece: object) =>
      (await quoteOne({ packages: [{ ...box, piece: undefined, ...piece }] })).freightPrice
    expect([await priceOf({}), await priceOf({ piece: null }), await priceOf({ piece: 1 })]).toEqual([36, 36, 36])
    expect(await priceOf({ piece: 7 })).toBe(252)
  })

  test('has no more than two decimals and adds up to the total', async () => {
    for (const weight of [0.1, 1.37, 9.53, 66.7]) {
      const packages = [{ ...box, weight, piece: 3 }, box]
      const facts = { packages, zipCode: '99501', date: '2025-12-01', carrierId: undefined }
      for (const each of await quote(facts)) {
        const fees = each.packages.flatMap((row) => row.additionalFees.map(({ amount }) => amount))
        const parts = [each.freightPrice, each.fuelSurcharge, each.peakPrice, each.remoteAreaPrice, ...fees]
        for (const amount of [...parts, each.totalPrice]) expect(String(amount)).toMatch(/^\d+(\.\d{1,2})?$/)
        expect(each.totalPrice).toBeCloseTo(parts.reduce((sum, part) => sum + part))
      }
    }
  })

  test('is higher in November and December, by the date sent or by the clock', async () => {
    const peakOf = async (date: unknown) => (await quoteOne({ date })).peakPrice
    expect([await peakOf('2025-10-31'), await peakOf('2025-11-01')]).toEqual([0, 3.6])
    expect([await peakOf('2025-12-31'), await peakOf('2026-01-01')]).toEqual([3.6, 0])
    expect([await peakOf(undefined), await peakOf(null)]).toEqual([0, 0])
    nowMs = Date.UTC(2025, 10, 1)
    const inNovember = [await peakOf(undefined), await peakOf(null), await peakOf('2025-06-01')]
    nowMs = Date.UTC(2025, 5, 1)
    expect(inNovember).toEqual([3.6, 3.6, 0])
  })
})

test('carrierId gives the quote of that carrier only; an unknown one is 400, in Turkish', async () => {
  expect((await quoteOne({ carrierId: 3 })).carrier.id).toBe(3)
  const { status, body } = await post(sandbox, path, request({ carrierId: 5 }), { language: 'en' })
  expect(status).toBe(400)
  expect(body).toEqual({ success: false, code: 'CARRIER_IS_NOT_FOUND', message: 'Taşıyıcı bulunamadı.' })
})

describe('null', () => {
  test('counts as not sent in four fields, and is 422 in any other', async () => {
    for (const field of ['city', 'zipCode', 'date', 'packages[0].piece']) {
      const [withNull, without] = [bodyWith(request(), field, 'null'), bodyWith(request(), field, undefined)]
      const replies = [await post(sandbox, path, withNull), await post(sandbox, path, without)]
      expect(replies[0]?.status).toBe(200)
      expect(replies[0]?.text).toBe(replies[1]?.text)
    }
    for (const field of ['countryId', 'carrierId', 'packages', 'packages[0]', 'packages[0].weight']) {
      const reply = await post<ErrorBody>(sandbox, path, bodyWith(request(), field, 'null'))
      expect([reply.status, reply.body.errors?.map((error) => error.path)]).toEqual([422, [field]])
    }
  })

  test('is 422 in fields that the service does not have, at any depth', async () => {
    const message = { tr: 'null olamaz.', en: 'Must not be null.' }
    const sent = request({
      note: null,
      more: { city: null, list: [null, { x: null }] },
      packages: [{ ...box, colour: null }],
    })
    for (const language of ['tr', 'en'] as const) {
      const { status, body } = await post(sandbox, path, sent, { language })
      const fields = ['note', 'more.city', 'packages[0].colour', 'more.list[1].x']
      expect([status, body]).toEqual([
        422,
        validationFailed(language, Object.fromEntries(fields.map((field) => [field, message[language]]))),
      ])
    }
  })
})

test('an id of a package is not supported: 422', async () => {
  const messages = { tr: 'Bu alan desteklenmiyor.', en: 'This field is not supported.' }
  for (const language of ['tr', 'en'] as const) {
    const { status, body } = await post(sandbox, path, request({ packages: [box, { ...box, id: 1 }] }), { language })
    expect(status).toBe(422)
    expect(body).toEqual(validationFailed(language, { 'packages[1].id': messages[language] }))
  }
})

test('a request has at most 100 package rows', async () => {
  const replyTo = (rows: number) => post<ErrorBody>(sandbox, path, request({ packages: Array(rows).fill(box) }))
  expect((await replyTo(100)).status).toBe(200)
  expect((await replyTo(101)).body).toEqual(validationFailed('tr', { packages: 'En fazla 100 öğe içerebilir.' }))
})
