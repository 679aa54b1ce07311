import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countRows, type OpenSandbox, openSandbox, post, validationFailed } from './open-sandbox.ts'

const path = '/api/v1/shipment/single-point-imports'
const at = Date.UTC(2025, 4, 6, 7, 8, 9, 10)
let sandbox: OpenSandbox
beforeAll(async () => {
  sandbox = await openSandbox(() => at)
})
afterAll(() => sandbox.close())

interface ImportBody {
  success: true
  message: string
  data: { id: number; name: string; carrierShipmentId: string }
}

let number = 0
const newImport = (facts: object = {}) => ({ name: `Import ${++number}`, carrierShipmentId: 'GCCN1', ...facts })
const create = (facts: object = {}, asked = {}) => post<ImportBody>(sandbox, path, newImport(facts), asked)

describe('the answer', () => {
  test('is 201 with the record and a Turkish message, without sender address and creation time', async () => {
    for (const language of ['tr', 'en']) {
      const { status, body } = await create({ name: `Şubat ${language}`, carrierShipmentId: '1Z%_' }, { language })
      expect(status).toBe(201)
      expect(body).toEqual({
        success: true,
        message: 'Tek noktadan ithalat oluşturuldu.',
        data: { id: expect.any(Number), name: `Şubat ${language}`, carrierShipmentId: '1Z%_' },
      })
      expect(Object.keys(body.data)).toEqual(['id', 'name', 'carrierShipmentId'])
    }
  })
})

test('the store keeps the sender address and the creation time that the legacy interface answers', async () => {
  const named = await create({ senderAddressId: 3 })
  const unnamed = await create({}, { token: sandbox.tokens.other })
  const row = (id: number) => sandbox.db.prepare('SELECT * FROM singlePointImports WHERE id = ?').get(id)
  const createdAt = '2025-05-06T07:08:09.010Z'
  expect(row(named.body.data.id)).toMatchObject({ organizationId: 1, senderAddressId: 3, createdAt, completedAt: null })
  expect(row(unnamed.body.data.id)).toMatchObject({ organizationId: 2, senderAddressId: 2, createdAt })
})

describe('a name', () => {
  const used = { tr: 'Bu değer zaten kullanılıyor.', en: 'This value is already in use.' }

  test('that is in use is 422 at name, in the requested language, even when its import is completed', async () => {
    const { data } = (await create({ name: 'Used' })).body
    for (const language of ['tr', 'en'] as const) {
      const reply = await create({ name: 'Used' }, { language })
      expect(reply.status).toBe(422)
      expect(reply.body).toEqual(validationFailed(language, { name: used[language] }))
    }
    expect((await post(sandbox, `${path}/${data.id}/complete`, undefined)).status).toBe(200)
    expect((await create({ name: 'Used' })).status).toBe(422)
  })

  test('that only another organization uses, or in another case, is free', async () => {
    expect((await create({ name: 'Ilk%' })).status).toBe(201)
    expect((await create({ name: 'Ilk%' }, { token: sandbox.tokens.other })).status).toBe(201)
    for (const name of ['ILK%', 'Ilk', '%']) expect((await create({ name })).status, name).toBe(201)
  })

  test('can be 255 characters long and no longer', async () => {
    expect((await create({ name: 'ş'.repeat(255) })).status).toBe(201)
    const reply = await create({ name: 'x'.repeat(256) }, { language: 'en' })
    expect(reply.body).toEqual(validationFailed('en', { name: 'Must be at most 255 characters long.' }))
  })
})

test('a failed charge is 400, and the name stays free', async () => {
  const before = countRows(sandbox)
  for (const language of ['tr', 'en']) {
    const reply = await create({ name: 'Charged', carrierShipmentId: 'CHARGE-FAILS-7' }, { language })
    expect(reply.status).toBe(400)
    expect(reply.body).toEqual({
      success: false,
      code: 'SINGLE_POINT_IMPORT_CHARGE_FAILED',
      message: 'Tek noktadan ithalat ücreti tahsil edilemedi.',
    })
  }
  expect(countRows(sandbox)).toEqual(before)
  expect((await create({ name: 'Charged', carrierShipmentId: 'charge-fails' })).status).toBe(201)
})

test('a sender address of another organization is 400', async () => {
  const reply = await create({ senderAddressId: 2 })
  expect(reply.status).toBe(400)
  expect(reply.body).toEqual({
    success: false,
    code: 'BAD_REQUEST',
    message: 'Gönderici adresi kuruluşunuza ait değil.',
  })
})
