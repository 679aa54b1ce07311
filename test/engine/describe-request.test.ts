import { describe, expect, it } from 'vitest'
import { describeRequest } from '../../src/guide/openapi/legacy-parameters.ts'
import { legacyBook, NOT_SENT } from '../../src/guide/openapi/legacy-schemas.ts'
import { decimalConverter, enumConverter } from '../../src/mapping/converter.ts'
import { get, noContent, operation, post } from '../../src/mapping/operation.ts'
import {
  calendarDate,
  convertedBy,
  integer,
  oneOf,
  positiveId,
  type Reader,
  text,
  written,
} from '../../src/mapping/reader.ts'
import {
  bodyParameters,
  query,
  queryParameters,
  type RequestMapping,
  segment,
  stitched,
} from '../../src/mapping/request.ts'
import { problemsOf } from '../support/json-schema.ts'

const document = { components: { schemas: NOT_SENT } }

const describing = (request: RequestMapping) =>
  describeRequest(
    operation('made-up', {
      says: 'Made up.',
      legacy: post('/made/up'),
      v1: get('/api/v1/made-up'),
      request,
      response: noContent(204),
      effect: 'read',
      authorization: 'none',
    }),
    legacyBook(),
  )

const readers: readonly (readonly [string, Reader, readonly unknown[], readonly unknown[]])[] = [
  ['a whole number in a range', integer(1, 200), [1, 200, '50', null], [0, 201, 1.5, '1.5', 'a', true, [1]]],
  ['an id', positiveId, [1, '17', null], [0, 1.5, 'a', [1]]],
  ['a date', calendarDate(), ['2025-01-31', '', null], [1, { a: 1 }]],
  ['one of some values, or another, which is not sent', oneOf(['a', 'b']), ['a', 'b', null, 'c', 1, ['a']], []],
  ['one of an enum, or another', convertedBy(enumConverter({ a: 'B' })), ['a', 'c', null, 1], []],
  ['a decimal, or its text', convertedBy(decimalConverter(2)), [1.5, 12, '1.50', null], [true, { a: 1 }, [1]]],
  ['anything but a list or an object', text, ['a', 1.5, true, null], [{ a: 1 }, [1]]],
  ['an int of the contract', written('int'), [1, '1', null], [1.5, true]],
  ['a bool of the contract', written('bool'), [true, 0, 'true', null], [1.5, { a: 1 }]],
  ['a string of the contract', written('string'), ['a', 1, true, null], [[1]]],
]

describe('a member of a body that becomes a parameter', () => {
  it.each(readers)('may be %s, its text, or nothing', (_, reader, right, wrong) => {
    const { requestBody } = describing(bodyParameters({ 'a.b': query(reader) })) as {
      readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: unknown } } }
    }
    const { schema } = requestBody.content['application/json']
    for (const value of right) expect(problemsOf({ a: { b: value } }, schema, document), String(value)).toEqual([])
    for (const value of wrong) expect(problemsOf({ a: { b: value } }, schema, document), String(value)).not.toEqual([])
    for (const nothing of [null, '', [], {}]) {
      expect(problemsOf({ a: nothing, other: 1 }, schema, document)).toEqual([])
      expect(problemsOf({ a: { b: nothing } }, schema, document)).toEqual([])
    }
  })

  it('is required when it goes into the path, and so is the body', () => {
    expect(describing(bodyParameters({ id: segment(positiveId), note: query() })).requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { required: ['id'] } } },
    })
  })

  it('has its default when pages are stitched', () => {
    const paging = { page: 'page', perPage: 'perPage', mostPerPage: 200 }
    const request = bodyParameters(
      { page: query(integer(1, 9)), rows: query(integer(1, 900), 'perPage') },
      { emptyBody: 'an empty object', stitching: stitched({ paging, defaultPerPage: 25 }) },
    )
    const { requestBody } = describing(request)
    expect(requestBody).toMatchObject({
      required: false,
      content: {
        'application/json': { schema: { anyOf: [{ properties: { rows: { default: 25 } } }, { maxItems: 0 }] } },
      },
    })
    expect(requestBody).not.toHaveProperty('content.application/json.schema.anyOf[0].properties.page.default')
  })
})

describe('a parameter of a query', () => {
  it.each([
    ['a whole number in a range', integer(1, 200), { type: 'integer', minimum: 1, maximum: 200 }],
    ['a date', calendarDate(), { type: 'string' }],
    [
      'one of some values, as legacy names them, or another, which is not sent',
      oneOf(['a'], { b: 'c' }),
      { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'string' }] },
    ],
    [
      'one of an enum, or another',
      convertedBy(enumConverter({ a: 'B' })),
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'string' }] },
    ],
    ['a decimal', convertedBy(decimalConverter(2)), { type: 'string', format: 'decimal' }],
    ['anything', text, { type: 'string' }],
    ['an int of the contract', written('int'), { type: 'integer' }],
    ['a bool of the contract', written('bool'), { anyOf: [{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }] }],
  ])('may be %s', (_, reader, schema) => {
    const { parameters } = describing(queryParameters({ sortBy: query(reader, 'order') }))
    expect(parameters).toContainEqual({
      name: 'sortBy',
      in: 'query',
      required: false,
      allowEmptyValue: true,
      description: expect.stringMatching(/^In v1: \?order\. .*Documented\.$/),
      schema,
      'x-basis': 'documented',
    })
  })
})
