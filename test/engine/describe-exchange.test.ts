import { describe, expect, it } from 'vitest'
import { compileOperations } from '../../src/engine/compile/compile-operations.ts'
import { exampleAnswer, exampleRequest, type Translated } from '../../src/guide/examples/translated.ts'
import type { Operation } from '../../src/mapping/operation.ts'
import { allHardOperations, hardOperations } from '../mappings/support/hard-operations.ts'
import { madeUp } from '../support/made-up-operations.ts'

const all = compileOperations([...allHardOperations, ...madeUp])

function compiled(wanted: Operation) {
  const found = all.find(({ mapping }) => mapping.id === wanted.id)
  if (found === undefined) throw new Error(`${wanted.id} is not there`)
  return found
}

const [createThing, , listThings] = madeUp
const parsed = (example: Translated | undefined) =>
  example && {
    legacy: { ...example.legacy, body: example.legacy.body && (JSON.parse(example.legacy.body) as unknown) },
    v1: { ...example.v1, body: example.v1.body && (JSON.parse(example.v1.body) as unknown) },
  }

describe('the example of a request', () => {
  it('has every member of the table, and its translation by the engine', () => {
    expect(parsed(exampleRequest(compiled(createThing as Operation)))).toEqual({
      legacy: {
        line: 'POST /api/thing',
        body: { title: 'title', size: { width: 'width' }, parts: [{ code: 'code', weight: 'weight' }] },
      },
      v1: {
        line: 'POST /api/v1/things',
        body: { name: 'title', width: 'width', parts: [{ partCode: 'code', weight: 'weight' }] },
      },
    })
  })

  it('has parameters in their places: in the path, and in the query with the page', () => {
    expect(parsed(exampleRequest(compiled(hardOperations.importComplete)))).toEqual({
      legacy: { line: 'POST /api/single/point/import/complete', body: { id: 1 } },
      v1: { line: 'POST /api/v1/shipment/single-point-imports/1/complete', body: {} },
    })
    expect(parsed(exampleRequest(compiled(hardOperations.currencyList)))).toEqual({
      legacy: { line: 'GET /api/currency?sortBy=buyingRateTry&codes=codes', body: undefined },
      v1: { line: 'GET /api/v1/shared/currencies?sortBy=buyingTry&codes=codes&page=1&perPage=200', body: undefined },
    })
  })

  it('has only the page when nothing else is sent', () => {
    expect(exampleRequest(compiled(listThings as Operation))?.v1.line).toBe('GET /api/v1/things?page=1&perPage=2')
  })

  it('is missing when the table has no members, or v1 no equivalent', () => {
    expect(exampleRequest(compiled(hardOperations.document))).toBeUndefined()
    expect(exampleRequest(compiled(hardOperations.chargeList))).toBeUndefined()
  })
})

describe('the example of an answer', () => {
  it('is the engine’s translation of v1’s answer, with losses and statuses', () => {
    expect(parsed(exampleAnswer(compiled(createThing as Operation), all))).toMatchObject({
      legacy: {
        line: '200',
        body: { title: 'name', createdAt: '2025-01-31T10:24:19+00:00', owner: { name: 'full name' }, color: null },
      },
      v1: { line: '201', body: { success: true, data: { name: 'name', createdAt: '2025-01-31T10:24:19.000Z' } } },
    })
    expect(parsed(exampleAnswer(compiled(listThings as Operation), all))?.legacy.body).toHaveLength(1)
  })

  it('is filled in from its own request, but not from an operation without an example', () => {
    expect(parsed(exampleAnswer(compiled(hardOperations.price), all))?.legacy.body).toMatchObject([
      { packages: [{ id: null, piece: null, perimeter: null, additionalFees: [{ type: 'slug' }] }] },
    ])
  })

  it('is missing when the answer has no body', () => {
    expect(exampleAnswer(compiled(hardOperations.importComplete), all)).toBeUndefined()
    expect(exampleAnswer(compiled(hardOperations.chargeList), all)).toBeUndefined()
  })
})
