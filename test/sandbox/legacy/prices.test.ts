import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countryId } from '../open-sandbox.ts'
import { ask } from '../sandbox-client.ts'
import { type LegacyError, languages, violates } from './legacy-client.ts'
import { type OpenFaces, openFaces } from './open-faces.ts'

interface Quote {
  carrier: { id: number }
  fuelSurcharges: number
  packages: { id: unknown; piece: unknown; perimeter: number; additionalFees: object[] }[]
}

const path = '/api/calculate/price'
let faces: OpenFaces
beforeAll(async () => {
  faces = await openFaces()
})
afterAll(() => faces.close())

const box = { length: 130, size: 20.25, height: 10, weight: 2 }
const body = (facts: object = {}) => ({
  countryId: countryId('DE'),
  zipCode: '99001',
  date: '2025-11-30',
  packages: [{ ...box, piece: 3, id: 7 }],
  ...facts,
})

async function quote(facts: object = {}, language = 'tr'): Promise<Quote[]> {
  const reply = await faces.ask<Quote[]>(path, { body: body(facts), language })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

describe('quotes', () => {
  test('are a root array, one per carrier, with the members that v1 renamed and removed', async () => {
    const [first, ...more] = await quote({}, 'en')
    expect(more.map(({ carrier }) => carrier.id)).toEqual([2, 3, 4])
    expect(first).toEqual({
      carrier: {
        id: 1,
        slug: 'EXPRESS_SAVER',
        name: 'Numune Express',
        service: 'Express Saver',
        logoUrl: 'https://carriers.example/express-saver.png',
      },
      currencyCode: 'USD',
      freightPrice: 202.5,
      fuelSurcharges: 36.45,
      peakPrice: 20.25,
      remoteAreaPrice: 30,
      totalPrice: 364.2,
      packages: [
        {
          id: 7,
          ...box,
          piece: 3,
          perimeter: 190.5,
          desi: 5.27,
          chargeableWeight: 5.5,
          freightPrice: 202.5,
          additionalFees: [{ type: 'OVERSIZE', desc: 'Oversize fee', value: 75 }],
        },
      ],
    })
  })

  test('are those of v1 for the same request', async () => {
    for (const facts of [{}, { zipCode: '10115', date: '2025-01-01' }, { carrierId: 3, city: 'Köln' }]) {
      const { packages, ...request } = body(facts)
      const v1Body = { ...request, packages: packages.map(({ id: _, ...row }) => row) }
      const { body: v1 } = await ask<{ items: { totalPrice: number; fuelSurcharge: number }[] }>(
        faces,
        '/api/v1/shipment/price-calculations',
        { body: v1Body, token: faces.v1Tokens.demo },
      )
      const legacy = (await quote(facts)) as unknown as { totalPrice: number; fuelSurcharges: number }[]
      expect(legacy.map(({ totalPrice, fuelSurcharges }) => [totalPrice, fuelSurcharges])).toEqual(
        v1.items.map(({ totalPrice, fuelSurcharge }) => [totalPrice, fuelSurcharge]),
      )
    }
  })

  test('give each package the id and piece of its row, or null', async () => {
    const packages = [{ ...box, id: 'a', piece: 2 }, box, { ...box, id: null, piece: null }]
    const [first] = await quote({ packages })
    expect(first?.packages.map(({ id, piece }) => [id, piece])).toEqual([
      ['a', 2],
      [null, null],
      [null, null],
    ])
  })
})

test('an unknown carrier is 406 in the requested language', async () => {
  const message = { tr: 'Taşıyıcı bulunamadı.', en: 'Carrier is not found.' }
  for (const language of languages) {
    const reply = await faces.ask(path, { body: body({ carrierId: 99 }), language })
    expect(reply.status).toBe(406)
    expect(reply.body).toEqual({ message: message[language] })
  }
})

const required = { tr: 'Bu alan zorunludur.', en: 'This field is required.' }
const notServed = { tr: 'Bu ülkeye taşıma hizmeti yok.', en: 'Carriers do not go to this country.' }
const noCity = { tr: 'Bir şehir adı olmalıdır.', en: 'Must be the name of a city.' }
const noZipCode = { tr: 'Ülkenin posta koduna uymuyor.', en: "Is not a zip code of the destination's country." }
const empty = { tr: 'Bu alan boş olamaz.', en: 'This field must not be empty.' }

/** Expects a 400 that names these fields, each with its message, in both languages. */
async function refuses(path: string, body: object, fields: Readonly<Record<string, Record<'tr' | 'en', string>>>) {
  for (const language of languages) {
    const reply = await faces.ask<LegacyError>(path, { body, language })
    expect(reply.status).toBe(400)
    const messages = Object.entries(fields).map(([field, message]) => [field, message[language]])
    expect(reply.body).toEqual(violates(language, Object.fromEntries(messages)))
  }
}

test('an invalid request for prices is 400', async () => {
  await refuses(path, body({ packages: null, countryId: null }), { countryId: required, packages: required })
  await refuses(path, body({ packages: [] }), { packages: empty })
  await refuses(path, body({ packages: [{ ...box, length: null }] }), { 'packages[0].length': required })
  await refuses(path, body({ countryId: countryId('KP') }), { countryId: notServed })
})

describe('a destination', () => {
  const destination = '/api/calculate/price/country/validate'

  test('that is suitable is 204 without a body', async () => {
    for (const place of [
      { zipCode: '50667', city: 'Köln' },
      { zipCode: null, city: null },
      { zipCode: '', city: '' },
      {},
    ]) {
      const reply = await faces.ask(destination, { body: { countryId: countryId('DE'), ...place } })
      expect(reply.status).toBe(204)
      expect(reply.text).toBe('')
    }
  })

  test('that is not suitable is 400 with a message for each field', async () => {
    await refuses(destination, {}, { countryId: required })
    await refuses(destination, { countryId: countryId('AQ') }, { countryId: notServed })
    const nowhere = { countryId: countryId('US'), city: '-', zipCode: '1' }
    await refuses(destination, nowhere, { city: noCity, zipCode: noZipCode })
  })
})
