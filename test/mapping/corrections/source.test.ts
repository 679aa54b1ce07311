import { describe, expect, it, test } from 'vitest'
import * as conversions from '../../../src/mapping/conversions.ts'
import * as converters from '../../../src/mapping/converter.ts'
import type { OperationCorrections } from '../../../src/mapping/corrections/corrections.ts'
import { type SourceSection, sourceSections } from '../../../src/mapping/corrections/source-sections.ts'
import * as filled from '../../../src/mapping/filled-lines.ts'
import { type Operation, page, post, record } from '../../../src/mapping/operation.ts'
import * as readers from '../../../src/mapping/reader.ts'
import * as requests from '../../../src/mapping/request.ts'
import * as shapes from '../../../src/mapping/shape.ts'
import { aList, answeredRecord, answeredRow, aRecord, corrected, thing } from './support.ts'

const { fromRequestRow } = filled
const { givenByService, list, object, orNull, promised, same, shape, timestamp } = shapes
const { body, bodyParameters, query, queryParameters, stitched } = requests
const { calendarDate, integer, oneOf, positiveId, written } = readers

const CONSTRUCTORS: Readonly<Record<string, unknown>> = {
  ...shapes,
  ...filled,
  ...requests,
  ...readers,
  ...converters,
  ...conversions,
}

/** What the printed lines of a table are when a mapping file has them. */
function evaluated<Line>(lines: readonly string[]): Readonly<Record<string, Line>> {
  const make = new Function(...Object.keys(CONSTRUCTORS), `return {${lines.join('\n')}}`)
  return make(...Object.values(CONSTRUCTORS)) as Readonly<Record<string, Line>>
}

const without = <Line>(table: Readonly<Record<string, Line>>, removed: readonly string[]): Record<string, Line> =>
  Object.fromEntries(Object.entries(table).filter(([key]) => !removed.includes(key)))

/** Puts the printed lines into a shape, and into those within it. */
function pasted(into: shapes.Shape, at: string, sections: readonly SourceSection[]): shapes.Shape {
  const section = sections.find((one) => one.shape === into && one.at === at)
  const { lines = [], v1Only = [], removed = [] } = section ?? {}
  const kept = Object.entries(without(into.rules, removed)).map(([member, rule]) => {
    if (rule.kind !== 'field' || !('shape' in rule.value)) return [member, rule] as const
    const path = `${at === '' ? '' : `${at}.`}${member}${rule.value.kind === 'list' ? '[]' : ''}`
    return [member, { ...rule, value: { ...rule.value, shape: pasted(rule.value.shape, path, sections) } }] as const
  })
  return {
    ...into,
    rules: { ...Object.fromEntries(kept), ...evaluated<shapes.Rule>(lines) },
    v1Only: { ...without(into.v1Only, removed), ...evaluated<string>(v1Only) },
  }
}

/** A shape or a table of parameters without what only pages show. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, member) =>
      key === 'basis' ? undefined : typeof member === 'string' ? member.replace('MAPPING_FILE: ', '') : member,
    ),
  )

const region = shape('Region', { id: same('int') })
const ANSWERS: readonly (readonly [
  what: string,
  shipped: Operation,
  corrections: OperationCorrections,
  v1: unknown,
])[] = [
  [
    'every way of writing a line',
    aList({ at: timestamp(), old: same(), region: object(region) }, { v1Only: { secret: 'only v1' } }),
    {
      why: "it's new",
      response: {
        '[].plate': { from: 'items[].plateCode', absent: 'null' },
        '[].area': { from: 'items[].area', as: 'string' },
        '[].size': { from: 'items[].size', as: 'number', absent: 'missing' },
        '[].open': { from: 'items[].isOpen', as: '0/1' },
        '[].at': { from: 'items[].madeAt', as: 'epoch' },
        '[].day': { from: 'items[].madeAt', as: 'date' },
        '[].code': { from: 'items[].code', as: 'upper' },
        '[].key': { from: 'items[].code', as: 'lower' },
        '[].when': { from: 'items[].madeAt', as: 'timestamp' },
        '[].price': { from: 'items[].priceMinor', scale: 2 },
        '[].state': { from: 'items[].status', enum: { open: 'ACTIVE', "it's-shut": 'CLOSED' } },
        '[].level': {
          from: 'items[].level',
          enum: [
            [1, 'ACTIVE'],
            [0, 'PASSIVE'],
            [1, 'NEW'],
          ],
        },
        '[].name': { join: ['items[].first', ' \\ ', 'items[].last'] },
        '[].currency': { always: { a: ['b'] } },
        '[].lost-one': { lost: "v1 doesn't know it" },
        '[].dropped': { drop: true },
        '[].old': { drop: true },
        '[].region.name': { from: 'items[].regionName' },
        '[].secret2': { from: 'items[].secret' },
        '[].tags[].city': { from: 'items[].name2' },
      },
    },
    {
      ...{
        plateCode: null,
        area: 1.5,
        size: '7',
        isOpen: true,
        madeAt: '2025-01-31T10:24:19.000Z',
        code: 'Ab',
        priceMinor: 5,
      },
      ...{
        status: 'CLOSED',
        level: 'NEW',
        first: 'a',
        last: 'b',
        dropped: 1,
        old: 2,
        region: { id: 1 },
        regionName: 'M',
        secret: 3,
      },
      ...{ tags: [{ x: 1 }], name2: 'B' },
    },
  ],
  [
    'what else the lines say',
    aRecord({
      madeAt: givenByService('time', timestamp()),
      note: orNull(same('string')),
      no: promised('string', same()),
      rows: list(shape('Row', { id: fromRequestRow('rows', 'id', 'int') })),
    }),
    {
      response: {
        madeAt: { from: 'data.createdAt', as: 'timestamp' },
        note: { from: 'data.comment' },
        no: { from: 'data.number' },
        'rows[].currency': { from: 'data.currency' },
        'to.city': { from: 'data.to.town' },
        'to.zip': { from: 'data.zip' },
      },
    },
    {
      createdAt: 'x',
      comment: null,
      number: 'A',
      rows: [{ a: 1 }],
      currency: 'TRY',
      to: { town: 'Bolu', x: 1 },
      zip: '14',
    },
  ],
]

const rowsAndCounts = page({ rows: ['data', shape('Row', {})], meta: ['counts', shape('Counts', {})] })
const REQUESTS: readonly (readonly [what: string, shipped: Operation, request: OperationCorrections['request']])[] = [
  [
    'of a query',
    thing(
      record(region),
      queryParameters({
        sort: query(oneOf(['name'], { cost: 'price' })),
        id: query(positiveId),
        day: query(calendarDate({ zone: 'Europe/Istanbul' })),
        on: query(calendarDate()),
        gone: query(),
      }),
    ),
    {
      ...{
        sort: { to: 'sortBy' },
        id: { to: 'ids' },
        day: { to: 'dayOf' },
        on: { to: 'onDay' },
        gone: { drop: true },
        new: { to: 'newest' },
      },
      ...{
        state: { to: 'status', enum: { open: 'A', opened: 'A' } },
        least: { to: 'leastTotal', scale: 2 },
        since: { to: 'from', as: 'timestamp' },
        open: { to: 'isOpen', as: '0/1' },
      },
    },
  ],
  [
    'of stitched pages',
    thing(
      rowsAndCounts,
      bodyParameters(
        { page: query(integer(1, 9)), perPage: query(integer(1, 9)), 'at.from': query(written('string'), 'from') },
        { stitching: stitched({ paging: { page: 'page', perPage: 'perPage', mostPerPage: 9 }, defaultPerPage: 5 }) },
      ),
    ),
    { page: { to: 'pageNo' }, 'at.from': { to: 'since' } },
  ],
]

describe('the printed lines, in a mapping file', () => {
  test.each(ANSWERS)('give the same answer: %s', (_, shipped, corrections, v1) => {
    const mapping = corrected(shipped, corrections)
    const { response } = shipped
    if (!('shape' in response)) throw new Error('no shape')
    const isRecord = response.kind === 'record'
    const inFile: Operation = {
      ...shipped,
      response: { ...response, shape: pasted(response.shape, isRecord ? '' : '[]', sourceSections(shipped, mapping)) },
    }
    expect(plain(inFile.response)).toEqual(plain(mapping.response))
    const answer = isRecord ? answeredRecord : answeredRow
    expect(answer(inFile, v1)).toEqual(answer(mapping, v1))
  })

  test.each(REQUESTS)('give the same request: %s', (_, shipped, request) => {
    const mapping = corrected(shipped, { request })
    const [section] = sourceSections(shipped, mapping)
    if (!('parameters' in shipped.request) || !('parameters' in mapping.request)) throw new Error('no parameters')
    const { lines = [], removed = [] } = section ?? {}
    const inFile = { ...without(shipped.request.parameters, removed), ...evaluated<requests.Parameter>(lines) }
    expect(plain(inFile)).toEqual(plain(mapping.request.parameters))
  })

  it('name what a stitched page asks v1 for', () => {
    const [, shipped, request] = REQUESTS[1] as (typeof REQUESTS)[number]
    const [section] = sourceSections(shipped, corrected(shipped, { request }))
    expect(section?.remarks).toEqual(["stitched: paging: { page: 'pageNo', perPage: 'perPage', mostPerPage: 9 }"])
  })

  it('are those of a body, within its objects and rows', () => {
    const sent = shape('Request', { rows: list(shape('Parcel', { weight: same('number') })) })
    const shipped: Operation = { ...thing(record(region), body(sent)), v1: post('/v1/things') }
    const mapping = corrected(shipped, {
      request: { 'rows[].kilos': { to: 'rows[].weightKg' }, ref: { to: 'reference' } },
    })
    expect(sourceSections(shipped, mapping).map(({ part, at, lines }) => [part, at, lines])).toEqual([
      ['request', '', ["ref: from('reference'),"]],
      ['request', 'rows[]', ["kilos: from('weightKg'),"]],
    ])
  })

  it('are none where nothing changes', () => {
    expect(sourceSections(aRecord(), corrected(aRecord(), {}))).toEqual([])
  })
})
