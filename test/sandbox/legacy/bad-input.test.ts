import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyWith } from '../bad-input.ts'
import { countRows, countryId } from '../open-sandbox.ts'
import { documentBody, newSenderAddress, packageBody, product } from '../shipment-requests.ts'
import { type LegacyError, languages, someMessage, violates } from './legacy-client.ts'
import { type OpenFaces, openFaces } from './open-faces.ts'

let faces: OpenFaces
beforeAll(async () => {
  faces = await openFaces()
})
afterAll(() => faces.close())

const { unitOfMeasureCode: _, ...withoutUnit } = product
const kadikoy = { id: 443, name: 'Kadıköy' }
let names = 0

/** Every operation with a body, and a valid body that has every field. */
const operations: [path: string, makeValid: () => object][] = [
  ['/auth/application', () => ({ clientId: 'demo-client', secretKey: 'demo-secret' })],
  [
    '/api/calculate/price',
    () => ({
      countryId: countryId('DE'),
      city: 'Köln',
      zipCode: '50667',
      date: '2025-01-01',
      carrierId: 1,
      packages: [{ length: 10, size: 10, height: 10, weight: 1, piece: 1 }],
    }),
  ],
  ['/api/calculate/price/country/validate', () => ({ countryId: countryId('DE'), city: 'Köln', zipCode: '50667' })],
  ['/api/consignment/document', () => documentBody()],
  [
    '/api/consignment/package/advance',
    () =>
      packageBody({
        products: [{ ...withoutUnit, unitOfMeasure: { code: 'C62' } }],
        newSenderAddress: newSenderAddress(kadikoy),
      }),
  ],
  ['/api/single/point/import', () => ({ name: `Import ${++names}`, shipmentId: 'GCCN', senderAddressId: 1 })],
  ['/api/single/point/import/complete', () => ({ id: 99_999_999 })],
  [
    '/api/invoice/list',
    () => ({
      page: 1,
      perPage: 10,
      sortBy: 'id',
      sortOrder: 'asc',
      search: 'x',
      id: 1,
      number: 'x',
      statusId: 1,
      isPayment: true,
      dateAtBetween: { startAt: '2025-01-01', endAt: '2025-01-02' },
      paymentExpirationAtBetween: { startAt: '2025-01-01', endAt: '2025-01-02' },
    }),
  ],
  ['/api/transaction/charge/list', () => ({ page: 1, perPage: 10, sortBy: 'id', sortOrder: 'asc' })],
]

/** Values that no field of any type accepts. A whole megabyte is tried at one field of each operation. */
const wrongEverywhere = ['{"x":1}', '[[1]]', '[{}]', JSON.stringify('x'.repeat(64 * 1024))]
const megabyte = JSON.stringify('x'.repeat(1024 * 1024))

/** Values that some field accepts. The answer must be a success or a refusal, and never a failure. */
const odd = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e400',
  '""',
  '"  "',
  '"x"',
  '"1"',
  '[]',
  '{}',
  '"\\ud800"',
  '"\\u0000"',
  '"%_"',
]

/** The path of every member and item of a value, as violations name it. */
function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => [`${path}[${index}]`, ...pathsOf(item, `${path}[${index}]`)])
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`
    return [at, ...pathsOf(member, at)]
  })
}

async function isRefused(path: string, body: string, at: string): Promise<void> {
  const before = countRows(faces)
  for (const language of languages) {
    const reply = await faces.ask<LegacyError>(path, { body, language })
    const context = `${at}: ${body.slice(0, 500)} → ${reply.text.slice(0, 500)}`
    expect(reply.status, context).toBe(400)
    expect(reply.body, context).toEqual({
      message: { tr: 'Doğrulama başarısız oldu.', en: 'Validation failed.' }[language],
      violations: expect.any(Array),
    })
    for (const violation of reply.body.violations ?? []) {
      expect(violation, context).toEqual({ propertyPath: expect.stringContaining(at), message: someMessage })
    }
    expect(reply.body.violations?.length, context).toBeGreaterThan(0)
  }
  expect(countRows(faces)).toEqual(before)
}

describe.each(operations)('%s', (path, makeValid) => {
  test('accepts a valid body with unknown members and __proto__ beside it', async () => {
    const body = { ...makeValid(), unknown: { null: null }, organizationId: 2, constructor: 1, toString: null }
    const text = JSON.stringify(body).replace('{', '{"__proto__":{"id":7,"admin":true},')
    const { status } = await faces.ask(path, { body: text })
    expect(status).toBe(path.endsWith('/complete') ? 406 : path.endsWith('/validate') ? 204 : 200)
  })

  test.each(pathsOf(makeValid()))('refuses at %s values that no field accepts', async (field) => {
    // A range requires no member, so any object is one. A secret of any length is just another secret.
    const from = field.endsWith('Between') ? 1 : 0
    const to = path.startsWith('/auth') ? -1 : undefined
    const isFirst = field === Object.keys(makeValid())[0]
    const values = [...wrongEverywhere.slice(from, to), ...(isFirst && to === undefined ? [megabyte] : [])]
    for (const json of values) await isRefused(path, bodyWith(makeValid(), field, json), field)
  })

  test.each(pathsOf(makeValid()))('never fails at %s, and stores nothing that it refuses', async (field) => {
    for (const json of odd) {
      const before = countRows(faces)
      const body = bodyWith(makeValid(), field, json)
      const reply = await faces.ask<LegacyError>(path, { body })
      const context = `${field}: ${json} → ${reply.status} ${reply.text.slice(0, 200)}`
      expect([200, 204, 400, 401, 406], context).toContain(reply.status)
      if (reply.status === 400) expect(reply.body.violations?.length, context).toBeGreaterThan(0)
      if (reply.status >= 400) {
        expect(reply.body.message, context).toEqual(someMessage)
        const { shipmentDrafts } = countRows(faces)
        // A broken business rule leaves a draft, and nothing else (docs/contract.md 10.2).
        if (reply.status === 406) expect(countRows(faces), context).toEqual({ ...before, shipmentDrafts })
        else expect(countRows(faces), context).toEqual(before)
      }
    }
  })

  test.each([
    ['not JSON', '{"countryId":'],
    ['a list', '[{}]'],
    ['null', 'null'],
    ['a string', '"x"'],
    ['a number', '1e400'],
    ['white space', '  '],
    ['followed by text', '{} x'],
    ['a byte order mark', '\ufeff{}'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['unclosed brackets', '['.repeat(1_000_000)],
    ['closed brackets', '['.repeat(500_000) + ']'.repeat(500_000)],
  ])('refuses a body that is %s: 400 at the empty path', async (_, body) => {
    const before = countRows(faces)
    for (const language of languages) {
      const reply = await faces.ask<LegacyError>(path, { body, language })
      expect(reply.status).toBe(400)
      const message = {
        tr: 'İstek gövdesi bir JSON nesnesi olmalıdır.',
        en: 'The request body must be a JSON object.',
      }
      expect(reply.body).toEqual(violates(language, { '': message[language] }))
    }
    expect(countRows(faces)).toEqual(before)
  })

  test('refuses a missing body and an empty array, unless it is a list', async () => {
    for (const body of ['', '[]', undefined]) {
      const { status } = await faces.ask(path, { method: 'POST', body })
      expect(status).toBe(path.endsWith('/list') ? 200 : 400)
    }
  })
})

test("ids of another organization's records are treated as unknown, and change nothing", async () => {
  const token = faces.tokens.other
  const theirs = await faces.ask<{ id: number }>('/api/single/point/import', {
    body: { name: 'Theirs', shipmentId: 'GCCN' },
    token,
  })
  await faces.ask('/api/consignment/document', { body: documentBody({ senderAddressId: 1 }), token })
  const draftId = Number(faces.db.prepare('SELECT max(id) AS id FROM shipmentDrafts').get()?.id)
  const before = countRows(faces)
  const answers = [
    await faces.ask('/api/single/point/import/complete', { body: { id: theirs.body.id }, language: 'en' }),
    await faces.ask('/api/consignment/document', { body: documentBody({ id: draftId }), language: 'en' }),
    await faces.ask('/api/single/point/import', {
      body: { name: 'Mine', shipmentId: 'GCCN', senderAddressId: 2 },
      language: 'en',
    }),
  ]
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [406, { message: 'Single point import is not found.' }],
    [406, { message: 'Shipment draft is not found.' }],
    [406, { message: 'The sender address does not belong to your organization.' }],
  ])
  expect(countRows(faces)).toEqual(before)
})
