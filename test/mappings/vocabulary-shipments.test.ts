import { describe, expect, it } from 'vitest'
import { rewriteRecord } from '../../src/engine/answer.ts'
import { compileOperations } from '../../src/engine/compile/compile-operations.ts'
import type { RewriteContext } from '../../src/engine/rewrite/rewrite-plan.ts'
import type { Operation } from '../../src/mapping/operation.ts'
import { allHardOperations, hardOperations } from './support/hard-operations.ts'

const plans = new Map(compileOperations(allHardOperations).map(({ mapping, answer }) => [mapping.id, answer]))

const planOf = ({ id }: Operation) => {
  const plan = plans.get(id)
  if (plan === undefined) throw new Error(`${id} was not compiled`)
  return plan
}
const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const v1Country = {
  id: 1,
  code: 'TR',
  name: 'Türkiye',
  flags: { w20: 'a', w40: 'b' },
  tax: { type: 'VAT', maxValidPrice: 150.5 },
}
const legacyCountry = {
  id: 1,
  code: 'TR',
  name: 'Türkiye',
  flagW20: 'a',
  flagW40: 'b',
  taxType: 'VAT',
  taxMaxValidPrice: 150.5,
}

describe('the answer to a package', () => {
  const context: RewriteContext = {
    reference: (list, match, key, take) =>
      `${list} ${match} ${key} ${take}` === 'currency-list code USD rates.updatedAt'
        ? json('2025-01-02T00:00:00.000Z')
        : undefined,
  }
  const answered = (data: unknown, options = { context }): unknown =>
    JSON.parse(rewriteRecord(planOf(hardOperations.package), json({ success: true, data }), options).toString())

  it('has flat countries, legacy times and names, and what v1 lost as null', () => {
    const data = {
      id: 1,
      currency: { id: 2, code: 'USD', name: 'Dolar' },
      singlePointImport: { id: 3, name: 'a', carrierShipmentId: 'GCCN' },
      recipientAddress: { city: 'x', country: v1Country },
      senderAddress: { country: null },
      billingAddress: null,
      products: [
        { originCountry: v1Country, unitOfMeasure: { code: 'C62' } },
        { originCountry: { id: 1, code: 'TR' } },
      ],
      createdAt: '2025-01-01T10:24:19.000Z',
      updatedAt: '2025-01-01T10:24:20.123Z',
    }
    expect(answered(data)).toEqual({
      id: 1,
      currency: { id: 2, code: 'USD', name: 'Dolar', updatedAt: '2025-01-02T00:00:00+00:00' },
      singlePointImport: { id: 3, name: 'a', shipmentId: 'GCCN' },
      recipientAddress: { city: 'x', country: legacyCountry },
      senderAddress: { country: null },
      billingAddress: null,
      products: [
        { originCountry: legacyCountry, unitOfMeasure: { code: 'C62' } },
        { originCountry: { id: 1, code: 'TR' } },
      ],
      orderData: null,
      createdAt: '2025-01-01T10:24:19+00:00',
      updatedAt: '2025-01-01T10:24:20+00:00',
    })
  })

  it('has a null when the currency list is unavailable', () => {
    expect(answered({ currency: { code: 'USD' } }, { context: {} })).toEqual({
      currency: { code: 'USD', updatedAt: null },
      orderData: null,
    })
    expect(answered({ currency: null })).toEqual({ currency: null, orderData: null })
  })
})

describe('the answer to a document', () => {
  it('has the members of the legacy record only, and its losses as null', () => {
    const data = {
      id: 1,
      trackingTitle: 'new in v1',
      type: { id: 1, slug: 'DOCUMENT', name: 'Doküman', icon: 'x' },
      activityStatus: { id: 2 },
      packages: [{ id: 1, desi: 0.5, size: 0, activityStatus: { id: 1, slug: 'A', name: 'b', x: 1 } }],
      recipientAddress: { id: 4, phone: '1', country: v1Country },
      createdAt: '2025-01-01T10:24:19.000Z',
      currency: null,
    }
    const answer = rewriteRecord(planOf(hardOperations.document), json({ success: true, message: 'ok', data }))
    expect(JSON.parse(answer.toString())).toEqual({
      id: 1,
      type: { id: 1, slug: 'DOCUMENT', name: 'Doküman' },
      packages: [{ id: 1, desi: 0.5, activityStatus: { id: 1, slug: 'A', name: 'b' } }],
      recipientAddress: { id: 4, country: { id: 1, code: 'TR', name: 'Türkiye' } },
      createdAt: '2025-01-01T10:24:19+00:00',
      currency: null,
      freightPrice: null,
      peakPrice: null,
      taxNumber: null,
    })
  })
})
