import { describe, expect, it } from 'vitest'
import { checkOperations } from '../../src/engine/compile/check-operations.ts'
import { upper } from '../../src/mapping/conversions.ts'
import type { Converter } from '../../src/mapping/converter.ts'
import { timestampConverter } from '../../src/mapping/converter.ts'
import { constant, fromReference, joined } from '../../src/mapping/filled-lines.ts'
import { type Operation, operation, page, post, record, wholeList } from '../../src/mapping/operation.ts'
import { body, bodyParameters, query, stitched } from '../../src/mapping/request.ts'
import {
  assumed,
  converted,
  enumOf,
  from,
  ifAbsent,
  inRow,
  list,
  lost,
  object,
  promised,
  type Rule,
  type Shape,
  same,
  shape,
  timestamp,
} from '../../src/mapping/shape.ts'

const nothing = shape('Nothing', {})

const withShapes = (request: Shape, response: Shape, id = 'made-up'): Operation =>
  operation(id, {
    says: 'Made up.',
    legacy: post(`/${id}`),
    v1: post('/api/v1/made-up'),
    request: body(request),
    response: record(response),
    effect: 'write',
    authorization: 'none',
  })

const unitList: Operation = {
  ...withShapes(nothing, nothing, 'unit-list'),
  request: bodyParameters({}),
  response: wholeList(nothing, { page: 'page', perPage: 'perPage', mostPerPage: 200 }),
}

const problemsOf = (
  rules: Readonly<Record<string, Rule>>,
  options: Parameters<typeof shape>[2] = {},
): readonly string[] => checkOperations([withShapes(nothing, shape('Record', rules, options))])

const convertedBy = (by: Partial<Converter>): Rule => converted({ ...timestampConverter, ...by } as Converter, 'at')
const twice = enumOf({ open: 'PENDING', offen: 'PENDING' })
const source = { list: 'unit-list', match: 'code', sibling: 'code', take: 'name' }

describe('a shape is invalid', () => {
  it.each<[string, Readonly<Record<string, Rule>>, string]>([
    [
      'when a legacy path is within another',
      { a: from('x'), 'a.b': from('y') },
      'a.b: its legacy path overlaps that of another line',
    ],
    [
      'when a legacy path contains another',
      { 'a.b': from('y'), a: lost('gone') },
      'a: its legacy path overlaps that of another line',
    ],
    [
      'when both sides have an object of the same name',
      { 'tax.type': from('tax.kind'), 'tax.price': lost('gone') },
      'tax.type and tax.price: both sides have an object tax: give it a shape of its own',
    ],
    ['when a line is assumed without a reason', { a: assumed('', same()) }, 'a: assumed without a reason'],
    ['when a filled line is assumed without a reason', { a: assumed(' ', lost('x')) }, 'a: assumed without a reason'],
    ['when a loss has no reason', { a: lost(' ') }, 'a: lost without a reason'],
    [
      'when a converter cannot convert back',
      { a: convertedBy({ toV1: undefined as never }) },
      'a: the converter has no toV1: it cannot be reversed',
    ],
    [
      'when a converter cannot convert to legacy',
      { a: convertedBy({ toLegacy: undefined as never }) },
      'a: the converter has no toLegacy: it cannot be reversed',
    ],
    ['when an enum has no values', { a: enumOf({}) }, 'a: the converter has no samples'],
    [
      'when two values of an enum are the same in v1',
      { a: twice },
      `a: "open" and "offen" are both v1's "PENDING"; an answer can show one of them only: leave one out`,
    ],
    ['when a legacy path is invalid', { 'a..b': from('x') }, 'a..b: "a..b" is not a path of names and dots'],
    ['when a v1 path is invalid', { a: from('items[0]') }, 'a: "items[0]" is not a path of names and dots'],
    [
      'when it counts from a row that does not exist',
      { a: inRow(from('x'), 1) },
      'a: inRow counts 1 lists outwards; it is in no list within the answer: write 0',
    ],
    [
      'when a joined text counts from a row that does not exist',
      { a: joined([{ path: 'x', anchor: 2 }]) },
      'a: x of joined counts 2 lists outwards; it is in no list within the answer: write 0',
    ],
    [
      'when a joined text has no path',
      { a: joined([{ text: 'x' }]) },
      'a: joined(…) needs at least one { path }; for a fixed text write constant(…)',
    ],
    [
      'when a joined text has an invalid path',
      { a: joined([{ path: 'x[]' }]) },
      'a: "x[]" is not a path of names and dots',
    ],
    [
      'when a constant is no JSON value',
      { a: constant(undefined) },
      'a: constant(…) needs a JSON value: a text, a number or a list',
    ],
    ['when a constant is null', { a: constant(null) }, "a: constant(null) is what lost('why') says: write that"],
    [
      'when what stands for an absent member is misspelt',
      { a: ifAbsent('nul' as 'null', same()) },
      `a: ifAbsent shows "nul"; write 'null' or 'missing'`,
    ],
    [
      'when a member is promised and may be absent',
      { a: ifAbsent('null', promised('string', same())) },
      'a: promised and ifAbsent contradict each other: an answer without the member is malformed; leave one out',
    ],
    ['when a v1 path is empty', { a: timestamp('') }, 'a: "" is not a path of names and dots'],
  ])('%s', (_, rules, problem) => {
    expect(problemsOf(rules)).toEqual([`mappings/made-up: response: Record, ${problem}`])
  })

  const region = object(shape('Region', { name: inRow(from('regionName')) }))
  it.each<[string, Readonly<Record<string, Rule>>, string]>([
    [
      'when two lines of a request are sent as one member',
      { a: from('x.y'), b: from('x.y') },
      "Record, b: v1's x.y is mapped twice: a is sent as x.y too; leave one out",
    ],
    [
      'when one is sent by its own name',
      { a: same(), b: from('a') },
      "Record, b: v1's a is mapped twice: a is sent as a too; leave one out",
    ],
    [
      'when one is sent within another',
      { b: from('x.y'), a: from('x') },
      "Record, b: v1's x.y is mapped twice: a is sent as x too; leave one out",
    ],
    [
      'when a line of an object within it is sent as the same member',
      { region, regionName: same() },
      "Record, regionName: v1's regionName is mapped twice: region.name is sent as regionName too; leave one out",
    ],
    [
      'when a line of a row is sent as the same member',
      { currency: same(), rows: list(shape('Row', { currency: inRow(same(), 1) })) },
      "Record, rows[].currency: v1's currency is mapped twice: currency is sent as currency too; leave one out",
    ],
    [
      'when a value cannot be sent back',
      { a: converted(upper) },
      'Record, a: a request is sent to v1, and this cannot be undone: legacy writes the text in capitals; use a converter that can',
    ],
  ])('%s', (_, rules, problem) => {
    const request = shape('Record', rules)
    expect(checkOperations([withShapes(request, nothing)])).toEqual([`mappings/made-up: request: ${problem}`])
  })

  it('only in a request: an answer may have several readers of one v1 member, and values that cannot be sent back', () => {
    const rules = { a: from('x.y'), b: from('x.y'), c: from('x'), d: converted(upper), region, regionName: same() }
    expect(problemsOf(rules)).toEqual([])
    expect(checkOperations([withShapes(shape('Record', { a: twice }), nothing)])).toEqual([])
  })

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['when a member that only v1 has is mapped', { 'x.y': 'added' }, 'x.y: is under v1Only, but a line maps it'],
    ['when it contains a mapped one', { x: 'added' }, 'x: is under v1Only, but a line maps it'],
    ['when it has no reason', { z: '' }, 'z: a member that only v1 has needs a reason'],
    ['when its path is invalid', { 'z.': 'added' }, 'z.: "z." is not a path of names and dots'],
  ])('%s', (_, v1Only, problem) => {
    expect(problemsOf({ a: from('x.y') }, { v1Only })).toEqual([`mappings/made-up: response: Record, ${problem}`])
  })

  it('when it is filled from a list that does not exist', () => {
    const filled = shape('Filled', { a: fromReference(source) })
    const wrong = 'Filled is filled from unit-list, which is not a whole list'
    expect(checkOperations([withShapes(nothing, filled)])).toEqual([`mappings/made-up: response: ${wrong}`])
    expect(checkOperations([withShapes(nothing, filled), unitList])).toEqual([])
    expect(problemsOf({ rows: list(shape('Row', { one: object(filled) })) })).toHaveLength(1)
  })

  it('when it is filled from elsewhere in a page, whose rows are rewritten alone', () => {
    const filled = shape('Filled', { a: fromReference(source) })
    const paging = { paging: { page: 'page', perPage: 'perPage', mostPerPage: 200 }, defaultPerPage: 25 }
    const request = bodyParameters({ page: query(), perPage: query() }, { stitching: stitched(paging) })
    const response = page({ rows: ['data', filled], meta: ['pagination', nothing] })
    expect(checkOperations([{ ...withShapes(nothing, nothing), request, response }, unitList])).toEqual([
      expect.stringMatching(/^mappings\/made-up: response: Filled, a: fromReference .* null in every row$/),
    ])
  })

  it('within another, and is named with its path', () => {
    const inner = shape('Inner', { a: lost('') })
    expect(problemsOf({ rows: list(shape('Row', { one: object(inner) })) })).toEqual([
      'mappings/made-up: response: Record › Row › Inner, a: lost without a reason',
    ])
  })

  it('in a request, and in both halves of a page', () => {
    const wrong = shape('Wrong', { a: lost('') })
    expect(checkOperations([withShapes(wrong, nothing)])).toEqual([
      'mappings/made-up: request: Wrong, a: lost without a reason',
    ])
    const paging = { paging: { page: 'page', perPage: 'perPage', mostPerPage: 200 }, defaultPerPage: 25 }
    const request = bodyParameters({ page: query(), perPage: query() }, { stitching: stitched(paging) })
    const response = page({ rows: ['data', wrong], meta: ['pagination', wrong] })
    expect(checkOperations([{ ...withShapes(nothing, nothing), request, response }])).toHaveLength(2)
  })

  it.each([
    ['that is nested', { a: fromReference({ ...source, sibling: 'unit.code' }) }],
    ['that is taken apart', { a: fromReference(source), b: from('code.iso') }],
  ])('when it depends on a sibling %s', (_, rules) => {
    const filled = [withShapes(nothing, shape('Filled', rules)), unitList]
    expect(checkOperations(filled)).toEqual([expect.stringMatching(/made-up: response: Filled, a/)])
  })
})

describe('a shape is valid', () => {
  it('when both sides use a name in different parts', () => {
    expect(
      problemsOf({ a: from('b'), b: from('a'), 'c.x': from('d'), e: from('c'), f: from('g.x'), g: from('h') }),
    ).toEqual([])
  })
})
