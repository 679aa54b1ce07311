import { describe, expect, it } from 'vitest'
import { checkOperations } from '../../src/engine/compile/check-operations.ts'
import { type CompiledOperation, compileOperations } from '../../src/engine/compile/compile-operations.ts'
import type { Operation } from '../../src/mapping/operation.ts'
import { allHardOperations, hardOperations } from './support/hard-operations.ts'

const compiled = new Map(compileOperations(allHardOperations).map((operation) => [operation.mapping.id, operation]))

function ready({ id }: Operation): CompiledOperation {
  const operation = compiled.get(id)
  if (operation === undefined) throw new Error(`${id} was not compiled`)
  return operation
}

const request = (operation: Operation, body: unknown, query = '') =>
  ready(operation).translateRequest({ query, body: Buffer.from(body === undefined ? '' : JSON.stringify(body)) })

const sent = (operation: Operation, body: unknown): unknown => {
  const { call } = request(operation, body)
  return call?.body === undefined ? undefined : JSON.parse(Buffer.from(call.body).toString())
}

describe('the vocabulary', () => {
  it('states the hard operations without a problem', () => {
    expect(checkOperations(allHardOperations)).toEqual([])
  })
})

describe('a package request', () => {
  it('sends the code of a unit in place of the unit', () => {
    const products = [{ hsCode: '1', unitOfMeasure: { code: 'C62', name: 'Piece' } }, { unitOfMeasure: null }, {}]
    expect(sent(hardOperations.package, { products, carrierId: 3 })).toEqual({
      products: [{ hsCode: '1', unitOfMeasureCode: 'C62' }, { unitOfMeasureCode: null }, {}],
      carrierId: 3,
    })
  })

  it('names the members that v1 does not list, and sends everything within those that it does', () => {
    const { call, dropped } = request(hardOperations.package, {
      organizationId: 7,
      typeId: 2,
      recipientAddress: { typeId: 3, company: 'A' },
    })
    expect([...dropped]).toEqual(['organizationId', 'typeId'])
    expect(JSON.parse(String(call?.body))).toEqual({ recipientAddress: { typeId: 3, company: 'A' } })
  })

  it.each([
    ['products[1].unitOfMeasureCode', 'products[1].unitOfMeasure.code'],
    ['products.1.unitOfMeasureCode', 'products[1].unitOfMeasure.code'],
    ['products.0.hsCode', 'products[0].hsCode'],
    ['recipientAddress.countryId', 'recipientAddress.countryId'],
    ['packages.2.length', 'packages[2].length'],
    ['products', 'products'],
  ])('has the field of %s at %s', (v1, legacy) => {
    expect(ready(hardOperations.package).legacyErrorPath(v1)).toBe(legacy)
  })

  it.each(['[]', '7', '"x"', 'null', 'x', '{', ''])('that is %j is refused', (text) => {
    const { call, violations } = ready(hardOperations.package).translateRequest({ query: '', body: Buffer.from(text) })
    expect(call).toBeUndefined()
    expect(violations).toHaveLength(1)
  })
})

describe('a price request', () => {
  it('sends no null, at any depth', () => {
    const body = { city: null, packages: [{ piece: null, desi: 1 }, null], carrierId: null, to: { zipCode: null } }
    expect(sent(hardOperations.price, body)).toEqual({ packages: [{ desi: 1 }, null], to: {} })
  })
})

describe('an import', () => {
  it('is created under the name of v1', () => {
    expect(sent(hardOperations.importCreate, { name: 'a', shipmentId: 'GCCN' })).toEqual({
      name: 'a',
      carrierShipmentId: 'GCCN',
    })
  })

  it.each([17, '17'])('is completed by the id %j in the path', (id) => {
    expect(request(hardOperations.importComplete, { id }).call).toMatchObject({
      method: 'POST',
      path: '/api/v1/shipment/single-point-imports/17/complete',
      query: '',
    })
  })

  it.each([0, -1, 1.5, true, null, [17], { id: 17 }, '', '../../x', '1?x=1', '%2e%2e', '1/..', '٣', '1'.repeat(20)])(
    'is not completed by the id %j',
    (id) => {
      expect(request(hardOperations.importComplete, { id })).toMatchObject({
        call: undefined,
        violations: [{ path: 'id', message: 'not-an-id' }],
      })
    },
  )

  it('is not completed without an id', () => {
    expect(request(hardOperations.importComplete, {}).violations).toEqual([{ path: 'id', message: 'not-an-id' }])
    expect(request(hardOperations.importComplete, undefined).violations).toEqual([
      { path: '', message: 'body-missing', with: { position: '0' } },
    ])
  })
})

describe('a currency list', () => {
  it.each([
    ['sortBy=sellingRateTry&codes=usd,eur', 'sortBy=sellingTry&codes=usd%2Ceur'],
    ['sortBy=sellingTry', ''],
    ['sortBy=&codes=', ''],
  ])('requested with %s calls v1 with %j', (query, v1) => {
    expect(request(hardOperations.currencyList, undefined, query).call).toMatchObject({ method: 'GET', query: v1 })
  })
})

describe('a charge list', () => {
  it('has no v1 call', () => {
    expect(request(hardOperations.chargeList, {})).toEqual({ call: undefined, violations: [], dropped: new Set() })
  })
})
