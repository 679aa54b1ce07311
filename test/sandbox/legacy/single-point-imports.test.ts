import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countRows } from '../open-sandbox.ts'
import { ask } from '../sandbox-client.ts'
import { imports } from '../shipment-requests.ts'
import { type LegacyError, languages, notFoundImport, unexpected, violates } from './legacy-client.ts'
import { type OpenFaces, openFaces } from './open-faces.ts'

const path = '/api/single/point/import'
const complete = '/api/single/point/import/complete'
let faces: OpenFaces
beforeAll(async () => {
  faces = await openFaces(() => Date.parse('2025-02-03T04:05:06.789Z'))
  faces.db.prepare('UPDATE tokens SET expiresAtMs = ?').run(Number.MAX_SAFE_INTEGER)
})
afterAll(() => faces.close())

let names = 0
const body = (facts: object = {}) => ({ name: `Import ${++names}`, shipmentId: 'GCCN-1', ...facts })

async function create(facts: object = {}) {
  const reply = await faces.ask<{ id: number; name: string }>(path, { body: body(facts) })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

describe('creating', () => {
  test('is 200 with the record itself, its sender address and time', async () => {
    for (const language of languages) {
      const reply = await faces.ask(path, { body: body({ name: `Record ${language}`, senderAddressId: 3 }), language })
      expect(reply.status).toBe(200)
      expect(reply.body).toEqual({
        id: expect.any(Number),
        name: `Record ${language}`,
        shipmentId: 'GCCN-1',
        senderAddress: {
          id: 3,
          firstName: 'Demo',
          lastName: 'Gönderici',
          company: '',
          email: '',
          phone: '+900000000003',
          state: 'Çankaya',
          city: 'Ankara',
          zipCode: '06420',
          address1: 'Taslak Bulvarı 3',
          address2: '',
          country: {
            id: 225,
            code: 'TR',
            name: 'Türkiye',
            phoneCode: '+90',
            isCarrierService: true,
            taxType: 'NONE',
            taxMaxValidPrice: 0,
            flagW20: 'https://flagcdn.com/w20/tr.png',
            flagW40: 'https://flagcdn.com/w40/tr.png',
          },
        },
        createdAt: '2025-02-03T04:05:06+00:00',
      })
    }
  })

  test('without a sender address uses the first of the organization', async () => {
    expect(await create({ senderAddressId: null })).toMatchObject({ senderAddress: { id: 1 } })
  })

  test('under a name in use is 400 at name, even if v1 used it, but not if another organization did', async () => {
    const alreadyUsed = { tr: 'Bu değer zaten kullanılıyor.', en: 'This value is already in use.' }
    const token = faces.v1Tokens
    await create({ name: 'Used in legacy' })
    await ask(faces, imports, { body: { name: 'Used in v1', carrierShipmentId: 'x' }, token: token.demo })
    await ask(faces, imports, { body: { name: 'Used by other', carrierShipmentId: 'x' }, token: token.other })
    for (const name of ['Used in legacy', 'Used in v1']) {
      for (const language of languages) {
        const reply = await faces.ask<LegacyError>(path, { body: body({ name }), language })
        expect(reply.status).toBe(400)
        expect(reply.body).toEqual(violates(language, { name: alreadyUsed[language] }))
      }
    }
    await create({ name: 'Used by other' })
  })

  test('whose charge fails is 500 with the unexpected-error message, and nothing is stored', async () => {
    const before = countRows(faces)
    for (const language of languages) {
      const reply = await faces.ask<LegacyError>(path, { body: body({ shipmentId: 'CHARGE-FAILS-1' }), language })
      expect(reply.status).toBe(500)
      expect(reply.body).toEqual({ message: unexpected[language] })
    }
    expect(countRows(faces)).toEqual(before)
  })

  test("with another organization's sender address is 406", async () => {
    const reply = await faces.ask(path, { body: body({ senderAddressId: 2 }), language: 'en' })
    expect(reply.status).toBe(406)
    expect(reply.body).toEqual({ message: 'The sender address does not belong to your organization.' })
  })

  test('knows no carrierShipmentId: shipmentId is missing', async () => {
    const reply = await faces.ask<LegacyError>(path, {
      body: { name: 'New names', carrierShipmentId: 'GCCN-1' },
      language: 'en',
    })
    expect(reply.status).toBe(400)
    expect(reply.body).toEqual(violates('en', { shipmentId: 'This field is required.' }))
  })
})

describe('completing', () => {
  test('is 204 without a body, with the id as number or text', async () => {
    for (const write of [Number, String]) {
      const { id } = await create()
      const reply = await faces.ask(complete, { body: { id: write(id) } })
      expect([reply.status, reply.text]).toEqual([204, ''])
      const stored = faces.db.prepare('SELECT completedAt FROM singlePointImports WHERE id = ?').get(id)
      expect(stored?.completedAt).toBe('2025-02-03T04:05:06.789Z')
    }
  })

  test('again, or an import that is unknown or of another organization, is 406: not found', async () => {
    const { id: again } = await create()
    await faces.ask(complete, { body: { id: again } })
    const { body: theirs } = await faces.ask<{ id: number }>(path, { body: body(), token: faces.tokens.other })
    for (const id of [again, theirs.id, 99_999, Number.MAX_SAFE_INTEGER]) {
      for (const language of languages) {
        const reply = await faces.ask<LegacyError>(complete, { body: { id }, language })
        expect(reply.status).toBe(406)
        expect(reply.body).toEqual({ message: notFoundImport[language] })
      }
    }
    const { id } = theirs
    expect(faces.db.prepare('SELECT completedAt FROM singlePointImports WHERE id = ?').get(id)?.completedAt).toBeNull()
  })

  test('with an invalid id is 400 at id', async () => {
    for (const body of ['{}', '{"id":null}', '{"id":0}', '{"id":1.5}', '{"id":"01"}', '{"id":true}', '{"id":[1]}']) {
      for (const language of languages) {
        const reply = await faces.ask<LegacyError>(complete, { body, language })
        expect(reply.status, body).toBe(400)
        expect(reply.body).toEqual(violates(language, { id: expect.stringMatching(/\.$/) }))
      }
    }
  })
})
