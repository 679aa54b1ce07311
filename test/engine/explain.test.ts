import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { explain } from '../../src/guide/lines/explain.ts'
import type { ExplainedLine } from '../../src/guide/lines/explained-line.ts'
import { fromReference, fromRequestRow } from '../../src/mapping/filled-lines.ts'
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
import { body, bodyParameters } from '../../src/mapping/request.ts'
import { assumed, from, list, lost, object, type Shape, same, shape, timestamp } from '../../src/mapping/shape.ts'
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

/** The parts of a line joined into one text, for comparison. */
const shown = ({ part, legacy, v1, change, says, basis, reason }: ExplainedLine): string =>
  [part, legacy ?? '-', v1 ?? '-', change, basis, reason ?? '-', says ?? '-'].join(' | ')

/** The lines about single members, without those about a whole object, the envelope or the status. */
const membersOf = (operation: Operation): readonly ExplainedLine[] =>
  explain(operation).filter(
    ({ part, v1, change }) =>
      part === 'answer' &&
      !['envelope', 'status', 'left out', 'passed on'].includes(change) &&
      !['success', 'message', 'meta'].includes(v1 ?? ''),
  )

/** Whether unlisted members pass, by the object that a line is about. */
const othersOf = (operation: Operation, part = 'answer') =>
  explain(operation)
    .filter((line) => line.part === part && ['left out', 'passed on'].includes(line.change))
    .map(({ legacy, v1, change, basis }) => `${legacy} | ${v1} | ${change} | ${basis}`)

describe('a line of an answer', () => {
  const rules = {
    id: same(),
    count: from('total'),
    same: from('same'),
    at: timestamp('createdAt'),
    price: lost('v1 has no prices'),
    gone: assumed('a null is found', lost('v1 has no more')),
    since: fromReference({ list: 'unit-list', match: 'code', sibling: 'iso', take: 'since' }),
    row: assumed('not shown', fromRequestRow('packages', 'id')),
    guess: assumed('a guess', from('flags.w20')),
  }

  it('is explained by change and basis, in the order of the table', () => {
    expect(membersOf(answering(shape('Record', rules, { v1Only: { 'tax.type': 'added' } }))).map(shown)).toEqual([
      'answer | id | data.id | same | documented | - | -',
      'answer | count | data.total | renamed | documented | - | -',
      'answer | same | data.same | same | documented | - | -',
      'answer | at | data.createdAt | converted | documented | - | v1 writes milliseconds and Z, legacy +00:00 and no milliseconds',
      'answer | price | - | lost | lost | v1 has no prices | answered as null',
      'answer | gone | - | lost | lost | v1 has no more | answered as null (a null is found)',
      'answer | since | - | filled in | documented | - | since of the unit-list record whose code equals v1’s iso',
      'answer | row | - | filled in | assumed | not shown | id of the row at the same position in the request’s packages',
      'answer | guess | data.flags.w20 | renamed | assumed | a guess | -',
      'answer | - | data.tax.type | added in v1 | documented | added | -',
    ])
  })

  it('is explained within objects and lists, from the root of the bodies', () => {
    const inner = shape('Inner', { 'unit.code': from('unitCode') })
    const outer = shape('Outer', { head: object(inner, 'first'), rows: list(inner) })
    const places = (operation: Operation) => membersOf(operation).map(({ legacy, v1 }) => `${legacy} ${v1}`)
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

describe('an unlisted member of a shape', () => {
  const open = shape('Open', { id: same() })
  const closed = shape('Closed', { id: same(), a: object(open), b: object(open, 'c') }, { closed: true })

  it('is left out of a closed answer, as documented, and passes in an open one, as assumed', () => {
    expect(othersOf(answering(shape('Empty', {}, { closed: true })))).toEqual([' | data | left out | documented'])
    expect(othersOf(answering(open))).toEqual([' | data | passed on | assumed'])
  })

  it('is explained once, and again only for an inner object that differs', () => {
    const like = shape('Like', { id: same() }, { closed: true })
    const root = shape('Root', { like: object(like), rows: list(closed) }, { closed: true })
    expect(othersOf(answering(root))).toEqual([
      ' | data | left out | documented',
      'rows[].a | data.rows[].a | passed on | assumed',
      'rows[].b | data.rows[].c | passed on | assumed',
    ])
    expect(othersOf(answering(root, page({ rows: ['data', like], meta: ['pagination', open] })))).toEqual([
      'data[] | items[] | left out | documented',
      'pagination | meta | passed on | assumed',
    ])
  })

  it('is sent to v1 unless v1’s request is listed whole', () => {
    const sending = (of: Shape) => ({ ...answering(open), v1: post('/api/v1/made-up'), request: body(of) })
    expect(othersOf(sending(shape('Empty', {}, { closed: true })), 'request')).toEqual([' |  | left out | assumed'])
    expect(othersOf(sending(open), 'request')).toEqual([' |  | passed on | assumed'])
    const within = explain(sending(shape('Root', { a: object(open) }, { closed: true })))
    expect(within.find(({ legacy, change }) => legacy === 'a' && change === 'passed on')?.reason).toBe(
      'an object that is sent is sent with all its members',
    )
  })
})

describe('the envelope and the status of a success', () => {
  const empty = shape('Empty', {})
  const about = (response: Operation['response'], changes: readonly string[]) =>
    explain(answering(empty, response))
      .filter(({ part, change }) => part === 'answer' && changes.includes(change))
      .map(({ legacy, v1, basis }) => `${legacy ?? '-'} | ${v1} | ${basis}`)

  it('state the legacy status if v1 has another one or the contract does not show it', () => {
    const statuses = (response: Operation['response']) => about(response, ['status'])
    expect(statuses(record(empty, { v1Status: 201 }))).toEqual(['200 | 201 | documented'])
    expect(statuses(noContent(204, { v1Status: 200 }))).toEqual(['204 | 200 | documented'])
    expect(statuses(record(empty, { v1Status: 200 }))).toEqual([])
    expect(statuses(record(empty))).toEqual(['200 | 2xx | assumed'])
  })

  it('state where the body is in v1, and what else v1 has', () => {
    const envelope = (response: Operation['response']) => about(response, ['envelope', 'added in v1'])
    const success = ['- | success | documented', '- | message | documented']
    const paging = { page: 'page', perPage: 'perPage', mostPerPage: 9 }
    expect(envelope(record(empty))).toEqual([' | data | documented', ...success])
    expect(envelope(bareList(empty))).toEqual([' | items | documented', ...success])
    expect(envelope(wholeList(empty, paging))).toEqual([' | items | documented', '- | meta | documented', ...success])
    expect(envelope(page({ rows: ['data', empty], meta: ['pagination', empty] }))).toEqual([
      'data | items | documented',
      'pagination | meta | documented',
      ...success,
    ])
    expect(envelope(noContent(204))).toEqual(success)
  })
})

describe('every mapping', () => {
  it.each([...operations, ...allHardOperations].map((operation) => [operation.id, operation] as const))(
    '%s is explained without gaps',
    (_, operation) => {
      for (const line of explain(operation)) {
        expect(line.legacy ?? line.v1, shown(line)).not.toBeNull()
        if (line.basis !== 'documented') expect(line.reason?.trim(), shown(line)).toBeTruthy()
        if (['same', 'renamed', 'envelope', 'status', 'lost', 'added in v1'].includes(line.change)) continue
        expect(line.says, shown(line)).toBeTruthy()
      }
    },
  )

  it('has no lines if it only passes on, and no members for an acknowledgement', () => {
    expect(explain(hardOperations.chargeList)).toEqual([])
    expect(membersOf(hardOperations.importComplete)).toEqual([])
  })
})
