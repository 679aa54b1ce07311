import { describe, expect, it } from 'vitest'
import { rewriteList, rewriteRecord, rewriteRows } from '../../src/engine/answer.ts'
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

describe('a price answer', () => {
  const row = { desi: 2, additionalFees: [{ slug: 'a', name: 'b', amount: 1.5 }] }
  const legacyFees = [{ type: 'a', desc: 'b', value: 1.5 }]
  const context: RewriteContext = {
    requestRow: (list, take, index, count) =>
      list === 'packages' && count === 2 ? json(`${take} ${index}`) : undefined,
  }

  it('repeats the rows of the request if their number agrees', () => {
    const items = [{ fuelSurcharge: 3.0, packages: [row, row] }, { packages: [row] }]
    const answer = rewriteList(planOf(hardOperations.price), json({ success: true, items }), { context })
    expect(JSON.parse(answer.toString())).toEqual([
      {
        fuelSurcharges: 3,
        packages: [
          { desi: 2, additionalFees: legacyFees, id: 'id 0', piece: 'piece 0', perimeter: null },
          { desi: 2, additionalFees: legacyFees, id: 'id 1', piece: 'piece 1', perimeter: null },
        ],
      },
      { packages: [{ desi: 2, additionalFees: legacyFees, id: null, piece: null, perimeter: null }] },
    ])
  })
})

describe('a currency', () => {
  it('has its rates under the names of legacy, and no flag', () => {
    const rates = { sellingTry: 41.5, buyingTry: 41.25, updatedAt: '2025-01-01T10:24:19.000Z' }
    const items = [
      { id: 1, code: 'USD', name: 'Dolar', flagPath: 'x', rates },
      { id: 2, rates: null },
    ]
    const meta = { page: 1, perPage: 200, total: 2, pageCount: 1 }
    const { rows } = rewriteRows(planOf(hardOperations.currencyList), json({ items, meta }), { skip: 0, take: 9 })
    expect(JSON.parse(`[${Buffer.from(rows)}]`)).toEqual([
      {
        id: 1,
        code: 'USD',
        name: 'Dolar',
        rate: { sellingRateTry: 41.5, buyingRateTry: 41.25 },
        updatedAt: '2025-01-01T10:24:19+00:00',
      },
      { id: 2, rate: { sellingRateTry: null, buyingRateTry: null }, updatedAt: null },
    ])
  })
})

describe('an import', () => {
  it('has the legacy name of its shipment, and its losses as null', () => {
    const data = { id: 1, name: 'a', carrierShipmentId: 'GCCN' }
    expect(JSON.parse(rewriteRecord(planOf(hardOperations.importCreate), json({ data })).toString())).toEqual({
      id: 1,
      name: 'a',
      shipmentId: 'GCCN',
      senderAddress: null,
      createdAt: null,
    })
  })
})
