import { describe, expect, it, test } from 'vitest'
import { compileOperations } from '../../../src/engine/compile/compile-operations.ts'
import type { RequestLine } from '../../../src/mapping/corrections/corrections.ts'
import { noContent, type Operation, operation, page, post, record } from '../../../src/mapping/operation.ts'
import { integer, oneOf, positiveId, written } from '../../../src/mapping/reader.ts'
import { body, bodyParameters, query, queryParameters, segment, stitched } from '../../../src/mapping/request.ts'
import { list, lost, object, same, shape } from '../../../src/mapping/shape.ts'
import { corrected, thing } from './support.ts'

type Lines = Readonly<Record<string, RequestLine>>

/** The v1 call that a legacy call becomes: its path with the query, or its body. */
function sent(mapping: Operation, legacy: string | object): unknown {
  const [compiled] = compileOperations([mapping])
  const input =
    typeof legacy === 'string'
      ? { query: legacy, body: Buffer.from('') }
      : { query: '', body: Buffer.from(JSON.stringify(legacy)) }
  const { call, violations = [] } = compiled?.translateRequest(input) ?? {}
  if (call === undefined) return violations
  if (mapping.request.kind === 'body') return JSON.parse(Buffer.from(call.body ?? []).toString())
  return `${call.path}${call.query === '' ? '' : `?${call.query}`}`
}

const withQuery = thing(
  record(shape('Thing', {})),
  queryParameters({ cityId: query(written('int')), sortBy: query(oneOf(['name'], { price: 'priceTry' })) }),
)
const withMembers = thing(
  record(shape('Thing', {})),
  bodyParameters({ 'dateAt.from': query(written('string'), 'dateFrom') }),
)
const withPath: Operation = operation('thing', {
  ...thing(noContent(204), bodyParameters({ id: segment(positiveId) })),
  v1: post('/v1/things/{id}'),
})
const parcel = shape('Parcel', { weight: same('number') })
const withBody: Operation = {
  ...thing(
    record(shape('Thing', {})),
    body(
      shape(
        'Request',
        { parcels: list(parcel), to: object(shape('To', { city: same('string') })), note: lost('v1 does not take it') },
        { closed: true },
      ),
    ),
  ),
  v1: post('/v1/things'),
}

const TABLE: readonly (readonly [
  what: string,
  shipped: Operation,
  lines: Lines,
  legacy: string | object,
  v1: unknown,
])[] = [
  [
    'a parameter that the mapping does not know',
    withQuery,
    { cityName: { to: 'nameExact' } },
    'cityName=Bolu&x=1',
    '/v1/things?nameExact=Bolu',
  ],
  ['a parameter with another name in v1', withQuery, { cityId: { to: 'city' } }, 'cityId=7', '/v1/things?city=7'],
  [
    'a parameter whose values the mapping renames keeps them',
    withQuery,
    { sortBy: { to: 'order' } },
    'sortBy=price',
    '/v1/things?order=priceTry',
  ],
  [
    'a parameter with another name in legacy',
    withQuery,
    { sort: { to: 'sortBy' }, sortBy: { drop: true } },
    'sort=price&sortBy=name',
    '/v1/things?sortBy=priceTry',
  ],
  [
    'a parameter that v1 does not get',
    withQuery,
    { cityId: { drop: true } },
    'cityId=7&sortBy=name',
    '/v1/things?sortBy=name',
  ],
  [
    'values with other names',
    withQuery,
    { state: { to: 'status', enum: { open: 'ACTIVE' } } },
    'state=open',
    '/v1/things?status=ACTIVE',
  ],
  [
    'two legacy names of one v1 value',
    withQuery,
    { state: { to: 'status', enum: { open: 'ACTIVE', opened: 'ACTIVE' } } },
    'state=opened',
    '/v1/things?status=ACTIVE',
  ],
  ['minor units', withQuery, { least: { to: 'leastTotal', scale: 2 } }, 'least=12.50', '/v1/things?leastTotal=1250'],
  [
    'a timestamp',
    withQuery,
    { since: { to: 'from', as: 'timestamp' } },
    'since=2025-01-31T10:24:19%2B00:00',
    '/v1/things?from=2025-01-31T10%3A24%3A19.000Z',
  ],
  [
    'seconds',
    withQuery,
    { since: { to: 'from', as: 'epoch' } },
    'since=1738319059',
    '/v1/things?from=2025-01-31T10%3A24%3A19.000Z',
  ],
  ['1 and 0', withQuery, { open: { to: 'isOpen', as: '0/1' } }, 'open=1', '/v1/things?isOpen=true'],
  [
    'a nested member',
    withMembers,
    { 'dateAt.to': { to: 'dateTo' } },
    { dateAt: { from: 'a', to: 'b' } },
    '/v1/things?dateFrom=a&dateTo=b',
  ],
  [
    'a member that fills the path',
    withPath,
    { id: { drop: true }, importId: { to: 'id' } },
    { importId: 17 },
    '/v1/things/17',
  ],
  ['a member of a body', withBody, { reference: { to: 'ref' } }, { reference: 'A', x: 1 }, { ref: 'A' }],
  [
    'a member of an object',
    withBody,
    { 'to.district': { to: 'to.county' } },
    { to: { city: 'Bolu', district: 'Merkez' } },
    { to: { city: 'Bolu', county: 'Merkez' } },
  ],
  ['a member that v1 has nested', withBody, { height: { to: 'size.height' } }, { height: 2 }, { size: { height: 2 } }],
  [
    'a member that leaves its object',
    withBody,
    { 'to.city': { to: 'city' } },
    { to: { city: 'Bolu', x: 1 } },
    { city: 'Bolu', to: { x: 1 } },
  ],
  [
    'a member that legacy has nested',
    withBody,
    { 'size.height': { to: 'height' } },
    { size: { height: 2 } },
    { height: 2 },
  ],
  [
    'a member of the rows',
    withBody,
    { 'parcels[].kilos': { to: 'parcels[].weightKg' } },
    { parcels: [{ weight: 1, kilos: 2 }] },
    { parcels: [{ weight: 1, weightKg: 2 }] },
  ],
  [
    'a member that v1 no longer takes',
    withBody,
    { 'parcels[].weight': { drop: true } },
    { parcels: [{ weight: 1, x: 2 }] },
    { parcels: [{ x: 2 }] },
  ],
  ['a member that was lost', withBody, { note: { to: 'comment' } }, { note: 'a' }, { comment: 'a' }],
  [
    'a text that v1 takes as a number',
    withBody,
    { 'parcels[].weight': { to: 'parcels[].weight', as: 'string' } },
    { parcels: [{ weight: '1.50' }] },
    { parcels: [{ weight: 1.5 }] },
  ],
  [
    'values of a body',
    withBody,
    {
      state: {
        to: 'status',
        enum: [
          [1, 'ACTIVE'],
          [0, 'PASSIVE'],
        ],
      },
    },
    { state: 1 },
    { status: 'ACTIVE' },
  ],
]

describe('corrections of requests', () => {
  test.each(TABLE)('%s', (_, shipped, request, legacy, v1) => {
    expect(sent(corrected(shipped, { request }), legacy)).toEqual(v1)
  })

  it('rename the parameters by which pages are stitched', () => {
    const paging = { page: 'page', perPage: 'perPage', mostPerPage: 9 }
    const shipped = thing(
      page({ rows: ['data', shape('Row', {})], meta: ['pagination', shape('Counts', {})] }),
      bodyParameters(
        { page: query(integer(1, 9)), perPage: query(integer(1, 9)) },
        { stitching: stitched({ paging, defaultPerPage: 5 }) },
      ),
    )
    const request = { page: { to: 'pageNo' }, perPage: { drop: true }, limit: { to: 'perPage' } } as const
    const [compiled] = compileOperations([corrected(shipped, { request })])
    const input = { query: '', body: Buffer.from('{"page":2,"limit":3}') }
    expect(compiled?.translateRequest(input).call).toMatchObject({
      query: '',
      page: { page: 2, perPage: 3, paging: { page: 'pageNo', perPage: 'perPage', mostPerPage: 9 } },
    })
    expect(compiled?.translateRequest({ query: '', body: Buffer.from('{"limit":30}') }).violations).toMatchObject([
      { path: 'limit', message: 'not-an-integer' },
    ])
  })

  it('keep what the mapping says beside the name', () => {
    const request = { cityId: { to: 'city' } } as const
    const changed = corrected(withQuery, { request, why: 'week 1', by: 'team' }).request
    expect(changed).toMatchObject({
      parameters: {
        cityId: { v1: 'city', basis: { kind: 'corrected', why: 'week 1', by: 'team', replaces: 'cityId: as written' } },
      },
    })
  })
})
