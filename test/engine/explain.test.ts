import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { type ExplainedLine, explain } from '../../src/engine/explain.ts'
import { assumed } from '../../src/mapping/basis.ts'
import {
  bareList,
  get,
  noContent,
  type Operation,
  operation,
  page,
  post,
  record,
  wholeList,
} from '../../src/mapping/operation.ts'
import { calendarDate, positiveId, text } from '../../src/mapping/reader.ts'
import { body, bodyParameters, query, retired, segment } from '../../src/mapping/request.ts'
import {
  from,
  fromReference,
  fromRequestRow,
  list,
  lost,
  object,
  type Shape,
  same,
  shape,
  timestamp,
} from '../../src/mapping/shape.ts'
import { allHardOperations, hardOperations } from '../mappings/support/hard-operations.ts'

const answering = (of: Shape, response = record(of)): Operation =>
  operation('made-up', {
    says: 'Made up.',
    legacy: post('/made/up'),
    v1: get('/api/v1/made-up'),
    request: bodyParameters({}),
    response,
    effect: 'read',
    authorization: 'none',
  })

/** The parts of a line in one text, for comparison. */
const shown = ({ part, legacy, v1, change, says, basis, reason }: ExplainedLine): string =>
  [part, legacy ?? '-', v1 ?? '-', change, basis, reason ?? '-', says ?? '-'].join(' | ')

describe('a line of an answer', () => {
  const rules = {
    id: same(),
    count: from('total'),
    same: from('same'),
    at: timestamp('createdAt'),
    price: lost('v1 has no prices'),
    since: fromReference({ list: 'unit-list', match: 'code', sibling: 'iso', take: 'since' }),
    row: assumed('not shown', fromRequestRow('packages', 'id')),
    guess: assumed('a guess', from('flags.w20')),
  }

  it('is explained by its change and its basis, in the order of the table', () => {
    expect(explain(answering(shape('Record', rules, { v1Only: { 'tax.type': 'added' } }))).map(shown)).toEqual([
      'answer | id | data.id | same | documented | - | -',
      'answer | count | data.total | renamed | documented | - | -',
      'answer | same | data.same | same | documented | - | -',
      'answer | at | data.createdAt | converted | documented | - | v1 writes milliseconds and Z, legacy +00:00 and no milliseconds',
      'answer | price | - | lost | lost | v1 has no prices | -',
      'answer | since | - | filled in | documented | - | since of the unit-list record whose code is iso',
      "answer | row | - | filled in | assumed | not shown | id of the request's row at the same place in packages",
      'answer | guess | data.flags.w20 | renamed | assumed | a guess | -',
      'answer | - | data.tax.type | added in v1 | documented | added | -',
    ])
  })

  it('is explained within objects and lists, from the root of the bodies', () => {
    const inner = shape('Inner', { 'unit.code': from('unitCode') })
    const outer = shape('Outer', { head: object(inner, 'first'), rows: list(inner) })
    const places = (operation: Operation) => explain(operation).map(({ legacy, v1 }) => `${legacy} ${v1}`)
    const inList = ['[].head items[].first', '[].head.unit.code items[].first.unitCode']
    expect(places(answering(outer))).toEqual([
      'head data.first',
      'head.unit.code data.first.unitCode',
      'rows data.rows',
      'rows[].unit.code data.rows[].unitCode',
    ])
    expect(places(answering(outer, bareList(outer))).slice(0, 2)).toEqual(inList)
    expect(
      places(answering(outer, wholeList(outer, { page: 'page', perPage: 'perPage', mostPerPage: 9 }))).slice(0, 2),
    ).toEqual(inList)
    expect(places(answering(outer, page({ rows: ['data', inner], meta: ['pagination', inner] })))).toEqual([
      'data[].unit.code items[].unitCode',
      'pagination.unit.code meta.unitCode',
    ])
  })
})

describe('the status of a success', () => {
  const statuses = (operation: Operation) =>
    explain(operation).flatMap(({ change, legacy, v1 }) => (change === 'status' ? [[legacy, v1]] : []))

  it('is explained where v1 has another one than legacy', () => {
    const empty = shape('Empty', {})
    expect(statuses(answering(empty, record(empty, { v1Status: 201 })))).toEqual([['200', '201']])
    expect(statuses(answering(empty, noContent(204, { v1Status: 200 })))).toEqual([['204', '200']])
    expect(statuses(answering(empty, record(empty, { v1Status: 200 })))).toEqual([])
    expect(statuses(answering(empty, record(empty)))).toEqual([])
  })
})

describe('a line of a request', () => {
  const made = (details: Partial<Operation>): Operation => ({ ...answering(shape('Nothing', {})), ...details })

  it('is explained where it is a parameter', () => {
    const request = bodyParameters({
      id: segment(positiveId),
      isPayment: query(text, 'isPaid'),
      'between.startAt': assumed('we think so', query(calendarDate, 'from')),
      statusId: retired(['4', '5'], 'gone', query()),
    })
    expect(explain(made({ request })).map(shown)).toEqual([
      'request | id | {id} | same | documented | - | a positive whole number, or its decimal string',
      'request | isPayment | ?isPaid | renamed | documented | - | as written',
      'request | between.startAt | ?from | renamed | assumed | we think so | a date YYYY-MM-DD or an ISO 8601 timestamp, of which the calendar date in UTC is sent',
      'request | statusId | ?statusId | same | documented | - | as written; 4, 5: gone',
    ])
  })

  it('is explained where it is a member of the body', () => {
    const request = body(shape('Body', { shipmentId: from('carrierShipmentId'), name: lost('v1 does not want it') }))
    expect(explain(made({ request })).map(shown)).toEqual([
      'request | shipmentId | carrierShipmentId | renamed | documented | - | -',
      'request | name | - | lost | lost | v1 does not want it | -',
    ])
  })
})

describe('an error', () => {
  it('is explained by its code', () => {
    const lines = [hardOperations.importCreate, hardOperations.package].flatMap(explain)
    expect(lines.filter(({ part }) => part === 'error').map(shown)).toEqual([
      'error | 500 | SINGLE_POINT_IMPORT_CHARGE_FAILED | status | documented | legacy answered 500 | -',
      'error | - | SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE | status | documented | legacy did not find it | with a message of its own',
    ])
  })
})

describe('every mapping', () => {
  it.each([...operations, ...allHardOperations].map((operation) => [operation.id, operation] as const))(
    '%s is explained without a hole',
    (_, operation) => {
      for (const line of explain(operation)) {
        expect(line.legacy ?? line.v1, shown(line)).not.toBeNull()
        if (line.basis !== 'documented') expect(line.reason?.trim(), shown(line)).toBeTruthy()
        if (line.change === 'converted' || line.change === 'filled in') expect(line.says, shown(line)).toBeTruthy()
      }
    },
  )

  it('has no lines where it only passes on, and of an acknowledgement only the status', () => {
    expect(explain(hardOperations.chargeList)).toEqual([])
    expect(explain(hardOperations.importComplete).map(({ part, change }) => [part, change])).toEqual([
      ['request', 'same'],
      ['answer', 'status'],
    ])
  })
})
