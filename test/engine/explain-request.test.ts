import { describe, expect, it } from 'vitest'
import { explain } from '../../src/guide/lines/explain.ts'
import type { ExplainedLine } from '../../src/guide/lines/explained-line.ts'
import {
  get,
  type Operation,
  type OperationDetails,
  operation,
  page,
  post,
  record,
  wholeList,
} from '../../src/mapping/operation.ts'
import { calendarDate, integer, positiveId, text } from '../../src/mapping/reader.ts'
import { body, bodyParameters, query, queryParameters, retired, segment, stitched } from '../../src/mapping/request.ts'
import { assumed, from, lost, shape } from '../../src/mapping/shape.ts'

const empty = shape('Empty', {})
const paging = { page: 'page', perPage: 'size', mostPerPage: 50 }

const asking = (details: Partial<OperationDetails>): Operation =>
  operation('made-up', {
    says: 'Made up.',
    legacy: post('/made/up'),
    v1: get('/api/v1/made-up'),
    request: bodyParameters({}),
    response: record(empty),
    effect: 'read',
    authorization: 'token',
    ...details,
  })

/** The lines of a part; with the reason only if `why` is set. */
const linesOf = (operation: Operation, part: ExplainedLine['part'] = 'request'): readonly string[] =>
  explain(operation)
    .filter((line) => line.part === part)
    .map(({ legacy, v1, change, basis, says }) => [legacy ?? '-', v1 ?? '-', change, basis, says ?? '-'].join(' | '))

const reasonOf = (operation: Operation, legacy: string, change: ExplainedLine['change']) =>
  explain(operation).find((line) => line.legacy === legacy && line.change === change)?.reason

describe('a parameter', () => {
  const request = bodyParameters({
    id: segment(positiveId),
    isPayment: query(text, 'isPaid'),
    'between.startAt': assumed('we think so', query(calendarDate(), 'from')),
    statusId: assumed('nothing matches', retired(['4', '5'], 'an empty page', query())),
  })

  it('is explained by its place in v1, and by its possible values', () => {
    expect(linesOf(asking({ request }))).toEqual(
      expect.arrayContaining([
        'id | {id} | same | documented | a positive whole number, or its decimal string',
        'isPayment | ?isPaid | renamed | documented | as written',
        'between.startAt | ?from | renamed | assumed | a date YYYY-MM-DD or an ISO 8601 timestamp; sent as the calendar date in UTC',
        'statusId | ?statusId | same | assumed | as written',
      ]),
    )
    expect(reasonOf(asking({ request }), 'between.startAt', 'renamed')).toBe('we think so')
  })

  it('has a line of its own for values that v1 removed', () => {
    expect(linesOf(asking({ request }))).toContain('statusId | - | removed value | lost | 4, 5: an empty page')
  })

  it('is followed by a line about all others: what is sent and what is not', () => {
    const general = (of: Operation) => linesOf(of).filter((line) => line.startsWith(' | '))
    const others =
      ' | - | left out | assumed | only what is listed here is sent; the header X-Gateway-Dropped names the rest'
    const nothing = ' | - | left out | assumed | null and empty values are not sent'
    expect(general(asking({ request }))).toEqual([others, nothing])
    expect(general(asking({ legacy: get('/made/up'), request: queryParameters({ id: query() }) }))).toEqual([
      others,
      nothing,
    ])
    expect(general(asking({ request: bodyParameters({ id: segment(positiveId) }) }))).toEqual([others])
  })

  it('is sent in an empty object when v1 needs a body', () => {
    const v1 = post('/api/v1/made-up/{id}')
    expect(linesOf(asking({ v1, request: bodyParameters({ id: segment(positiveId) }) }))).toContain(
      '- |  | filled in | assumed | the body is {}',
    )
  })
})

describe('a body', () => {
  const sent = (options?: { readonly nulls: 'not sent' }): Operation => {
    const shipment = shape('Body', { shipmentId: from('carrierShipmentId'), name: lost('v1 does not want it') })
    return asking({ v1: post('/api/v1/made-up'), request: body(shipment, options) })
  }

  it('is explained by its members', () => {
    expect(linesOf(sent())).toEqual([
      ' |  | passed on | assumed | unlisted members are sent unchanged',
      'shipmentId | carrierShipmentId | renamed | documented | -',
      'name | - | lost | lost | not sent',
    ])
  })

  it('says when nulls are not sent', () => {
    const line = ' | - | left out | assumed | members that are null are not sent, at any depth'
    expect(linesOf(sent({ nulls: 'not sent' }))).toContain(line)
    expect(linesOf(sent())).not.toContain(line)
  })

  it('says when a missing body counts as an empty object', () => {
    const line = ' | - | converted | assumed | a missing body, or [], counts as {}'
    expect(linesOf(asking({ request: bodyParameters({}, { emptyBody: 'an empty object' }) }))).toContain(line)
    expect(linesOf(asking({ request: bodyParameters({}) }))).not.toContain(line)
  })
})

describe('pages', () => {
  it('that are stitched are explained with names, sizes and reason', () => {
    const stitching = assumed('no limit is shown', stitched({ paging, defaultPerPage: 25 }))
    const parameters = { page: query(integer(1, 9)), rows: query(integer(1, 900), 'size') }
    const operation = asking({
      request: bodyParameters(parameters, { stitching }),
      response: page({ rows: ['data', empty], meta: ['pagination', empty] }),
    })
    expect(linesOf(operation)).toContain(
      'rows | ?size | paging | assumed | ?page and ?size are always sent, by default 1 and 25; more than 50 rows are stitched from pages of at most 50',
    )
    expect(reasonOf(operation, 'rows', 'paging')).toBe('no limit is shown')
  })

  it.each([
    ['a query', { legacy: get('/made/up'), request: queryParameters({}) }],
    ['a body', { request: bodyParameters({ code: query() }, { emptyBody: 'an empty object' }) }],
  ] as const)(
    'of a whole list that is requested with %s are all read, in the largest size that v1 gives',
    (_, details) => {
      const operation = asking({ ...details, response: wholeList(empty, paging) })
      expect(linesOf(operation)).toEqual(
        expect.arrayContaining([
          '- | ?page | paging | documented | every page is read, from 1 to meta.pageCount',
          '- | ?size | paging | documented | 50, v1’s maximum',
        ]),
      )
    },
  )
})

describe('the headers', () => {
  const headersOf = (details: Partial<OperationDetails>) =>
    linesOf(asking(details), 'header').map((line) => line.split(' | ').slice(0, 3).join(' | '))

  it('are the token, the language, and the type of a body', () => {
    expect(headersOf({})).toEqual(['Authorization | Authorization | same', 'Accept-Language | Accept-Language | same'])
    expect(headersOf({ v1: post('/api/v1/made-up'), request: body(empty), authorization: 'none' })).toEqual([
      'Authorization | - | left out',
      'Accept-Language | Accept-Language | same',
      'Content-Type | Content-Type | converted',
    ])
  })
})
