import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { checkOperations } from '../../src/engine/compile/check-operations.ts'
import { compileOperations, MappingError } from '../../src/engine/compile/compile-operations.ts'
import { get, type Operation, operation, post, record, wholeList } from '../../src/mapping/operation.ts'
import { calendarDate } from '../../src/mapping/reader.ts'
import { body, query, queryParameters } from '../../src/mapping/request.ts'
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
const passThrough = { kind: 'pass-through' } as const

describe('valid mappings', () => {
  it('have no problems', () => {
    expect(checkOperations([sound])).toEqual([])
    expect(checkOperations(operations)).toEqual([])
    expect(problemsOf({ v1: undefined, request: passThrough, response: passThrough })).toEqual([])
  })
})

describe('an operation is invalid', () => {
  it.each<[string, Partial<Operation>, string]>([
    ['without a description', { says: ' ' }, 'says: write a sentence for people who migrate a client'],
    ['without an effect', { effect: undefined as never }, 'effect: undefined must be read, calculation or write'],
    ['with another effect', { effect: 'delete' as never }, 'effect: delete must be read, calculation or write'],
    ['with a legacy path without a slash', { legacy: post('made/up') }, 'legacy: the path must start with a slash'],
    ['with a v1 path without a slash', { v1: post('api') }, 'v1: the path must start with a slash'],
    ['with a legacy path with parameters', { legacy: post('/a/{id}') }, 'legacy: a legacy path cannot have parameters'],
    ['that sends a body in a GET', { v1: get('/a') }, 'request: a GET of v1 cannot have a body'],
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
      'that asks for a whole list with a body',
      { response: wholeList(nothing, { page: 'page', perPage: 'perPage', mostPerPage: 200 }) },
      'request: a whole list is cached by its parameters, and a body has none',
    ],
    [
      'with a date in a zone that there is not',
      {
        v1: get('/a'),
        request: queryParameters({ day: query(calendarDate({ zone: 'Europe/Istambul' })) }),
      },
      'request, day: there is no time zone "Europe/Istambul"; name one of the IANA database, such as Europe/Istanbul',
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

describe('a set of operations is invalid', () => {
  it('when two have the same id or legacy route', () => {
    expect(checkOperations([sound, { ...sound, legacy: post('/other') }])).toEqual([
      'mappings/made-up: id: made-up is already mapped by made-up',
    ])
    expect(checkOperations([sound, { ...sound, id: 'other' }])).toEqual([
      'mappings/other: legacy: POST /made/up is already mapped by made-up',
    ])
    expect(checkOperations([sound, { ...sound, id: 'other', legacy: get('/made/up') }])).toEqual([])
  })

  it('and all problems are reported at once', () => {
    const wrong = [
      { ...sound, says: '' },
      { ...sound, id: 'other', legacy: post('other'), errors: { A: { reason: '' } } },
    ]
    const error = new MappingError(checkOperations(wrong))
    expect(() => compileOperations(wrong)).toThrow(MappingError)
    expect(() => compileOperations(wrong)).toThrow(error.message)
    expect(error.problems).toEqual([
      'mappings/made-up: says: write a sentence for people who migrate a client',
      'mappings/other: legacy: the path must start with a slash',
      'mappings/other: errors, A: an exception needs a reason',
    ])
    for (const problem of error.problems) expect(error.message).toContain(problem)
  })
})
