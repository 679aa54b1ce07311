import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyWith, pathsOf } from './bad-input.ts'
import { askLegacy } from './legacy/legacy-client.ts'
import { type OpenFaces, openFaces } from './legacy/open-faces.ts'
import { countRows, countryId } from './open-sandbox.ts'
import {
  documentBody,
  documents,
  imports,
  newSenderAddress,
  packageBody,
  packages,
  product,
} from './shipment-requests.ts'

let faces: OpenFaces
beforeAll(async () => {
  faces = await openFaces()
})
afterAll(() => faces.close())

interface Endpoint {
  readonly path: string
  /** A body with every field. */
  readonly valid: () => object
  /** Without these fields, a body is refused. */
  readonly required: readonly string[]
}

let names = 0
const login = () => ({ clientId: 'demo-client', secretKey: 'demo-secret' })
const prices = () => ({
  ...{ countryId: countryId('DE'), city: 'Köln', zipCode: '50667', date: '2025-01-01', carrierId: 1 },
  packages: [{ length: 10, size: 10, height: 10, weight: 1, piece: 1 }],
})
const destination = () => ({ countryId: countryId('DE'), city: 'Köln', zipCode: '50667' })
const kadikoy = { id: 443, name: 'Kadıköy' }
const sender = { newSenderAddress: newSenderAddress(kadikoy) }
const { unitOfMeasureCode: _, ...withoutUnit } = product
const page = { page: 1, perPage: 10, sortBy: 'id', sortOrder: 'asc' }
const range = () => ({ startAt: '2025-01-01', endAt: '2025-01-02' })

const address = (name: string): readonly string[] => [
  name,
  ...['countryId', 'firstName', 'lastName', 'phone', 'city', 'address1'].map((field) => `${name}.${field}`),
]
const box = ['packages', ...['length', 'size', 'height', 'weight'].map((field) => `packages[0].${field}`)]
const shipment = (...unit: readonly string[]): readonly string[] => [
  ...[...address('recipientAddress'), ...box, 'description', 'carrierId', 'currencyId', 'exportCodeId', 'products'],
  ...['hsCode', 'description', 'piece', 'unitPrice', ...unit, 'originCountryCode'].map((name) => `products[0].${name}`),
  ...[...address('billingAddress'), 'customsAccountZipCode'],
  ...['county', 'county.id', 'city', 'city.id', 'address1', 'firstName', 'lastName', 'phone'].map(
    (name) => `newSenderAddress.${name}`,
  ),
]

const v1: readonly Endpoint[] = [
  { path: '/api/v1/auth/application', valid: login, required: ['clientId', 'secretKey'] },
  { path: '/api/v1/shipment/price-calculations', valid: prices, required: ['countryId', ...box] },
  {
    path: '/api/v1/shipment/price-calculations/validate-destination',
    ...{ valid: destination, required: ['countryId'] },
  },
  { path: packages, valid: () => packageBody(sender), required: shipment('unitOfMeasureCode') },
  {
    path: documents,
    valid: () => documentBody(),
    required: [...address('recipientAddress'), 'recipientAddress.company'],
  },
  {
    path: imports,
    valid: () => ({ name: `v1 ${++names}`, carrierShipmentId: 'GCCN', senderAddressId: 1 }),
    required: ['name', 'carrierShipmentId'],
  },
]

const legacy: readonly Endpoint[] = [
  { path: '/auth/application', valid: login, required: ['clientId', 'secretKey'] },
  { path: '/api/calculate/price', valid: prices, required: ['countryId', ...box] },
  { path: '/api/calculate/price/country/validate', valid: destination, required: ['countryId'] },
  {
    path: '/api/consignment/document',
    ...{ valid: () => documentBody(), required: [...address('recipientAddress'), 'recipientAddress.company'] },
  },
  {
    path: '/api/consignment/package/advance',
    valid: () => packageBody({ ...sender, products: [{ ...withoutUnit, unitOfMeasure: { code: 'C62' } }] }),
    required: shipment('unitOfMeasure', 'unitOfMeasure.code'),
  },
  {
    path: '/api/single/point/import',
    valid: () => ({ name: `legacy ${++names}`, shipmentId: 'GCCN', senderAddressId: 1 }),
    required: ['name', 'shipmentId'],
  },
  { path: '/api/single/point/import/complete', valid: () => ({ id: 99_999_999 }), required: ['id'] },
  {
    path: '/api/invoice/list',
    valid: () => ({
      ...{ ...page, search: 'x', id: 1, number: 'x', statusId: 1, isPayment: true },
      ...{ dateAtBetween: range(), paymentExpirationAtBetween: range() },
    }),
    required: [],
  },
  { path: '/api/transaction/charge/list', valid: () => page, required: [] },
]

interface Answer {
  readonly success?: boolean
  readonly code?: string
  readonly message: string
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
  readonly violations?: readonly { readonly propertyPath: string; readonly message: string }[]
}

/** Sends a body to an endpoint of either face. Returns the fields that the answer refuses, each with its message. */
async function refused(path: string, body: string): Promise<readonly (readonly [field: string, message: string])[]> {
  const isV1 = path.startsWith('/api/v1/')
  const [legacyUrl, token] = isV1 ? [faces.v1Url, faces.v1Tokens.demo] : [faces.legacyUrl, faces.tokens.demo]
  const asked = { body, token, language: 'en', method: 'POST' }
  const { status, body: answer, text } = await askLegacy<Answer | undefined>({ legacyUrl }, path, asked)
  if (status !== (isV1 ? 422 : 400)) {
    expect([200, 201, 204, 406], text).toContain(status)
    return []
  }
  expect(answer).toMatchObject({ message: 'Validation failed.', ...(isV1 && { code: 'VALIDATION_FAILED' }) })
  return [
    ...(answer?.errors ?? []).map(({ path, message }) => [path, message] as const),
    ...(answer?.violations ?? []).map(({ propertyPath, message }) => [propertyPath, message] as const),
  ]
}

/** Values that no field accepts, except that a range of dates requires no member, so that any object is one. */
const wrong = (field: string) => ['[[1]]', ...(field.endsWith('Between') ? [] : ['{"x":1}'])]

describe.each([
  ['v1', v1],
  ['legacy', legacy],
] as const)('every endpoint of %s', (_, endpoints) => {
  test('refuses a value of the wrong type at any field, at its path, and stores nothing', async () => {
    const before = countRows(faces)
    const tried = endpoints.flatMap(({ path, valid }) =>
      pathsOf(valid()).flatMap((field) => wrong(field).map((json) => ({ path, valid, field, json }))),
    )
    const accepted = await Promise.all(
      tried.map(async ({ path, valid, field, json }) => {
        const fields = await refused(path, bodyWith(valid(), field, json))
        const isAtField =
          fields.length > 0 && fields.every(([at, message]) => at.includes(field) && message.endsWith('.'))
        return isAtField ? [] : [`${path}, ${field}: ${json}`]
      }),
    )
    expect(accepted.flat()).toEqual([])
    expect(countRows(faces)).toEqual(before)
  })

  test('needs its required fields and no others', async () => {
    for (const { path, valid, required } of endpoints) {
      const members = pathsOf(valid()).filter((field) => !field.endsWith(']'))
      const found = await Promise.all(
        members.map(async (field) => {
          const fields = await refused(path, bodyWith(valid(), field, undefined))
          return fields.some(([, message]) => message === 'This field is required.') ? [field] : []
        }),
      )
      expect(found.flat().toSorted(), path).toEqual(required.toSorted())
    }
  })

  test('refuses a body that is not a JSON object, as a whole', async () => {
    for (const { path } of endpoints) {
      for (const body of ['{"countryId":', '[{}]', 'null', '"x"', '['.repeat(50_000)]) {
        const context = `${path}: ${body.slice(0, 9)}`
        expect(await refused(path, body), context).toEqual([['', 'The request body must be a JSON object.']])
      }
    }
  })
})
