import { beforeAll, describe, expect, test } from 'vitest'
import { type BothSides, startBothSides } from '../support/both-sides.ts'
import { expectSame } from '../support/compare-answers.ts'
import { failingInputs } from '../support/failing-inputs.ts'

/** Validation and writes, in the same order on both sides. Each side has its own store, and both start equal. */
let sides: BothSides
beforeAll(async () => {
  sides = await startBothSides()
})

const languages = ['tr', 'en'] as const
const GERMANY = 57

test.each(languages)('in %s, a destination is checked alike', async (language) => {
  const destinations = [
    { countryId: GERMANY },
    { countryId: GERMANY, city: 'Köln', zipCode: '50667', unknown: { a: [1] } },
    { countryId: GERMANY, city: null, zipCode: '' },
    { countryId: GERMANY, zipCode: 'SW1A 1AA', city: '12345' },
    { countryId: 999 },
    { countryId: '57' },
    { countryId: null },
    { countryId: 1.5, city: 5, zipCode: ['x'] },
    {},
  ]
  const differing = await failingInputs(destinations, async (body) =>
    expectSame(await sides.ask({ path: '/api/calculate/price/country/validate', body, language })),
  )
  expect(differing).toEqual([])
})

const recipientAddress = {
  countryId: GERMANY,
  firstName: 'Deneme',
  lastName: 'Alıcı',
  company: 'Örnek GmbH',
  email: 'alici@ornek.example',
  phone: '+4900000000',
  zipCode: '50667',
  state: 'NRW',
  city: 'Köln',
  address1: 'Musterweg 1',
  address2: '',
}
const document = { recipientAddress, referenceNumbers: ['PO-1', ''], isRecipientCompany: true, senderAddressId: 1 }
const noPrices = ['freightPrice', 'peakPrice', 'remoteAreaPrice', 'taxNumber', 'orderData']

describe.each(languages)('in %s, a document', (language) => {
  const create = (body: object, token: 'demo' | 'other' = 'demo') =>
    sides.ask({ path: '/api/consignment/document', body, language, token })

  test.each([
    document,
    { ...document, taxIdentificationNumber: 'DE000', organizationId: 7, typeId: 1, carrierId: 2 },
    { recipientAddress: { ...recipientAddress, typeId: 3, company: null }, senderAddressId: null },
  ])('is created: %j', async (body) => {
    const answers = await create(body)
    expect(answers.legacy.status).toBe(200)
    expectSame(answers, noPrices)
  })

  test('has the sender address of the client that creates it', async () => {
    expectSame(await create({ recipientAddress }, 'other'), noPrices)
  })

  test('is refused at the legacy fields', async () => {
    const bodies = [
      {},
      { ...document, recipientAddress: null },
      { ...document, recipientAddress: { ...recipientAddress, city: '', countryId: 999 } },
      { ...document, recipientAddress: { ...recipientAddress, company: '' } },
      { ...document, referenceNumbers: ['PO-1', 5] },
      { ...document, referenceNumbers: 'PO-1', isRecipientCompany: 'yes', senderAddressId: '1' },
    ]
    const differing = await failingInputs(bodies, async (body) => {
      const answers = await create(body)
      expect(answers.legacy.status).toBe(400)
      expectSame(answers)
    })
    expect(differing).toEqual([])
  })

  test.each([
    ['a sender address of someone else', { ...document, senderAddressId: 2 }],
    ['a sender address without tax information, with what can be chosen', { ...document, senderAddressId: 3 }],
    ['a draft that there is not', { ...document, id: 99_999 }],
  ])('is refused for %s', async (_, body) => {
    const answers = await create(body)
    expect(answers.legacy.status).toBe(406)
    expectSame(answers)
  })
})

describe.each(languages)('in %s, an import', (language) => {
  const path = '/api/single/point/import'
  const create = (body: object) => sides.ask({ path, body, language })
  const complete = (body: object) => sides.ask({ path: `${path}/complete`, body, language })
  const lost = ['senderAddress', 'createdAt']

  test('is created, completed once, and not found when completed again', async () => {
    const body = { name: `Import ${language}`, shipmentId: 'GCCN-1', senderAddressId: 3, organizationId: 7 }
    const created = await create(body)
    expectSame(created, lost)
    expectSame(await create(body))
    const { id } = created.legacy.body as { readonly id: number }
    expectSame(await complete({ id: String(id), organizationId: 7 }))
    const again = await complete({ id })
    expect(again.legacy.status).toBe(406)
    expectSame(again)
    // The wording is the same too, although v1's own text says that it was completed before.
    expect(again.gateway.body).toEqual(again.legacy.body)
  })

  test('is a 500 when its charge fails, and its name stays free', async () => {
    const name = `Charged ${language}`
    const failed = await create({ name, shipmentId: 'CHARGE-FAILS-1' })
    expect(failed.legacy.status).toBe(500)
    expectSame(failed)
    expectSame(await create({ name, shipmentId: 'GCCN-1' }), lost)
  })

  test('is not created of too little, of wrong types, or for the address of another', async () => {
    const bodies = [
      {},
      { name: 'x' },
      { name: 5, shipmentId: null },
      { name: '', shipmentId: 'x'.repeat(65), senderAddressId: 0 },
      { name: `Foreign ${language}`, shipmentId: 'x', senderAddressId: 2 },
    ]
    expect(await failingInputs(bodies, async (body) => expectSame(await create(body)))).toEqual([])
  })

  test('is not completed by anything but the id of one that there is', async () => {
    const ids = [
      ...['../../finance/invoices', '1?x=1', '%2e%2e', true, 1.5, 0, -1, null, '', ' 1', '01', [1], { id: 1 }],
      ...[99_999, '99999', '9007199254740992', '1'.repeat(30)],
    ]
    const bodies = [{}, ...ids.map((id) => ({ id }))]
    expect(await failingInputs(bodies, async (body) => expectSame(await complete(body)))).toEqual([])
  })
})
