import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countRows } from '../open-sandbox.ts'
import { documentBody, recipientAddress } from '../shipment-requests.ts'
import { type LegacyError, languages, violates } from './legacy-client.ts'
import { type OpenFaces, openFaces } from './open-faces.ts'

interface Document {
  id: number
  trackingNumber: string
  packages: { id: number; trackingNumber: string }[]
  senderAddress: { id: number }
  type: { name: string }
}

const path = '/api/consignment/document'
let faces: OpenFaces
beforeAll(async () => {
  faces = await openFaces(() => Date.parse('2025-11-03T04:05:06.789Z'))
  faces.db.prepare('UPDATE tokens SET expiresAtMs = ?').run(Number.MAX_SAFE_INTEGER)
})
afterAll(() => faces.close())

const create = (facts: object = {}, asked: { language?: string; token?: string } = {}) =>
  faces.ask<Document>(path, { body: documentBody(facts), ...asked })

/** The members of docs/contract.md 7.3. Any other member fails the test. */
const record = (type: string, status: string, activity: string, country: string, home: string) => ({
  id: expect.any(Number),
  type: { id: 2, slug: 'DOCUMENT', name: type },
  status: { id: 2, slug: 'GENERATED', name: status },
  createdAt: '2025-11-03T04:05:06+00:00',
  updatedAt: '2025-11-03T04:05:06+00:00',
  trackingNumber: expect.stringMatching(/^NX\d{9}TR$/),
  barcode: expect.stringMatching(/^\d{12}$/),
  trackingUrl: expect.stringContaining('https://carriers.example/track/express-saver/NX'),
  packages: [
    {
      id: expect.any(Number),
      desi: 0,
      trackingNumber: expect.stringMatching(/^NX\d{9}TR$/),
      activityStatus: { id: 1, slug: 'WAITING_FOR_CARRIER', name: activity },
    },
  ],
  recipientAddress: {
    id: expect.any(Number),
    firstName: 'Deneme',
    lastName: 'Alıcı',
    company: 'Örnek GmbH',
    country: { id: 57, code: 'DE', name: country },
  },
  senderAddress: {
    id: 1,
    firstName: 'Demo',
    lastName: 'Gönderici',
    company: 'Demo Dış Ticaret A.Ş.',
    country: { id: 225, code: 'TR', name: home },
  },
  organization: { id: 1, name: 'Demo Dış Ticaret A.Ş.' },
  carrier: { id: 1, name: 'Numune Express', service: 'Express Saver', slug: 'EXPRESS_SAVER' },
  freightPrice: 22.5,
  peakPrice: 2.25,
  remoteAreaPrice: 0,
  referenceNumbers: ['PO-1', ''],
  isGuarantee: false,
  isOutsource: false,
  products: [],
  currency: null,
  taxNumber: null,
  taxIdentificationNumber: 'DE000',
  billingAddress: null,
  orderData: null,
  comment: null,
  singlePointImport: null,
  customsAccountNumber: null,
})

test('is answered with 200 and exactly the record, in the requested language', async () => {
  const [turkish, english] = [await create(), await create({}, { language: 'en' })]
  expect([turkish.status, english.status]).toEqual([200, 200])
  expect(turkish.body).toEqual(record('Doküman', 'Oluşturuldu', 'Taşıyıcıya teslim bekleniyor', 'Almanya', 'Türkiye'))
  expect(english.body).toEqual(record('Document', 'Generated', 'Waiting for the carrier', 'Germany', 'Türkiye'))
})

test('needs only the required members: the sender is then the first of the organization', async () => {
  const { senderAddressId: _, ...body } = documentBody()
  for (const [token, id] of [
    [faces.tokens.demo, 1],
    [faces.tokens.other, 2],
  ] as const) {
    const reply = await faces.ask<Document>(path, { body, token })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body.senderAddress.id).toBe(id)
  }
})

test('with a sender address of another organization is 406 and leaves a draft', async () => {
  const message = {
    tr: 'Gönderici adresi kuruluşunuza ait değil.',
    en: 'The sender address does not belong to your organization.',
  }
  for (const language of languages) {
    const before = countRows(faces)
    const reply = await faces.ask<LegacyError>(path, { body: documentBody({ senderAddressId: 2 }), language })
    expect(reply.status).toBe(406)
    expect(reply.body).toEqual({ message: message[language] })
    expect(countRows(faces)).toEqual({ ...before, shipmentDrafts: before.shipmentDrafts + 1 })
  }
})

test('with a sender whose tax information is missing is 406 and lists the candidates', async () => {
  const message = {
    tr: 'Gönderici adresinin vergi bilgileri tamamlanmamış.',
    en: 'Sender address tax information is not completed.',
  }
  for (const language of languages) {
    const reply = await faces.ask<LegacyError>(path, { body: documentBody({ senderAddressId: 3 }), language })
    expect(reply.status).toBe(406)
    expect(reply.body).toEqual({
      message: message[language],
      params: { options: { cities: [{ id: 6, name: 'Ankara' }], counties: expect.any(Array) } },
    })
  }
})

describe('a draft', () => {
  test('is reused by its id, and becomes the shipment', async () => {
    const before = countRows(faces)
    await create({ senderAddressId: 3 })
    const draftId = Number(faces.db.prepare('SELECT max(id) AS id FROM shipmentDrafts').get()?.id)
    const { status, body } = await create({ id: draftId })
    expect(status).toBe(200)
    expect(body.id).toBe(draftId)
    expect(countRows(faces).shipmentDrafts).toBe(before.shipmentDrafts)
  })

  test('that is unknown is 406', async () => {
    const reply = await faces.ask(path, { body: documentBody({ id: 99_999_999 }), language: 'en' })
    expect(reply.status).toBe(406)
    expect(reply.body).toEqual({ message: 'Shipment draft is not found.' })
  })
})

test('with violations is 400, all of them at once, and nothing is stored', async () => {
  const before = countRows(faces)
  const required = { tr: 'Bu alan zorunludur.', en: 'This field is required.' }
  const { firstName: _, ...withoutName } = recipientAddress('AQ')
  const recipient = { ...withoutName, company: '', phone: 1 }
  const message = { tr: 'Tek bir metin olmalıdır.', en: 'Must be a single string.' }
  const notServed = { tr: 'Bu ülkeye taşıma hizmeti yok.', en: 'Carriers do not go to this country.' }
  for (const language of languages) {
    const reply = await faces.ask<LegacyError>(path, { body: documentBody({ recipientAddress: recipient }), language })
    expect(reply.status).toBe(400)
    expect(reply.body).toEqual(
      violates(language, {
        'recipientAddress.firstName': required[language],
        'recipientAddress.phone': message[language],
        'recipientAddress.countryId': notServed[language],
        'recipientAddress.company': required[language],
      }),
    )
  }
  expect(countRows(faces)).toEqual(before)
})
