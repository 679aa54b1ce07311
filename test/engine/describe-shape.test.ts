import { describe, expect, it } from 'vitest'
import type { Part } from '../../src/guide/lines/explain-shape.ts'
import { legacyBook } from '../../src/guide/openapi/legacy-schemas.ts'
import { enumConverter } from '../../src/mapping/converter.ts'
import { fromReference, fromRequestRow } from '../../src/mapping/filled-lines.ts'
import {
  assumed,
  decimal,
  enumOf,
  from,
  list,
  lost,
  object,
  orNull,
  promised,
  type Rule,
  same,
  shape,
  timestamp,
} from '../../src/mapping/shape.ts'
import { problemsOf } from '../support/json-schema.ts'

type Rules = Readonly<Record<string, Rule>>
interface Options {
  readonly closed?: boolean
  readonly v1Only?: Readonly<Record<string, string>>
}

/** Checks a value by the schema of a shape. */
function problems(value: unknown, rules: Rules, options: Options = {}, part: Part = 'answer') {
  const book = legacyBook()
  const schema = book.refer(shape('Made up', rules, options), part)
  return problemsOf(value, schema, { components: { schemas: book.schemas() } })
}

const schemasOf = (rules: Rules, part: Part = 'answer') => {
  const book = legacyBook()
  book.refer(shape('Made up', rules), part)
  return book.schemas()
}

describe('a type of the contract', () => {
  it.each([
    ['int', same('int'), [0, -1, 9007199254740991], [1.5, '1', null, true]],
    ['number', same('number'), [0, 1.5], ['1', null]],
    ['string', same('string'), ['', 'a'], [1, null]],
    ['bool', same('bool'), [true, false], [0, 'true', null]],
    ['array', same('array'), [[], [1, 'a']], [{}, null, 'a']],
    ['array of string', same('array of string'), [[], ['a']], [[1], 'a']],
    ['object', same('object'), [{}, { a: 1 }], [[], null]],
    ['timestamp', timestamp(), ['2025-01-31T10:24:19+00:00'], ['2025-01-31T10:24:19.000Z', '2025-01-31', null]],
    ['decimal', decimal(2), [12.5, 0], ['12.50', null]],
    ['decimal, or null', orNull(decimal(2)), [12.5, null], ['12.50']],
    // v1 may add a value that legacy does not know.
    ['enum', enumOf({ open: 'PENDING' }), ['open', 'late'], [1, null]],
    ['enum, or null', orNull(enumOf({ open: 'PENDING' })), ['open', 'late', null], [1]],
    ['string, or null', orNull(same('string')), ['', null], [1]],
    ['object, or null', orNull(object(shape('Inner', { id: same('int') }))), [{ id: 1 }, null], [{ id: 'a' }, 1]],
    ['list', list(shape('Inner', { id: same('int') })), [[], [{ id: 1 }, {}]], [[{ id: 'a' }], [1], null]],
    ['an unspecified type', same(), [1, 'a', null, [], {}], []],
  ] as const)('%s', (_, rule, right, wrong) => {
    for (const value of right) expect(problems({ a: value }, { a: rule }), JSON.stringify(value)).toEqual([])
    for (const value of wrong) expect(problems({ a: value }, { a: rule }), JSON.stringify(value)).not.toEqual([])
  })
})

describe('the answer of a shape', () => {
  it('may lack what v1 may leave out, and has no other members when it is closed', () => {
    const rules = { id: same('int'), 'currency.code': from('currencyCode', 'string') }
    expect(problems({}, rules, { closed: true })).toEqual([])
    expect(problems({ id: 1, other: 2 }, rules)).toEqual([])
    expect(problems({ id: 1, other: 2 }, rules, { closed: true })).toEqual([': other is too much'])
    expect(problems({ currency: { code: 'USD', name: 'x' } }, rules)).toEqual(['.currency: name is too much'])
    expect(problems('text', rules)).not.toEqual([])
  })

  it('has null for lost members, and filled in members or null', () => {
    const rules = {
      price: lost('v1 has none', 'number'),
      since: fromReference({ list: 'l', match: 'code', sibling: 'code', take: 'since' }, { type: 'timestamp' }),
      row: fromRequestRow('rows', 'id'),
    }
    expect(problems({ price: null, since: null, row: 'any' }, rules)).toEqual([])
    expect(problems({ price: 1, since: null, row: null }, rules)).not.toEqual([])
    expect(problems({ price: null, since: 'soon', row: null }, rules)).not.toEqual([])
    expect(problems({}, rules)).toEqual([': no price', ': no since', ': no row'])
    expect(problems({}, { 'a.b': lost('gone') })).toEqual([': no a'])
  })

  it('requires what v1 must have', () => {
    expect(problems({ token: 't' }, { token: promised('string', same()) })).toEqual([])
    expect(problems({ token: 1 }, { token: promised('string', same()) })).not.toEqual([])
    expect(problems({}, { token: promised('string', same()) })).toEqual([': no token'])
  })

  it('has no member under its v1 name, and none that v1 added', () => {
    const rules = { surcharges: from('surcharge'), flagW20: from('flags.w20'), a: from('b'), b: from('a') }
    const v1Only = { v1Only: { flagPath: 'added' } }
    expect(problems({ surcharges: 1, flags: { w80: 'stays' }, a: 1, b: 1 }, rules, v1Only)).toEqual([])
    expect(problems({ surcharge: 1 }, rules, v1Only)).not.toEqual([])
    expect(problems({ flagPath: 1 }, rules, v1Only)).not.toEqual([])
  })
})

describe('the request of a shape', () => {
  it('may have other members even when it is closed, and need not have those of the table', () => {
    const rules = { id: same('int'), 'unit.name': lost('v1 does not want it', 'string') }
    expect(problems({ other: 1 }, rules, { closed: true }, 'request')).toEqual([])
    expect(problems({ id: 1, unit: { name: 'a', other: 1 } }, rules, { closed: true }, 'request')).toEqual([])
    expect(problems({ unit: { name: 1 } }, rules, {}, 'request')).not.toEqual([])
  })
})

describe('the request of an enum', () => {
  it('accepts its legacy values only', () => {
    const rules = { state: enumOf({ open: 'PENDING', paid: 'SETTLED' }), unit: orNull(enumOf({ piece: 'C62' })) }
    expect(problems({ state: 'paid', unit: null }, rules, {}, 'request')).toEqual([])
    expect(problems({ state: 'SETTLED' }, rules, {}, 'request')).not.toEqual([])
    expect(problems({ unit: 'kilo' }, rules, {}, 'request')).not.toEqual([])
  })
})

describe('a member that is filled in and converted', () => {
  it('is described by its converter, and is null when it is unavailable', () => {
    const source = { list: 'l', match: 'code', sibling: 'code', take: 'state' }
    const rules = { state: fromReference(source, { converted: enumConverter({ open: 'PENDING' }) }) }
    for (const state of ['open', 'late', null]) expect(problems({ state }, rules)).toEqual([])
    expect(problems({ state: 1 }, rules)).not.toEqual([])
  })
})

describe('the schema of a shape', () => {
  it('says for every member where it is in v1, and why', () => {
    const rules = {
      id: same('int'),
      count: assumed('a guess', from('total')),
      at: timestamp(),
      price: lost('v1 has none', 'number'),
    }
    expect(schemasOf(rules)).toMatchObject({
      MadeUp: {
        properties: {
          id: { description: 'The same in v1. Documented.', 'x-basis': 'documented' },
          count: { description: 'In v1: total. Assumed: a guess.', 'x-basis': 'assumed' },
          at: { description: expect.stringMatching(/^The same in v1\. v1 writes milliseconds and Z.* Documented\.$/) },
          price: {
            description: 'Answered as null. Lost: v1 has none. Its type in legacy: number.',
            'x-basis': 'lost',
          },
        },
      },
    })
    expect(schemasOf(rules, 'request')).toMatchObject({
      MadeUp: { properties: { price: { type: 'number', description: expect.stringMatching(/^Not sent\. Lost: /) } } },
    })
  })

  it('is shared by all uses of a shape, and has a unique name among shapes of the same name', () => {
    const [one, other] = [shape('id & slug', { id: same() }), shape('Id, slug', { slug: same() })]
    const rules = { a: object(one), b: object(one), c: list(other) }
    expect(Object.keys(schemasOf(rules))).toEqual(['MadeUp', 'IdSlug', 'IdSlug2'])
    expect(schemasOf(rules).MadeUp).toMatchObject({
      properties: {
        a: { $ref: '#/components/schemas/IdSlug' },
        b: { $ref: '#/components/schemas/IdSlug' },
        c: { items: { $ref: '#/components/schemas/IdSlug2' } },
      },
    })
  })
})
