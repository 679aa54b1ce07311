import { beforeAll, describe, expect, test } from 'vitest'
import { type BothSides, startBothSides } from '../support/both-sides.ts'
import { expectSame } from '../support/compare-answers.ts'
import { failingInputs } from '../support/failing-inputs.ts'

/** Prices and package shipments, asked in the same order of both sides. */
let sides: BothSides
beforeAll(async () => {
  sides = await startBothSides()
})

const languages = ['tr', 'en'] as const
const row = { length: 30, size: 20, height: 10, weight: 2.5, piece: 2 }

interface Quote {
  readonly packages: readonly object[]
}

/** A declared loss within lists: null in the gateway's answer. */
function withoutPerimeters(quotes: unknown): unknown {
  return (quotes as readonly Quote[]).map((quote) => ({
    ...quote,
    packages: quote.packages.map((each) => {
      expect(each).toHaveProperty('perimeter')
      return { ...each, perimeter: null }
    }),
  }))
}

describe.each(languages)('in %s, a price', (language) => {
  const ask = (body: object) => sides.ask({ path: '/api/calculate/price', body, language })

  test('is quoted', async () => {
    const bodies = [
      { countryId: 57, packages: [row] },
      {
        countryId: 57,
        packages: [
          { id: 7, ...row },
          { id: 'b', ...row, weight: 40, length: 200 },
        ],
      },
      {
        ...{ countryId: 57, carrierId: 2, city: null, zipCode: null, date: null },
        packages: [{ ...row, id: null, piece: null }],
      },
      { countryId: 57, zipCode: '99123', city: 'Uzak', date: '2025-12-01', packages: [row], unknown: [null] },
    ]
    const differing = await failingInputs(bodies, async (body) => {
      const answers = await ask(body)
      expect(answers.legacy.status).toBe(200)
      expectSame({ ...answers, legacy: { ...answers.legacy, body: withoutPerimeters(answers.legacy.body) } })
    })
    expect(differing).toEqual([])
  })

  test('is refused alike', async () => {
    const bodies = [
      {},
      { countryId: 57, packages: [] },
      { countryId: 999, packages: [row] },
      { countryId: 57, packages: [row, { ...row, weight: -1 }, 5] },
      { countryId: '57', packages: 'none' },
      { countryId: 57, carrierId: 99, packages: [row] },
    ]
    const differing = await failingInputs(bodies, async (body) => {
      const answers = await ask(body)
      expect(answers.legacy.status).toBeGreaterThanOrEqual(400)
      expectSame(answers)
    })
    expect(differing).toEqual([])
  })
})

const recipientAddress = {
  countryId: 57,
  firstName: 'Deneme',
  lastName: 'Alıcı',
  email: 'alici@ornek.example',
  phone: '+4900000000',
  zipCode: '50667',
  state: 'NRW',
  city: 'Köln',
  address1: 'Musterweg 1',
}
const product = (code: string, more: object = {}) => ({
  hsCode: '610910',
  description: 'Tişört',
  piece: 3,
  unitPrice: 12.5,
  unitOfMeasure: { code, name: 'Adet' },
  originCountryCode: 'TR',
  ...more,
})
const shipment = {
  recipientAddress,
  packages: [row, { ...row, piece: 1 }],
  description: 'Tekstil',
  carrierId: 1,
  currencyId: 146,
  exportCodeId: 1,
  products: [product('C62'), product('KGM', { unitPrice: 0.1 })],
  referenceNumbers: ['PO-1'],
}

describe('a package shipment', () => {
  // In English, legacy keeps Turkish names of types, statuses and countries, but v1 follows the language
  // (docs/contract.md 6.5).
  const create = (body: object, language = 'tr') =>
    sides.ask({ path: '/api/consignment/package/advance', body, language })

  test.each([
    shipment,
    { ...shipment, organizationId: 1, typeId: 2, comment: 'Kırılır', senderAddressId: 1, currencyId: 47 },
    { ...shipment, isDiffBillingAddress: true, billingAddress: { ...recipientAddress, firstName: 'Fatura' } },
  ])('with two products is created: %j', async (body) => {
    const answers = await create(body)
    expect(answers.legacy.status).toBe(200)
    expectSame(answers, ['orderData'])
  })

  test('can use an import once; afterwards the import is completed', async () => {
    const created = await sides.ask({
      path: '/api/single/point/import',
      body: { name: 'Haziran', shipmentId: 'GCCN-1' },
    })
    const { id } = created.legacy.body as { readonly id: number }
    const answers = await create({ ...shipment, singlePointImportId: id })
    expect(answers.legacy.body).toMatchObject({ singlePointImport: { shipmentId: 'GCCN-1' } })
    expectSame(answers, ['orderData'])
    expectSame(await sides.ask({ path: '/api/single/point/import/complete', body: { id } }))
    for (const language of languages) {
      const refused = await create({ ...shipment, singlePointImportId: id }, language)
      expect(refused.legacy.status).toBe(406)
      expectSame(refused)
      expect(refused.gateway.body).toEqual(refused.legacy.body)
    }
  })

  test.each(languages)('is refused at the legacy fields, in %s', async (language) => {
    const bodies = [
      {},
      { ...shipment, products: [], packages: [] },
      { ...shipment, products: [product('C62'), product('NONE'), { ...product('C62'), unitOfMeasure: {} }] },
      { ...shipment, recipientAddress: { ...recipientAddress, city: '', countryId: 999 } },
      { ...shipment, customsAccountNumber: '1' },
      { ...shipment, currencyId: 'TRY', freight: 'x', isRecipientCompany: 1 },
    ]
    expect(await notRefusedAlike(400, bodies, language)).toEqual([])
  })

  test.each(languages)('is refused by a business rule, in %s', async (language) => {
    const bodies = [
      { ...shipment, carrierId: 99 },
      { ...shipment, senderAddressId: 2 },
      { ...shipment, senderAddressId: 3 },
      { ...shipment, singlePointImportId: 99_999 },
      { ...shipment, id: 99_999 },
    ]
    expect(await notRefusedAlike(406, bodies, language)).toEqual([])
  })

  const notRefusedAlike = (status: number, bodies: readonly object[], language: string): Promise<readonly string[]> =>
    failingInputs(bodies, async (body) => {
      const answers = await create(body, language)
      expect(answers.legacy.status).toBe(status)
      expectSame(answers)
    })
})
