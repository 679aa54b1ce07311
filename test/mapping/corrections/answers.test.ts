import { describe, expect, it, test } from 'vitest'
import type { AnswerLine } from '../../../src/mapping/corrections/corrections.ts'
import { type Operation, page } from '../../../src/mapping/operation.ts'
import { integer } from '../../../src/mapping/reader.ts'
import { bodyParameters, query, stitched } from '../../../src/mapping/request.ts'
import {
  from,
  givenByService,
  list,
  object,
  orNull,
  promised,
  same,
  shape,
  timestamp,
} from '../../../src/mapping/shape.ts'
import { aList, answered, answeredRecord, answeredRow, aRecord, corrected, thing } from './support.ts'

type Answers = Readonly<Record<string, AnswerLine>>
type Table = readonly (readonly [what: string, shipped: Operation, response: Answers, v1: unknown, legacy: unknown])[]

const region = shape('Region', { id: same('int') })
const parcel = shape('Parcel', { weight: same('number') })

/** One v1 row, and the legacy row that a line makes of it. */
const VALUES: readonly (readonly [what: string, line: AnswerLine, v1: string, legacy: string])[] = [
  ['a number as text keeps its digits', { from: 'items[].a', as: 'string' }, '{"a":12.50}', '{"b":"12.50"}'],
  ['a boolean as text', { from: 'items[].a', as: 'string' }, '{"a":true}', '{"b":"true"}'],
  [
    'a text as number keeps its digits',
    { from: 'items[].a', as: 'number' },
    '{"a":"12345678901234567890.10"}',
    '{"b":12345678901234567890.10}',
  ],
  ['a boolean as 1', { from: 'items[].a', as: '0/1' }, '{"a":true}', '{"b":1}'],
  ['a boolean as 0', { from: 'items[].a', as: '0/1' }, '{"a":false}', '{"b":0}'],
  [
    'a timestamp',
    { from: 'items[].a', as: 'timestamp' },
    '{"a":"2025-01-31T10:24:19.123Z"}',
    '{"b":"2025-01-31T10:24:19+00:00"}',
  ],
  ['its date', { from: 'items[].a', as: 'date' }, '{"a":"2025-01-31T23:24:19.123Z"}', '{"b":"2025-01-31"}'],
  ['its seconds', { from: 'items[].a', as: 'epoch' }, '{"a":"2025-01-31T10:24:19.123Z"}', '{"b":1738319059}'],
  ['capitals', { from: 'items[].a', as: 'upper' }, '{"a":"de"}', '{"b":"DE"}'],
  ['small letters', { from: 'items[].a', as: 'lower' }, '{"a":"DE"}', '{"b":"de"}'],
  ['minor units', { from: 'items[].a', scale: 2 }, '{"a":12500}', '{"b":125.00}'],
  ['other names of values', { from: 'items[].a', enum: { open: 'ACTIVE' } }, '{"a":"ACTIVE"}', '{"b":"open"}'],
  [
    'a value that the enum does not list',
    { from: 'items[].a', enum: { open: 'ACTIVE' } },
    '{"a":"NEW"}',
    '{"b":"NEW"}',
  ],
  [
    'values that are no texts',
    {
      from: 'items[].a',
      enum: [
        [1, 'ACTIVE'],
        [false, 7],
      ],
    },
    '{"a":7}',
    '{"b":false}',
  ],
  [
    'one legacy name of two v1 values',
    {
      from: 'items[].a',
      enum: [
        ['open', 'ACTIVE'],
        ['open', 'NEW'],
      ],
    },
    '{"a":"NEW"}',
    '{"b":"open"}',
  ],
  ['null where v1 has no such member', { from: 'items[].a', absent: 'null' }, '{"x":1}', '{"b":null,"x":1}'],
  ['null where v1 has null', { from: 'items[].a', absent: 'null' }, '{"a":null}', '{"b":null}'],
  ['nothing where v1 has null', { from: 'items[].a', absent: 'missing' }, '{"a":null,"x":1}', '{"x":1}'],
  ['nothing where v1 has nothing', { from: 'items[].a' }, '{"x":1}', '{"x":1}'],
  ['a conversion and null', { from: 'items[].a', as: 'string', absent: 'null' }, '{}', '{"b":null}'],
  [
    'texts put together',
    { join: ['items[].first', ' ', 'items[].last'] },
    '{"first":"Ada","last":"Ö\\u0041"}',
    '{"b":"Ada Ö\\u0041"}',
  ],
  [
    'a text that looks like a path',
    { join: [{ text: 'data' }, 'items[].first'] },
    '{"first":"Ada"}',
    '{"b":"dataAda"}',
  ],
  ['a constant', { always: 'TRY' }, '{"x":1}', '{"b":"TRY","x":1}'],
  ['a constant list', { always: [] }, '{"x":1}', '{"b":[],"x":1}'],
  ['a loss', { lost: 'v1 has none' }, '{"x":1}', '{"x":1,"b":null}'],
]

const PLACES: Table = [
  [
    'several lines read one v1 member',
    aList(),
    {
      '[].plate': { from: 'items[].code' },
      '[].code': { from: 'items[].code' },
      '[].key': { from: 'items[].code', as: 'lower' },
    },
    { code: 'A' },
    { plate: 'A', code: 'A', key: 'a' },
  ],
  [
    'a member of the row in an object that both have',
    aList({ region: object(region) }),
    { '[].region.name': { from: 'items[].regionName' } },
    { region: { id: 1 }, regionName: 'Marmara' },
    { region: { id: 1, name: 'Marmara' } },
  ],
  [
    'members of an object from within it and from beside it',
    aList(),
    { '[].region.name': { from: 'items[].region.title' }, '[].region.code': { from: 'items[].regionCode' } },
    { region: { id: 1, title: 'Marmara' }, regionCode: 'M' },
    { region: { id: 1, name: 'Marmara', code: 'M' } },
  ],
  [
    'an object that v1 has flat, beside a member that v1 has nested under the same name',
    aList({ 'rate.selling': from('sell') }),
    { '[].rate.buying': { from: 'items[].rate.buy' } },
    { rate: { buy: 2, x: 3 }, sell: 1 },
    { rate: { selling: 1, buying: 2, x: 3 } },
  ],
  [
    'a member from around the list',
    aRecord({ parcels: list(parcel) }),
    { 'parcels[].currency': { from: 'data.currency' } },
    { currency: 'TRY', parcels: [{ weight: 1 }, { weight: 2 }] },
    {
      parcels: [
        { weight: 1, currency: 'TRY' },
        { weight: 2, currency: 'TRY' },
      ],
    },
  ],
  [
    'a member from a row, within rows of which the mapping says nothing',
    aList(),
    { '[].tags[].city': { from: 'items[].name' }, '[].name': { from: 'items[].name' } },
    { name: 'Bolu', tags: [{ id: 1 }] },
    { name: 'Bolu', tags: [{ id: 1, city: 'Bolu' }] },
  ],
  [
    'a member of an inner object, lifted over two',
    aRecord({ to: object(shape('To', { country: object(region) })) }),
    { 'to.country.code': { from: 'data.countryCode' }, toCountry: { from: 'data.to.country.name' } },
    { to: { country: { id: 1, name: 'Türkiye' } }, countryCode: 'TR' },
    { to: { country: { id: 1, code: 'TR' } }, toCountry: 'Türkiye' },
  ],
  [
    'a text put together from within and around',
    aRecord({ parcels: list(parcel) }),
    { 'parcels[].label': { join: ['data.prefix', '-', 'data.parcels[].code'] } },
    { prefix: 'A', parcels: [{ weight: 1, code: 'x' }] },
    { parcels: [{ weight: 1, label: 'A-x' }] },
  ],
  [
    'a name as members of JavaScript objects have it',
    aList(),
    { '[].constructor': { from: 'items[].toString' } },
    { toString: 1 },
    { constructor: 1 },
  ],
]

const isRow = ({ response }: Operation): boolean => response.kind === 'whole-list'

describe('the vocabulary of an answer', () => {
  test.each(VALUES)('%s', (_, line, v1, legacy) => {
    const mapping = corrected(aList(), { response: { '[].b': line } })
    const meta = '"meta":{"page":1,"perPage":1,"total":1,"pageCount":1}'
    expect(answered(mapping, `{"items":[${v1}],${meta}}`)).toBe(`[${legacy}]`)
  })

  test.each(PLACES)('%s', (_, shipped, response, v1, legacy) => {
    const mapping = corrected(shipped, { response })
    expect(isRow(shipped) ? answeredRow(mapping, v1) : answeredRecord(mapping, v1)).toEqual(legacy)
  })

  it('corrects rows and counts of a page', () => {
    const shipped = thing(
      page({
        rows: ['data', shape('Row', { id: same('int') }, { closed: true })],
        meta: [
          'pagination',
          shape('Counts', { count: from('total'), page: same(), pages: from('pageCount') }, { closed: true }),
        ],
      }),
      bodyParameters(
        { page: query(integer(1, 9)), perPage: query(integer(1, 9)) },
        { stitching: stitched({ paging: { page: 'page', perPage: 'perPage', mostPerPage: 9 }, defaultPerPage: 5 }) },
      ),
    )
    const response: Answers = {
      'data[].no': { from: 'items[].number' },
      'data[].currency': { always: 'TRY' },
      'pagination.total': { from: 'meta.total', as: 'string' },
      'pagination.count': { drop: true },
      'pagination.size': { from: 'meta.perPage' },
      'pagination.page': { from: 'meta.page' },
      'pagination.kind': { always: 'list' },
      'pagination.next': { lost: 'v1 does not say it' },
    }
    const v1 =
      '{"success":true,"items":[{"id":1,"number":1.50,"x":2}],"meta":{"page":2,"perPage":5,"total":6,"pageCount":2}}'
    expect(JSON.parse(answered(corrected(shipped, { response }), v1))).toEqual({
      data: [{ id: 1, no: 1.5, currency: 'TRY' }],
      pagination: { total: '6', size: 5, page: 2, pages: 2, kind: 'list', next: null },
    })
  })

  it('keeps what else the shipped line says of the member', () => {
    const shipped = aRecord({
      madeAt: givenByService('time', timestamp()),
      note: orNull(same('string')),
      no: promised('string', same()),
    })
    const mapping = corrected(shipped, {
      ...{ why: 'week 1', by: 'team' },
      response: {
        madeAt: { from: 'data.createdAt', as: 'epoch' },
        note: { from: 'data.comment' },
        no: { from: 'data.number' },
      },
    })
    expect(mapping.response).toMatchObject({
      shape: {
        rules: {
          madeAt: { givenByService: 'time', type: 'int', basis: { kind: 'corrected', why: 'week 1', by: 'team' } },
          note: { nullable: true, type: 'string', basis: { replaces: 'data.note' } },
          no: { promised: 'string', basis: { replaces: 'data.no' } },
        },
      },
    })
    expect(() => answeredRecord(mapping, {})).toThrow('number')
  })

  it('says what a line replaces', () => {
    const shipped = aRecord({ at: timestamp(), 'rate.a': from('x.a'), 'rate.b': from('x.b') })
    const { response } = corrected(shipped, {
      response: { at: { lost: 'gone' }, rate: { from: 'data.rates' }, new: { always: 1 } },
    })
    expect(response).toMatchObject({
      shape: {
        rules: {
          at: { basis: { replaces: 'data.at: v1 writes milliseconds and Z, legacy +00:00 and no milliseconds' } },
          rate: { basis: { replaces: 'data.x.a; data.x.b' } },
          new: { basis: { replaces: undefined } },
        },
      },
    })
  })
})
