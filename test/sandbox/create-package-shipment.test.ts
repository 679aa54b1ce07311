import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countRows, type OpenSandbox, openSandbox, post, validationFailed } from './open-sandbox.ts'
import type { ErrorBody } from './sandbox-client.ts'
import {
  chargesOf,
  countyId,
  documentBody,
  documents,
  draftsOf,
  imports,
  istanbul,
  newSenderAddress,
  packageBody,
  packages,
  product,
  recipientAddress,
  type Shipment,
  type ShipmentBody,
} from './shipment-requests.ts'

const createdAt = '2025-02-03T04:05:06.007Z'
let sandbox: OpenSandbox
let kadikoy: { id: number; name: string }
beforeAll(async () => {
  sandbox = await openSandbox(() => Date.parse(createdAt))
  kadikoy = { id: countyId(sandbox, istanbul.id, 'Kadıköy'), name: 'Kadıköy' }
})
afterAll(() => sandbox.close())

async function create(facts: object = {}, asked: { language?: string; token?: string } = {}): Promise<Shipment> {
  const { status, text, body } = await post<ShipmentBody>(sandbox, packages, packageBody(facts), asked)
  expect(status, text).toBe(201)
  return body.data
}

type Refused = ErrorBody & { params?: { options: { cities: object[]; counties: object[] } } }
const fail = (facts: object, asked = {}) => post<Refused>(sandbox, packages, packageBody(facts), asked)

describe('the answer', () => {
  test('is 201 with the envelope and a Turkish message in every language', async () => {
    for (const language of ['tr', 'en']) {
      const { status, body } = await post<ShipmentBody>(sandbox, packages, packageBody(), { language })
      expect(status).toBe(201)
      expect(body).toEqual({ success: true, message: 'Gönderi oluşturuldu.', data: expect.any(Object) })
    }
  })

  test('has the members of a document shipment, and those of the Product table, in their order', async () => {
    const ofDocument = await post<ShipmentBody>(sandbox, documents, documentBody())
    const shipment = await create()
    expect(Object.keys(shipment)).toEqual(Object.keys(ofDocument.body.data))
    expect(Object.keys(shipment.billingAddress ?? {})).toEqual(Object.keys(shipment.recipientAddress))
    expect(Object.keys(shipment.products[0] ?? {})).toEqual([
      ...['id', 'hsCode', 'description', 'piece', 'unitPrice', 'unitOfMeasure', 'originCountry'],
    ])
    expect(shipment).not.toHaveProperty('orderData')
    expect(shipment.currency).not.toHaveProperty('updatedAt')
  })

  test('repeats the request', async () => {
    const shipment = await create({}, { language: 'en' })
    expect(shipment).toMatchObject({
      barcode: expect.stringMatching(/^\d{12}$/),
      trackingNumber: expect.stringMatching(/^NP\d{9}TR$/),
      trackingUrl: `https://carriers.example/track/express-plus/${shipment.trackingNumber}`,
      description: 'Tekstil',
      comment: 'Kapıya bırakmayın',
      type: { id: 1, slug: 'PACKAGE', name: 'Package' },
      status: { id: 2, slug: 'GENERATED', name: 'Generated' },
      carrier: { id: 2, slug: 'EXPRESS_PLUS', service: 'Express Plus' },
      organization: { id: 1, name: 'Demo Dış Ticaret A.Ş.' },
      singlePointImport: null,
      recipientAddress: { city: 'Köln', country: { code: 'DE', name: 'Germany' } },
      senderAddress: { id: 1, country: { code: 'TR' } },
      billingAddress: { city: 'Köln', country: { code: 'FR', name: 'France' } },
      referenceNumbers: ['PO-1'],
      taxIdentificationNumber: 'DE000',
      deliveryTaxType: 1,
      previousTaxStatus: 0,
      isGuarantee: false,
      isOutsource: false,
      customsAccountNumber: 'CA-1',
      customsAccountZipCode: '50667',
      createdAt,
      updatedAt: createdAt,
    })
    expect(Object.keys(shipment.currency ?? {})).toEqual(['id', 'code', 'name'])
    expect(Object.keys(shipment.exportCode ?? {})).toEqual(['id', 'code', 'name'])
    expect(shipment.products).toEqual([
      {
        id: expect.any(Number),
        hsCode: '620520',
        description: 'Gömlek',
        piece: 3,
        unitPrice: 12.35,
        unitOfMeasure: { id: expect.any(Number), code: 'C62', name: expect.any(String) },
        originCountry: { id: expect.any(Number), code: 'TR', name: 'Türkiye' },
      },
    ])
  })

  test('has names of type, status, country, unit and origin in the requested language', async () => {
    const products = [{ ...product, originCountryCode: 'GB', unitOfMeasureCode: 'INH' }]
    const [turkish, english] = [await create({ products }), await create({ products }, { language: 'en' })]
    const namesOf = ({ type, status, activityStatus, recipientAddress, products }: Shipment) => [
      ...[type.name, status.name, activityStatus.name, recipientAddress.country.name],
      ...products.flatMap(({ unitOfMeasure, originCountry }) => [unitOfMeasure.name, originCountry.name]),
    ]
    expect(namesOf(english).slice(0, 4)).toEqual(['Package', 'Generated', 'Waiting for the carrier', 'Germany'])
    expect(namesOf(english)).toContain('United Kingdom')
    expect(namesOf(turkish).slice(0, 4)).toEqual(['Paket', 'Oluşturuldu', 'Taşıyıcıya teslim bekleniyor', 'Almanya'])
    expect(namesOf(turkish)).toContain('Birleşik Krallık')
    expect(namesOf(turkish)[4]).not.toBe(namesOf(english)[4])
  })

  test('has null or an empty string for omitted members', async () => {
    const {
      recipientAddress,
      packages: rows,
      description,
      carrierId,
      currencyId,
      exportCodeId,
      products,
    } = packageBody()
    const { countryId, firstName, lastName, phone, city, address1 } = recipientAddress
    const body = {
      recipientAddress: { countryId, firstName, lastName, phone, city, address1 },
      ...{ packages: rows, description, carrierId, currencyId, exportCodeId, products },
    }
    const reply = await post<ShipmentBody>(sandbox, packages, body)
    expect(reply.status, reply.text).toBe(201)
    expect(reply.body.data).toMatchObject({
      comment: null,
      billingAddress: null,
      singlePointImport: null,
      referenceNumbers: [],
      taxIdentificationNumber: null,
      deliveryTaxType: null,
      customsAccountNumber: null,
      customsAccountZipCode: null,
      senderAddress: { id: 1 },
      recipientAddress: { company: '', zipCode: '' },
    })
  })
})

describe('packages', () => {
  test('have a row, a desi and a tracking number of their own for every piece', async () => {
    const shipment = await create({
      packages: [
        { length: 50, size: 40, height: 30, weight: 5.5, piece: 3 },
        { length: 33.33, size: 20, height: 10, weight: 0.1 + 0.2 },
      ],
    })
    expect(shipment.packages.map(({ desi, weight }) => [desi, weight])).toEqual([
      [12, 5.5],
      [12, 5.5],
      [12, 5.5],
      [1.33, 0.3],
    ])
    const numbers = shipment.packages.map(({ trackingNumber }) => trackingNumber)
    expect(new Set(numbers).size).toBe(4)
    expect(shipment.trackingNumber).toBe(numbers[0])
    expect(new Set(shipment.packages.map(({ id }) => id)).size).toBe(4)
  })

  test('must not be empty, nor must products: 422 at both', async () => {
    for (const [language, message] of [
      ['tr', 'Bu alan boş olamaz.'],
      ['en', 'This field must not be empty.'],
    ] as const) {
      const { status, body } = await fail({ packages: [], products: [] }, { language })
      expect(status).toBe(422)
      expect(body).toEqual(validationFailed(language, { packages: message, products: message }))
    }
  })

  test('can be 100 rows, with 1000 products, and no more', async () => {
    const row = { length: 1, size: 1, height: 1, weight: 1 }
    const shipment = await create({ packages: Array(100).fill(row), products: Array(1000).fill(product) })
    expect([shipment.packages.length, shipment.products.length]).toEqual([100, 1000])
    const { body } = await fail({ packages: Array(101).fill(row), products: Array(1001).fill(product) })
    expect(body.errors?.map((error) => error.path)).toEqual(['packages', 'products'])
  })
})

describe('the store', () => {
  test('keeps members that no answer of v1 has, and has one charge for all pieces', async () => {
    const shipment = await create({ packages: [{ length: 30, size: 20, height: 130, weight: 2, piece: 2 }] })
    expect(sandbox.db.prepare('SELECT * FROM shipments WHERE id = ?').get(shipment.id)).toMatchObject({
      taxNumber: '0009998887',
      isRecipientCompany: 0,
      freightHundredths: 1010,
      discountHundredths: 0,
      otherHundredths: 50,
      freightPriceHundredths: 2 * (2600 + 32 * 600),
      peakPriceHundredths: 0,
      remoteAreaPriceHundredths: 0,
    })
    expect(chargesOf(sandbox, shipment.id)).toEqual([
      {
        id: expect.any(Number),
        organizationId: 1,
        amountHundredths: 43_600 + 7848 + 5000,
        createdAt,
        transactionId: shipment.id,
        trackingNumber: shipment.trackingNumber,
        typeId: 1,
        billingStatusId: 1,
        typeMask: '11100',
      },
    ])
  })
})

describe('the reference lists', () => {
  const unknown = { tr: 'Böyle bir kayıt yok.', en: 'There is no such record.' }
  const products = (facts: object) => ({ products: [product, { ...product, ...facts }] })

  test('must contain the codes and ids of a request: else 422 at each', async () => {
    const nowhere = { ...recipientAddress(), countryId: 250 }
    const facts = {
      ...{ currencyId: 99_999, exportCodeId: 99_999, recipientAddress: nowhere, billingAddress: nowhere },
      ...products({ unitOfMeasureCode: "' OR 1", originCountryCode: 'XX' }),
    }
    const paths = [
      ...['recipientAddress.countryId', 'currencyId', 'exportCodeId'],
      ...['products[1].unitOfMeasureCode', 'products[1].originCountryCode', 'billingAddress.countryId'],
    ]
    for (const language of ['tr', 'en'] as const) {
      const { status, body } = await fail(facts, { language })
      expect(status).toBe(422)
      expect(body).toEqual({
        ...validationFailed(language, {}),
        errors: expect.toSatisfy((errors: readonly { path: string; message: string }[]) => {
          expect(errors.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())
          return errors.every(({ message }) => message === unknown[language])
        }),
      })
    }
  })
})

describe('fields that require each other', () => {
  const required = { tr: 'Bu alan zorunludur.', en: 'This field is required.' }

  test('are 422 at the missing one', async () => {
    const company = { isRecipientCompany: true, recipientAddress: { ...recipientAddress(), company: '' } }
    for (const [path, facts] of [
      ['customsAccountZipCode', { customsAccountZipCode: undefined }],
      ['customsAccountZipCode', { customsAccountZipCode: '' }],
      ['billingAddress', { billingAddress: null }],
      ['recipientAddress.company', company],
    ] as const) {
      for (const language of ['tr', 'en'] as const) {
        const { status, body } = await fail(facts, { language })
        expect(status).toBe(422)
        expect(body).toEqual(validationFailed(language, { [path]: required[language] }))
      }
    }
  })
})

test('an unknown carrier is 400 and leaves a draft', async () => {
  const before = countRows(sandbox)
  const { status, body } = await fail({ carrierId: 5 }, { language: 'en' })
  expect(status).toBe(400)
  expect(body).toEqual({ success: false, code: 'CARRIER_IS_NOT_FOUND', message: 'Taşıyıcı bulunamadı.' })
  expect(countRows(sandbox)).toEqual({ ...before, shipmentDrafts: before.shipmentDrafts + 1 })
})

test('a sender address of another organization is 400 and leaves a draft', async () => {
  const before = countRows(sandbox)
  const { status, body } = await fail({ senderAddressId: 2 })
  expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
  expect(countRows(sandbox)).toEqual({ ...before, shipmentDrafts: before.shipmentDrafts + 1 })
})

test('a draft is reused by its id, for a package only', async () => {
  await fail({ carrierId: 99 })
  const draft = draftsOf(sandbox).at(-1)
  const id = Number(draft?.id)
  expect(draft).toMatchObject({ organizationId: 1, typeId: 1 })
  expect((await post<ErrorBody>(sandbox, documents, documentBody({ id }))).body.code).toBe(
    'SHIPMENT_DRAFT_IS_NOT_FOUND',
  )
  const asOther = await fail({ id, senderAddressId: 2 }, { token: sandbox.tokens.other })
  expect([asOther.status, asOther.body.code]).toEqual([400, 'SHIPMENT_DRAFT_IS_NOT_FOUND'])
  expect((await create({ id })).id).toBe(id)
  expect(draftsOf(sandbox).some((each) => each.id === id)).toBe(false)
  expect((await fail({ id })).body.code).toBe('SHIPMENT_DRAFT_IS_NOT_FOUND')
})

describe('newSenderAddress', () => {
  const withNew = (facts: object = {}) => ({
    senderAddressId: undefined,
    newSenderAddress: newSenderAddress(kadikoy, facts),
  })

  test('is stored as a sender address of the organization, and can be used again', async () => {
    const { senderAddress } = await create(withNew())
    expect(senderAddress).toMatchObject({
      firstName: 'Yeni',
      company: 'Taslak Ltd. Şti.',
      state: 'Kadıköy',
      city: 'İstanbul',
      zipCode: '34000',
      address1: 'Taslak Sokak 5',
      country: { code: 'TR' },
    })
    expect((await create({ senderAddressId: senderAddress.id })).senderAddress).toEqual(senderAddress)
    const asOther = await fail({ senderAddressId: senderAddress.id }, { token: sandbox.tokens.other })
    expect(asOther.body.code).toBe('BAD_REQUEST')
  })

  test('is 422 where the place does not exist, and leaves no draft', async () => {
    const before = countRows(sandbox)
    const unknown = { tr: 'Böyle bir kayıt yok.', en: 'There is no such record.' }
    const elsewhere = { tr: 'Şehir ilçeyle eşleşmiyor.', en: 'The city does not match the county.' }
    const abroad = sandbox.db.prepare("SELECT id FROM cities WHERE countryCode = 'DE' LIMIT 1").get()
    for (const [path, facts, message] of [
      ['newSenderAddress.city', { city: { id: 6, name: 'Ankara' } }, elsewhere],
      ['newSenderAddress.city.id', { city: abroad }, unknown],
      ['newSenderAddress.county.id', { county: { id: 99_999 } }, unknown],
    ] as const) {
      for (const language of ['tr', 'en'] as const) {
        const { status, body } = await fail(withNew(facts), { language })
        expect(status).toBe(422)
        expect(body).toEqual(validationFailed(language, { [path]: message[language] }))
      }
    }
    expect(countRows(sandbox)).toEqual(before)
  })

  test('without tax information of its type is 400 with city and county candidates', async () => {
    for (const facts of [
      { taxType: undefined },
      { taxType: 3 },
      { taxType: 2, taxNumber: '' },
      { taxType: 1, tcNo: null },
    ]) {
      const before = countRows(sandbox)
      const { status, body } = await fail(withNew(facts), { language: 'en' })
      expect(status).toBe(400)
      expect(body).toMatchObject({
        success: false,
        code: 'SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED',
        message: 'Gönderici adresinin vergi bilgileri tamamlanmamış.',
      })
      expect(body.params?.options.cities).toEqual([istanbul])
      expect(body.params?.options.counties).toHaveLength(39)
      expect(body.params?.options.counties).toContainEqual(kadikoy)
      expect(countRows(sandbox)).toEqual({ ...before, shipmentDrafts: before.shipmentDrafts + 1 })
    }
    await create(withNew({ taxType: 1, tcNo: '00000000001', taxNumber: undefined }))
    await create(withNew({ taxType: 2, tcNo: undefined }))
  })

  test('is not stored when the shipment cannot be completed', async () => {
    const before = countRows(sandbox)
    expect((await fail({ ...withNew(), singlePointImportId: 999 })).status).toBe(400)
    expect(countRows(sandbox)).toEqual({ ...before, shipmentDrafts: before.shipmentDrafts + 1 })
  })
})

describe('singlePointImportId', () => {
  async function newImport(name: string): Promise<{ id: number; name: string; carrierShipmentId: string }> {
    const body = { name, carrierShipmentId: 'GCCN-7' }
    return (await post<{ data: { id: number; name: string; carrierShipmentId: string } }>(sandbox, imports, body)).body
      .data
  }

  test('of an open import is answered with the whole import, which stays open', async () => {
    const used = await newImport('open')
    expect((await create({ singlePointImportId: used.id })).singlePointImport).toEqual(used)
    expect((await create({ singlePointImportId: used.id })).singlePointImport).toEqual(used)
  })

  test('of a completed import is 400 with its code, and leaves a draft', async () => {
    const { id } = await newImport('completed')
    await post(sandbox, `${imports}/${id}/complete`, undefined)
    const before = countRows(sandbox)
    const { status, body } = await fail({ singlePointImportId: id }, { language: 'en' })
    expect(status).toBe(400)
    expect(body).toEqual({
      success: false,
      code: 'SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE',
      message: 'Tek noktadan ithalat daha önce tamamlanmış.',
    })
    expect(countRows(sandbox)).toEqual({ ...before, shipmentDrafts: before.shipmentDrafts + 1 })
  })

  test("of an unknown import, or another organization's, is 400 with a code", async () => {
    const { id } = await newImport('foreign')
    const notFound = {
      success: false,
      code: 'SINGLE_POINT_IMPORT_IS_NOT_FOUND',
      message: 'Tek noktadan ithalat bulunamadı.',
    }
    expect((await fail({ singlePointImportId: 999 })).body).toEqual(notFound)
    const asOther = await fail({ singlePointImportId: id, senderAddressId: 2 }, { token: sandbox.tokens.other })
    expect([asOther.status, asOther.body]).toEqual([400, notFound])
  })
})
