import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { checkOperations } from '../../src/engine/check-operations.ts'
import { compileOperations } from '../../src/engine/compile-operations.ts'
import { MappingError } from '../../src/engine/mapping-error.ts'
import { assumed } from '../../src/mapping/basis.ts'
import { get, noContent, type Operation, operation, page, post, record } from '../../src/mapping/operation.ts'
import { positiveId, text } from '../../src/mapping/reader.ts'
import { body, bodyParameters, query, retired, segment, stitched } from '../../src/mapping/request.ts'
import { shape } from '../../src/mapping/shape.ts'

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
const paging = { page: 'page', perPage: 'perPage', defaultPerPage: 25, v1MostPerPage: 200 }
const aPage = page({ rows: ['data', nothing], meta: ['pagination', nothing] })
const passThrough = { kind: 'pass-through' } as const

describe('sound mappings', () => {
  it('have no problems', () => {
    expect(checkOperations([sound])).toEqual([])
    expect(checkOperations(operations)).toEqual([])
    expect(problemsOf({ v1: undefined, request: passThrough, response: passThrough })).toEqual([])
  })
})

describe('an operation cannot be right', () => {
  it.each<[string, Partial<Operation>, string]>([
    ['without a sentence', { says: ' ' }, 'says: a sentence for whoever migrates a client is missing'],
    ['without an effect', { effect: undefined as never }, 'effect: undefined is none of read, calculation, write'],
    ['with another effect', { effect: 'delete' as never }, 'effect: delete is none of read, calculation, write'],
    ['with a legacy path without a slash', { legacy: post('made/up') }, 'legacy: the path must start with a slash'],
    ['with a v1 path without a slash', { v1: post('api') }, 'v1: the path must start with a slash'],
    ['with a legacy path with parameters', { legacy: post('/a/{id}') }, 'legacy: a legacy path has no parameters'],
    ['that sends a body in a GET', { v1: get('/a') }, 'request: a GET of v1 takes no body'],
    [
      'without v1 that is translated',
      { v1: undefined },
      'v1: an operation passes through exactly when v1 has no equivalent',
    ],
    [
      'with v1 that passes through',
      { request: passThrough, response: passThrough },
      'v1: an operation passes through exactly when v1 has no equivalent',
    ],
    [
      'with an exception without a reason',
      { errors: { A_CODE: { status: 500, reason: '' } } },
      'errors, A_CODE: an exception needs a reason',
    ],
  ])('%s', (_, change, problem) => {
    expect(problemsOf(change)).toEqual([`mappings/made-up: ${problem}`])
  })
})

describe('parameters cannot be right', () => {
  const withId = { v1: post('/a/{id}'), response: noContent(204) }
  it.each<[string, Partial<Operation>, string]>([
    ['when nothing fills the path', { ...withId, request: bodyParameters({}) }, 'v1: nothing fills {id}'],
    [
      'when the path has no such name',
      { request: bodyParameters({ key: segment(positiveId) }) },
      "request: v1's path has no {key}",
    ],
    [
      'when two of them become one',
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
      'request, a: only a page can be empty',
    ],
    [
      'when a page is not stitched',
      { request: bodyParameters({}), response: aPage },
      'request: a page is stitched, and nothing else is',
    ],
  ])('%s', (_, change, problem) => {
    expect(problemsOf(change)).toEqual([`mappings/made-up: ${problem}`])
  })

  it('when nothing says which page is wanted', () => {
    const request = bodyParameters({ page: query() }, { stitching: stitched(paging) })
    expect(problemsOf({ request, response: aPage })).toEqual([
      'mappings/made-up: request: nothing fills perPage, by which pages are stitched',
    ])
    expect(
      problemsOf({ request: bodyParameters({ page: query(), perPage: query() }, { stitching: stitched(paging) }) }),
    ).toEqual(['mappings/made-up: request: a page is stitched, and nothing else is'])
  })

  // Expected: a problem each that names the field. Answered instead: none, and the mapping does not do what it says.
  it.each<[string, Partial<Operation>, RegExp]>([
    [
      'when one is within another',
      { request: bodyParameters({ a: query(text, 'x'), 'a.b': query() }) },
      /made-up: request.*a\.b/,
    ],
    [
      'when two of them fill one place of the path',
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

describe('a set of operations cannot be right', () => {
  it('when two have one id, or one legacy route', () => {
    expect(checkOperations([sound, { ...sound, legacy: post('/other') }])).toEqual([
      'mappings/made-up: id: made-up is mapped by made-up already',
    ])
    expect(checkOperations([sound, { ...sound, id: 'other' }])).toEqual([
      'mappings/other: legacy: POST /made/up is mapped by made-up already',
    ])
    expect(checkOperations([sound, { ...sound, id: 'other', legacy: get('/made/up') }])).toEqual([])
  })

  it('and everything that is wrong is said at once', () => {
    const wrong = [
      { ...sound, says: '' },
      { ...sound, id: 'other', legacy: post('other'), errors: { A: { reason: '' } } },
    ]
    const error = new MappingError(checkOperations(wrong))
    expect(() => compileOperations(wrong)).toThrow(MappingError)
    expect(() => compileOperations(wrong)).toThrow(error.message)
    expect(error.problems).toEqual([
      'mappings/made-up: says: a sentence for whoever migrates a client is missing',
      'mappings/other: legacy: the path must start with a slash',
      'mappings/other: errors, A: an exception needs a reason',
    ])
    for (const problem of error.problems) expect(error.message).toContain(problem)
  })
})
