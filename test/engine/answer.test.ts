import { describe, expect, it } from 'vitest'
import { ALL_ROWS, checkAcknowledged, rewriteList, rewriteRecord, rewriteRows } from '../../src/engine/answer.ts'
import { compile } from '../../src/engine/compile/compile.ts'
import { JsonError } from '../../src/engine/json/scan-json.ts'
import type { ValuePlan } from '../../src/engine/rewrite/rewrite-plan.ts'
import { PromiseError } from '../../src/engine/rewrite/rewrite-plan.ts'
import { from, promised, same, shape } from '../../src/mapping/shape.ts'

const row: ValuePlan = { kind: 'object', plan: compile(shape('Row', { n: from('number') }), 'toLegacy') }
const rows: ValuePlan = { kind: 'list', row, counted: false }
const META = '"meta":{"page":1,"perPage":25,"total":3,"pageCount":1}'

const record = (text: string): string => rewriteRecord(row, Buffer.from(text)).toString()
const list = (text: string): string => rewriteList(rows, Buffer.from(text)).toString()
const page = (text: string): unknown => rewriteRows(row, Buffer.from(text), ALL_ROWS)

describe('a record', () => {
  it('is data, without its envelope', () => {
    expect(record('{"success":true,"message":"Tamam","data":{"number":1.0},"meta":{}}')).toBe('{"n":1.0}')
    expect(record(' { "data" : { "number" : 1 } , "x" : [ ] } ').replaceAll(' ', '')).toBe('{"n":1}')
  })

  it('is the last of duplicates', () => {
    expect(record('{"data":{"number":1},"data":{"number":2}}')).toBe('{"n":2}')
    expect(record('{"d\\u0061ta":{"number":1}}')).toBe('{"n":1}')
  })
})

describe('a list', () => {
  it('is items, without their envelope', () => {
    expect(list('{"success":true,"items":[{"number":1},null,"x",{}]}')).toBe('[{"n":1},null,"x",{}]')
    expect(list('{"items":[]}')).toBe('[]')
  })
})

describe.each([
  ['record', record],
  ['list', list],
  ['page', page],
])('an invalid envelope of a %s', (_, read: (text: string) => unknown) => {
  it.each([
    '{}',
    '[]',
    '"data"',
    'null',
    '7',
    '{"data":null,"items":null}',
    '{"data":[],"items":{}}',
    '{"data":"","items":""}',
  ])('is malformed: %s', (text) => {
    expect(() => read(text)).toThrow(PromiseError)
  })

  it.each(['false', 'null', '"true"', '1', '{}'])('is malformed with success %s', (success) => {
    expect(() => read(`{"data":{},"items":[],${META},"success":${success}}`)).toThrow(PromiseError)
  })

  it('is malformed when one of two success members is false', () => {
    expect(() => read(`{"success":false,"data":{},"items":[],${META},"success":true}`)).toThrow(PromiseError)
  })

  it.each([
    '',
    ' ',
    '<html>',
    '{"data":{},"items":[]',
    '{xdata":{},"items":[]}',
    '{"data":{},"items":[]}}',
    '{"data":nul}',
    '{"items":[{]}',
    '{"x":01}',
  ])('is not JSON: %j', (text) => {
    expect(() => read(text)).toThrow(JsonError)
  })
})

describe('an acknowledgement', () => {
  it.each(['{"success":true,"message":"Tamam"}', '{}', '{"data":7}'])('is %s', (text) => {
    expect(() => checkAcknowledged(Buffer.from(text))).not.toThrow()
  })

  it.each(['{"success":false}', '[]', 'null', '""'])('is not %s', (text) => {
    expect(() => checkAcknowledged(Buffer.from(text))).toThrow(PromiseError)
  })

  it.each(['', 'OK', '{"success":true'])('is not %j, which is not JSON', (text) => {
    expect(() => checkAcknowledged(Buffer.from(text))).toThrow(JsonError)
  })
})

describe('a promise within a record', () => {
  const token = shape('Token', { token: promised('string', same()) })

  it('reports the name of a missing member, and no value', () => {
    const plan: ValuePlan = { kind: 'object', plan: compile(token, 'toLegacy') }
    const error = 'Token, token: no string, which the contract promises'
    expect(() => rewriteRecord(plan, Buffer.from('{"data":{"token":12345}}'))).toThrow(error)
    expect(() => rewriteRecord(plan, Buffer.from('{"data":{}}'))).toThrow(
      'Token: no token, which the contract promises',
    )
  })
})
