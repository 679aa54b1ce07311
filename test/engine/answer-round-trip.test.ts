import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { compileOperations } from '../../src/engine/compile/compile-operations.ts'
import { roundTripper } from '../../src/engine/round-trip.ts'
import { exampleAnswer } from '../../src/guide/examples/translated.ts'
import { closeThing, createThing, listThings } from '../support/made-up-operations.ts'

const trip = (operation: typeof createThing, legacy: unknown): unknown =>
  JSON.parse(Buffer.from(roundTripper(operation)?.(Buffer.from(JSON.stringify(legacy))) ?? '').toString())

const thing = {
  ...{ id: 7, title: 'A', createdAt: '2025-01-31T10:24:19+00:00', size: { width: 1, height: 2 } },
  ...{ parts: [{ code: 'x', weight: 1.5 }], owner: { name: 'B', age: 3 }, color: null },
}

describe('a legacy answer, in v1’s shape and back', () => {
  it('is the same where the mapping knows it', () => {
    expect(trip(createThing, thing)).toEqual(thing)
  })

  it('loses what the mapping does not carry', () => {
    const answered = { ...thing, color: 'red', extra: 1, size: { width: 1, height: 2, depth: 3 } }
    expect(trip(createThing, answered)).toEqual(thing)
  })

  it('is nothing where legacy answers nothing, and is not made of lists that come in pages', () => {
    expect(roundTripper(closeThing)?.(Buffer.from(''))).toHaveLength(0)
    expect(roundTripper(listThings)).toBeUndefined()
  })

  it.each(['[]', '1', '', '{"id":'])('fails for %j, which is no record', (legacy) => {
    expect(() => roundTripper(createThing)?.(Buffer.from(legacy))).toThrow()
  })

  const compiled = compileOperations(operations)
  const records = compiled.filter(({ mapping }) => mapping.effect === 'write' && mapping.response.kind === 'record')
  it.each(records)('keeps the example of $mapping.id, but for what is filled in', (operation) => {
    const example = exampleAnswer(operation, compiled)?.legacy.body ?? ''
    const { currency, ...legacy } = JSON.parse(example) as { readonly currency?: object }
    expect(trip(operation.mapping, JSON.parse(example))).toEqual({
      ...legacy,
      ...(currency !== undefined && { currency: { ...currency, updatedAt: null } }),
    })
  })
})
