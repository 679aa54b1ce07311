import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countRows } from '../open-sandbox.ts'
import { ask } from '../sandbox-client.ts'
import { newSenderAddress, packageBody, packages, product, type Shipment } from '../shipment-requests.ts'
import { type LegacyError, languages, notFoundImport, violates } from './legacy-client.ts'
import { type OpenFaces, openFaces } from './open-faces.ts'

const path = '/api/consignment/package/advance'
let faces: OpenFaces
beforeAll(async () => {
  faces = await openFaces(() => Date.parse('2025-02-03T04:05:06.789Z'))
  faces.db.prepare('UPDATE tokens SET expiresAtMs = ?').run(Number.MAX_SAFE_INTEGER)
})
afterAll(() => faces.close())

const { unitOfMeasureCode: _, ...withoutUnit } = product
const legacyProduct = { ...withoutUnit, unitOfMeasure: { code: 'C62', name: 'adet' } }
const body = (facts: object = {}) => packageBody({ products: [legacyProduct], ...facts })

async function create(facts: object = {}, language = 'tr') {
  const reply = await faces.ask<Record<string, unknown>>(path, { body: body(facts), language })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

async function newImport(name: string) {
  const { body } = await faces.ask<{ id: number }>('/api/single/point/import', { body: { name, shipmentId: 'GCCN-1' } })
  return body.id
}

const germany = {
  id: 57,
  code: 'DE',
  name: 'Almanya',
  phoneCode: '+49',
  isCarrierService: true,
  taxType: 'IOSS',
  taxMaxValidPrice: 150,
  flagW20: 'https://flagcdn.com/w20/de.png',
  flagW40: 'https://flagcdn.com/w40/de.png',
}

describe('the answer', () => {
  test('is 200 with the record itself: that of v1 with the changes of v1 undone', async () => {
    const singlePointImportId = await newImport('Answer')
    const legacy = await create({ singlePointImportId })
    const { body: v1 } = await ask<{ data: Shipment }>(faces, packages, {
      body: packageBody({ singlePointImportId }),
      token: faces.v1Tokens.demo,
    })
    const { id, code, name } = v1.data.billingAddress?.country ?? { id: 0, code: '', name: '' }
    expect(legacy).toEqual({
      ...v1.data,
      id: expect.any(Number),
      barcode: expect.stringMatching(/^\d{12}$/),
      trackingNumber: expect.stringMatching(/^NP\d{9}TR$/),
      trackingUrl: expect.stringMatching(/^https:\/\/carriers\.example\/track\/express-plus\/NP\d{9}TR$/),
      currency: { ...v1.data.currency, updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/) },
      singlePointImport: { id: singlePointImportId, name: 'Answer', shipmentId: 'GCCN-1' },
      recipientAddress: { ...v1.data.recipientAddress, id: expect.any(Number), country: germany },
      senderAddress: { ...v1.data.senderAddress, country: expect.objectContaining({ code: 'TR', taxType: 'NONE' }) },
      billingAddress: {
        ...v1.data.billingAddress,
        id: expect.any(Number),
        country: {
          ...{ id, code, name, phoneCode: '+33', isCarrierService: true },
          taxType: 'IOSS',
          taxMaxValidPrice: 150,
          flagW20: 'https://flagcdn.com/w20/fr.png',
          flagW40: 'https://flagcdn.com/w40/fr.png',
        },
      },
      orderData: { freight: 10.1, discount: 0, other: 0.5 },
      packages: [{ ...v1.data.packages[0], id: expect.any(Number), trackingNumber: legacy.trackingNumber }],
      products: [{ ...v1.data.products[0], id: expect.any(Number) }],
      createdAt: '2025-02-03T04:05:06+00:00',
      updatedAt: '2025-02-03T04:05:06+00:00',
    })
  })

  test('has null for omitted members', async () => {
    const nothing = { freight: null, discount: null, other: null, comment: null, isDiffBillingAddress: false }
    expect(await create({ ...nothing })).toMatchObject({
      orderData: null,
      comment: null,
      billingAddress: null,
      singlePointImport: null,
    })
    expect(await create({ ...nothing, discount: 1.5 })).toMatchObject({
      orderData: { freight: null, discount: 1.5, other: null },
    })
  })

  test('names type, status, country and origin always in Turkish, and units in the requested language', async () => {
    const products = [{ ...legacyProduct, originCountryCode: 'GB', unitOfMeasure: { code: 'INH', name: 'x' } }]
    const [turkish, english] = [await create({ products }), await create({ products }, 'en')]
    const unnamed = (shipment: object) => {
      const text = JSON.stringify(shipment).replaceAll(/"(id|barcode|trackingNumber|trackingUrl)":("[^"]*"|\d+)/g, '')
      return text.replaceAll(/"unitOfMeasure":\{[^}]*\}/g, '')
    }
    expect(unnamed(english)).toBe(unnamed(turkish))
    expect(english).toMatchObject({
      type: { name: 'Paket' },
      status: { name: 'Oluşturuldu' },
      activityStatus: { name: 'Taşıyıcıya teslim bekleniyor' },
      recipientAddress: { country: { name: 'Almanya' } },
      products: [{ originCountry: { name: 'Birleşik Krallık' } }],
    })
    expect(english).toMatchObject({ products: [{ unitOfMeasure: { name: 'inch' } }] })
    expect(turkish).toMatchObject({ products: [{ unitOfMeasure: { name: 'inç' } }] })
  })
})

test('a new sender address is stored and used', async () => {
  const kadikoy = faces.db.prepare("SELECT id, name FROM counties WHERE name = 'Kadıköy'").get()
  const county = { id: Number(kadikoy?.id), name: 'Kadıköy' }
  const shipment = await create({ senderAddressId: null, newSenderAddress: newSenderAddress(county) })
  expect(shipment).toMatchObject({ senderAddress: { firstName: 'Yeni', city: 'İstanbul', state: 'Kadıköy' } })
  const elsewhere = newSenderAddress(county, { city: { id: 6, name: 'Ankara' } })
  const reply = await faces.ask<LegacyError>(path, { body: body({ newSenderAddress: elsewhere }), language: 'en' })
  expect(reply.status).toBe(400)
  expect(reply.body).toEqual(violates('en', { 'newSenderAddress.city': 'The city does not match the county.' }))
})

describe('the unit of measure, which v1 calls unitOfMeasureCode,', () => {
  const required = { tr: 'Bu alan zorunludur.', en: 'This field is required.' }
  const unknown = { tr: 'Böyle bir kayıt yok.', en: 'There is no such record.' }
  const object = { tr: 'Bir nesne olmalıdır.', en: 'Must be an object.' }

  test('is refused at its code unless that is known', async () => {
    for (const [at, facts, message] of [
      ['products[1].unitOfMeasure.code', { unitOfMeasure: undefined }, required],
      ['products[1].unitOfMeasure.code', { unitOfMeasure: { name: 'adet' } }, required],
      ['products[1].unitOfMeasure.code', { unitOfMeasure: undefined, unitOfMeasureCode: 'C62' }, required],
      ['products[1].unitOfMeasure.code', { unitOfMeasure: { code: 'NONE' } }, unknown],
      ['products[1].unitOfMeasure', { unitOfMeasure: 'C62' }, object],
      ['products[1].originCountryCode', { originCountryCode: 'XX' }, unknown],
    ] as const) {
      const products = [legacyProduct, { ...legacyProduct, ...facts }]
      for (const language of languages) {
        const reply = await faces.ask<LegacyError>(path, { body: body({ products }), language })
        expect(reply.status).toBe(400)
        expect(reply.body).toEqual(violates(language, { [at]: message[language] }))
      }
    }
  })
})

test('a rule that is bound to a field is 400 at its field', async () => {
  const before = countRows(faces)
  for (const [field, value] of [
    ['packages', []],
    ['products', []],
    ['customsAccountZipCode', ''],
  ] as const) {
    const reply = await faces.ask<LegacyError>(path, { body: body({ [field]: value }) })
    expect(reply.status).toBe(400)
    expect(reply.body.violations?.map(({ propertyPath }) => propertyPath)).toEqual([field])
  }
  expect(countRows(faces)).toEqual(before)
})

describe('a broken business rule is 406 with a message in the requested language, and leaves a draft', () => {
  test.each([
    ['carrier', { carrierId: 99 }, { tr: 'Taşıyıcı bulunamadı.', en: 'Carrier is not found.' }],
    ['unknown import', { singlePointImportId: 99_999 }, notFoundImport],
  ])('%s', async (_, facts, message) => {
    for (const language of languages) {
      const before = countRows(faces)
      const reply = await faces.ask<LegacyError>(path, { body: body(facts), language })
      expect(reply.status).toBe(406)
      expect(reply.body).toEqual({ message: message[language] })
      expect(countRows(faces)).toEqual({ ...before, shipmentDrafts: before.shipmentDrafts + 1 })
    }
  })

  test('a completed import is treated as not found', async () => {
    const singlePointImportId = await newImport('Completed')
    await create({ singlePointImportId })
    const completed = await faces.ask('/api/single/point/import/complete', { body: { id: singlePointImportId } })
    expect(completed.status).toBe(204)
    for (const language of languages) {
      const reply = await faces.ask<LegacyError>(path, { body: body({ singlePointImportId }), language })
      expect(reply.status).toBe(406)
      expect(reply.body).toEqual({ message: notFoundImport[language] })
    }
    const v1 = await ask<{ code: string }>(faces, packages, {
      body: packageBody({ singlePointImportId }),
      token: faces.v1Tokens.demo,
    })
    expect([v1.status, v1.body.code]).toEqual([400, 'SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE'])
  })
})
