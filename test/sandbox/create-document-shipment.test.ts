import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countRows, type OpenSandbox, openSandbox, post, validationFailed } from './open-sandbox.ts'
import type { ErrorBody } from './sandbox-client.ts'
import {
  chargesOf,
  documentBody,
  documents,
  draftsOf,
  packageBody,
  packages,
  recipientAddress,
  type Shipment,
  type ShipmentBody,
} from './shipment-requests.ts'

let nowMs = Date.UTC(2025, 1, 3, 4, 5, 6, 7)
let sandbox: OpenSandbox
beforeAll(async () => {
  sandbox = await openSandbox(() => nowMs)
})
afterAll(() => sandbox.close())

async function create(facts: object = {}, asked: { language?: string; token?: string } = {}): Promise<Shipment> {
  const { status, text, body } = await post<ShipmentBody>(sandbox, documents, documentBody(facts), asked)
  expect(status, text).toBe(201)
  return body.data
}

const fail = (facts: object, asked = {}) => post<ErrorBody>(sandbox, documents, documentBody(facts), asked)

describe('the answer', () => {
  test('is 201 with the envelope and a Turkish message in every language', async () => {
    for (const language of ['tr', 'en']) {
      const { status, body } = await post<ShipmentBody>(sandbox, documents, documentBody(), { language })
      expect(status).toBe(201)
      expect(body).toEqual({ success: true, message: 'Gönderi oluşturuldu.', data: expect.any(Object) })
    }
  })

  test('has every member of the Shipment, Address and Package tables, in their order', async () => {
    const shipment = await create()
    const countryMembers = ['id', 'code', 'name', 'flags', 'phoneCode', 'isCarrierService', 'tax']
    const addressMembers = [
      ...['id', 'firstName', 'lastName', 'company', 'email', 'phone', 'state', 'city', 'zipCode'],
      ...['address1', 'address2', 'country'],
    ]
    expect(Object.keys(shipment)).toEqual([
      ...['id', 'barcode', 'trackingNumber', 'trackingUrl', 'description', 'comment', 'type', 'status'],
      ...['activityStatus', 'currency', 'exportCode', 'carrier', 'organization', 'singlePointImport'],
      ...['recipientAddress', 'senderAddress', 'billingAddress', 'referenceNumbers', 'taxIdentificationNumber'],
      ...['deliveryTaxType', 'previousTaxStatus', 'isGuarantee', 'isOutsource', 'customsAccountNumber'],
      ...['customsAccountZipCode', 'packages', 'products', 'createdAt', 'updatedAt'],
    ])
    for (const each of [shipment.recipientAddress, shipment.senderAddress]) {
      expect(Object.keys(each)).toEqual(addressMembers)
      expect(Object.keys(each.country)).toEqual(countryMembers)
    }
    expect(Object.keys(shipment.packages[0] ?? {})).toEqual([
      ...['id', 'desi', 'size', 'height', 'length', 'weight', 'trackingNumber', 'activityStatus'],
    ])
  })

  test('repeats the request, with carrier 1, one package of 0 x 0 x 0 cm and 0.5 kg, and null for all else', async () => {
    const shipment = await create({}, { language: 'en' })
    const { countryId, ...recipient } = recipientAddress()
    const waiting = { id: 1, slug: 'WAITING_FOR_CARRIER', name: 'Waiting for the carrier' }
    const trackingNumber = expect.stringMatching(/^NX\d{9}TR$/)
    expect(shipment).toEqual({
      id: expect.any(Number),
      barcode: expect.stringMatching(/^\d{12}$/),
      trackingNumber,
      trackingUrl: `https://carriers.example/track/express-saver/${shipment.trackingNumber}`,
      description: null,
      comment: null,
      type: { id: 2, slug: 'DOCUMENT', name: 'Document' },
      status: { id: 2, slug: 'GENERATED', name: 'Generated' },
      activityStatus: waiting,
      currency: null,
      exportCode: null,
      carrier: {
        id: 1,
        slug: 'EXPRESS_SAVER',
        name: 'Numune Express',
        service: 'Express Saver',
        logoUrl: 'https://carriers.example/express-saver.png',
      },
      organization: { id: 1, name: 'Demo Dış Ticaret A.Ş.' },
      singlePointImport: null,
      recipientAddress: {
        id: expect.any(Number),
        ...recipient,
        country: {
          id: countryId,
          code: 'DE',
          name: 'Germany',
          flags: { w20: 'https://flagcdn.com/w20/de.png', w40: 'https://flagcdn.com/w40/de.png' },
          phoneCode: '+49',
          isCarrierService: true,
          tax: { type: 'IOSS', maxValidPrice: 150 },
        },
      },
      senderAddress: expect.objectContaining({ id: 1, company: 'Demo Dış Ticaret A.Ş.', city: 'İstanbul' }),
      billingAddress: null,
      referenceNumbers: ['PO-1', ''],
      taxIdentificationNumber: 'DE000',
      deliveryTaxType: null,
      previousTaxStatus: null,
      isGuarantee: false,
      isOutsource: false,
      customsAccountNumber: null,
      customsAccountZipCode: null,
      packages: [
        {
          id: expect.any(Number),
          desi: 0,
          size: 0,
          height: 0,
          length: 0,
          weight: 0.5,
          trackingNumber,
          activityStatus: waiting,
        },
      ],
      products: [],
      createdAt: '2025-02-03T04:05:06.007Z',
      updatedAt: '2025-02-03T04:05:06.007Z',
    })
    expect(shipment.packages[0]?.trackingNumber).toBe(shipment.trackingNumber)
  })

  test('needs only a recipient with a country, a name, a phone and an address', async () => {
    const { countryId, firstName, lastName, phone, city, address1 } = recipientAddress()
    const body = { recipientAddress: { countryId, firstName, lastName, phone, city, address1 } }
    const { status, body: answer } = await post<ShipmentBody>(sandbox, documents, body)
    expect(status).toBe(201)
    expect(answer.data).toMatchObject({
      recipientAddress: { company: '', email: '', zipCode: '', state: '', address2: '' },
      referenceNumbers: [],
      taxIdentificationNumber: null,
    })
  })
})

describe('the store', () => {
  test('keeps the prices that the legacy interface answers, and has a charge and no draft', async () => {
    const before = countRows(sandbox)
    const shipment = await create({ recipientAddress: { ...recipientAddress('US'), zipCode: '99501' } })
    const row = sandbox.db.prepare('SELECT * FROM shipments WHERE id = ?').get(shipment.id)
    expect(row).toMatchObject({
      freightPriceHundredths: 3600,
      peakPriceHundredths: 0,
      remoteAreaPriceHundredths: 3000,
      isRecipientCompany: 1,
    })
    expect(chargesOf(sandbox, shipment.id)).toEqual([
      {
        id: expect.any(Number),
        organizationId: 1,
        amountHundredths: 3600 + 648 + 3000,
        createdAt: '2025-02-03T04:05:06.007Z',
        transactionId: shipment.id,
        trackingNumber: shipment.trackingNumber,
        typeId: 2,
        billingStatusId: 1,
        typeMask: '11001',
      },
    ])
    const after = countRows(sandbox)
    expect(after).toEqual({
      ...before,
      addresses: before.addresses + 1,
      shipments: before.shipments + 1,
      shipmentPackages: before.shipmentPackages + 1,
      charges: before.charges + 1,
    })
  })
})

describe('the sender address', () => {
  test("is the organization's first by default", async () => {
    for (const senderAddressId of [undefined, null]) {
      expect((await create({ senderAddressId })).senderAddress.id).toBe(1)
      const token = sandbox.tokens.other
      expect((await create({ senderAddressId }, { token })).senderAddress.id).toBe(2)
    }
  })

  test("that is another organization's, unknown, or a recipient's is 400 BAD_REQUEST, in Turkish", async () => {
    const { recipientAddress } = await create()
    for (const senderAddressId of [2, 999, Number.MAX_SAFE_INTEGER, recipientAddress.id]) {
      const { status, body } = await fail({ senderAddressId }, { language: 'en' })
      expect(status).toBe(400)
      expect(body).toEqual({
        success: false,
        code: 'BAD_REQUEST',
        message: 'Gönderici adresi kuruluşunuza ait değil.',
      })
    }
    const asOther = await fail({ senderAddressId: 1 }, { token: sandbox.tokens.other })
    expect([asOther.status, asOther.body.code]).toEqual([400, 'BAD_REQUEST'])
  })

  test('without tax information is 400 with candidates for city and county', async () => {
    const { status, body } = await fail({ senderAddressId: 3 }, { language: 'en' })
    expect(status).toBe(400)
    expect(Object.keys(body)).toEqual(['success', 'code', 'message', 'params'])
    expect(body).toEqual({
      success: false,
      code: 'SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED',
      message: 'Gönderici adresinin vergi bilgileri tamamlanmamış.',
      params: {
        options: {
          cities: [{ id: 6, name: 'Ankara' }],
          counties: expect.arrayContaining([{ id: expect.any(Number), name: 'Çankaya' }]),
        },
      },
    })
  })
})

describe('the rules of the recipient', () => {
  test('a country that does not exist or that no carrier serves is 422 at its field', async () => {
    for (const [countryId, message] of [
      [250, { tr: 'Böyle bir kayıt yok.', en: 'There is no such record.' }],
      [9, { tr: 'Bu ülkeye taşıma hizmeti yok.', en: 'Carriers do not go to this country.' }],
    ] as const) {
      for (const language of ['tr', 'en'] as const) {
        const { status, body } = await fail({ recipientAddress: { ...recipientAddress(), countryId } }, { language })
        expect(status).toBe(422)
        expect(body).toEqual(validationFailed(language, { 'recipientAddress.countryId': message[language] }))
      }
    }
  })
})

describe('a draft', () => {
  const drafts = () => draftsOf(sandbox)
  const newest = () => Number(drafts().at(-1)?.id)

  test('is left by a request that cannot be completed, and nothing else is stored', async () => {
    const before = countRows(sandbox)
    await fail({ senderAddressId: 2, taxIdentificationNumber: 'kept' })
    expect(countRows(sandbox)).toEqual({ ...before, shipmentDrafts: before.shipmentDrafts + 1 })
    expect(drafts().at(-1)).toMatchObject({
      organizationId: 1,
      typeId: 2,
      request: expect.stringContaining('"taxIdentificationNumber":"kept"'),
      createdAt: '2025-02-03T04:05:06.007Z',
    })
  })

  test('is reused by its id: it stays the only one while attempts fail, and then becomes the shipment', async () => {
    await fail({ senderAddressId: 2 })
    const [id, count] = [newest(), drafts().length]
    nowMs += 60_000
    await fail({ senderAddressId: 3, id, taxIdentificationNumber: 'second' })
    expect(drafts()).toHaveLength(count)
    expect(drafts().at(-1)).toMatchObject({
      id,
      request: expect.stringContaining('second'),
      createdAt: new Date(nowMs - 60_000).toISOString(),
      updatedAt: new Date(nowMs).toISOString(),
    })
    nowMs += 60_000
    const shipment = await create({ id })
    expect(shipment).toMatchObject({
      id,
      createdAt: new Date(nowMs - 120_000).toISOString(),
      updatedAt: new Date(nowMs).toISOString(),
    })
    expect(drafts()).toHaveLength(count - 1)
  })

  test("that is unknown, used up, another organization's or a package's is 400 and leaves none", async () => {
    const { id: usedUp } = await create()
    await fail({ senderAddressId: 1 }, { token: sandbox.tokens.other })
    const foreign = newest()
    await post(sandbox, packages, packageBody({ senderAddressId: 2 }))
    const ofPackage = newest()
    const before = drafts()
    for (const id of [1, usedUp, foreign, ofPackage, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await fail({ id }, { language: 'en' })
      expect(status).toBe(400)
      expect(body).toEqual({
        success: false,
        code: 'SHIPMENT_DRAFT_IS_NOT_FOUND',
        message: 'Gönderi taslağı bulunamadı.',
      })
    }
    expect(drafts()).toEqual(before)
  })
})
