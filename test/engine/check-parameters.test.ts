import { describe, expect, it } from 'vitest'
import { checkOperations } from '../../src/engine/compile/check-operations.ts'
import { noContent, type Operation, operation, page, post, record, wholeList } from '../../src/mapping/operation.ts'
import { positiveId, text } from '../../src/mapping/reader.ts'
import {
  body,
  bodyParameters,
  query,
  queryParameters,
  retired,
  segment,
  stitched,
  widened,
} from '../../src/mapping/request.ts'
import { assumed, shape } from '../../src/mapping/shape.ts'

const nothing = shape('Nothing', {})
const sound = operation('made-up', {
  says: 'Made up.',
  legacy: post('/made/up'),
  v1: post('/api/v1/made-up'),
  request: body(nothing),
  response: record(nothing),
  effect: 'write',
  authorization: 'none',
})
const problemsOf = (change: Partial<Operation>): readonly string[] => checkOperations([{ ...sound, ...change }])
const paging = { paging: { page: 'page', perPage: 'perPage', mostPerPage: 200 }, defaultPerPage: 25 }
const aPage = page({ rows: ['data', nothing], meta: ['pagination', nothing] })

describe('parameters are invalid', () => {
  const withId = { v1: post('/a/{id}'), response: noContent(204) }
  it.each<[string, Partial<Operation>, string]>([
    ['when nothing fills the path', { ...withId, request: bodyParameters({}) }, 'v1: nothing fills {id}'],
    [
      'when the path has no such name',
      { request: bodyParameters({ key: segment(positiveId) }) },
      "request: v1's path has no {key}",
    ],
    [
      'when two of them become the same parameter',
      { request: bodyParameters({ a: query(), b: query(text, 'a') }) },
      "request: v1's a is mapped twice",
    ],
    [
      'when they are assumed without a reason',
      { request: bodyParameters({ 'a.b': assumed(' ', query()) }) },
      'request, a.b: assumed without a reason',
    ],
    [
      'when a record can be empty',
      { request: bodyParameters({ a: retired(['4'], 'gone', query()) }) },
      'request, a: a removed value needs an answer that is a page',
    ],
    [
      'when a record is widened',
      { request: queryParameters({ a: widened('it finds more', { in: 'name' }, query()) }) },
      'request, a: a widening needs a query parameter, and an answer that is a whole list',
    ],
    [
      'when a widening has no reason',
      {
        request: queryParameters({ a: widened(' ', { in: 'name' }, query()) }),
        response: wholeList(nothing, paging.paging),
      },
      'request, a: a widening needs a reason',
    ],
    [
      'when a page is not stitched',
      { request: bodyParameters({}), response: aPage },
      'request: a page needs stitching, and only a page may have it',
    ],
  ])('%s', (_, change, problem) => {
    expect(problemsOf(change)).toEqual([`mappings/made-up: ${problem}`])
  })

  it('when no parameter names the page', () => {
    const request = bodyParameters({ page: query() }, { stitching: stitched(paging) })
    expect(problemsOf({ request, response: aPage })).toEqual([
      'mappings/made-up: request: nothing fills perPage, which stitching needs',
    ])
    expect(
      problemsOf({ request: bodyParameters({ page: query(), perPage: query() }, { stitching: stitched(paging) }) }),
    ).toEqual(['mappings/made-up: request: a page needs stitching, and only a page may have it'])
  })

  it.each<[string, Partial<Operation>, RegExp]>([
    [
      'when one is within another',
      { request: bodyParameters({ a: query(text, 'x'), 'a.b': query() }) },
      /made-up: request.*a\.b/,
    ],
    [
      'when two of them fill the same place of the path',
      { ...withId, request: bodyParameters({ id: segment(positiveId), key: segment(positiveId, 'id') }) },
      /made-up: request.*id/,
    ],
    [
      'when a removed value has no reason',
      {
        request: bodyParameters(
          { page: query(), perPage: query(), a: retired(['4'], '', query()) },
          { stitching: stitched(paging) },
        ),
        response: aPage,
      },
      /made-up: request, a/,
    ],
    [
      'when the stitching is assumed without a reason',
      {
        request: bodyParameters({ page: query(), perPage: query() }, { stitching: assumed('', stitched(paging)) }),
        response: aPage,
      },
      /made-up: request.*reason/,
    ],
  ])('%s', (_, change, problem) => {
    expect(problemsOf(change)).toEqual([expect.stringMatching(problem)])
  })
})
