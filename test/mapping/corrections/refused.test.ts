import { describe, expect, it, test } from 'vitest'
import { correct } from '../../../src/mapping/corrections/correct.ts'
import type { AnswerLine, RequestLine } from '../../../src/mapping/corrections/corrections.ts'
import { parseCorrections } from '../../../src/mapping/corrections/parse-corrections.ts'
import {
  noContent,
  type Operation,
  operation,
  page,
  passedThrough,
  post,
  record,
} from '../../../src/mapping/operation.ts'
import { integer, positiveId, written } from '../../../src/mapping/reader.ts'
import { body, bodyParameters, query, queryParameters, segment, stitched } from '../../../src/mapping/request.ts'
import { from, list, object, promised, same, shape } from '../../../src/mapping/shape.ts'
import { aList, aRecord, mistakes, thing } from './support.ts'

type Answers = Readonly<Record<string, AnswerLine>>
type Requests = Readonly<Record<string, RequestLine>>
type Table<Lines> = readonly (readonly [what: string, shipped: Operation, lines: Lines, mistake: string])[]

const pages = thing(
  page({
    rows: ['data', shape('Row', {})],
    meta: ['pagination', shape('Counts', { count: from('total') }, { closed: true })],
  }),
  bodyParameters(
    { page: query(integer(1, 9)), perPage: query(integer(1, 9)) },
    { stitching: stitched({ paging: { page: 'page', perPage: 'perPage', mostPerPage: 9 }, defaultPerPage: 5 }) },
  ),
)
const passing: Operation = { ...thing(passedThrough(shape('Thing', {})), { kind: 'pass-through' }), v1: undefined }
const login: Operation = {
  ...thing(record(shape('Token', { token: promised('string', same()) })), body(shape('Credentials', {}))),
  login: { client: 'id', secret: 'key', token: 'token' },
}

const ANSWERS: Table<Answers> = [
  [
    'of an operation that is passed through',
    passing,
    { 'data.x': { lost: 'a' } },
    'data.x: v1 has no equivalent of this operation, so the legacy answer passes unchanged; remove the line',
  ],
  [
    'with null as a constant',
    aRecord({}),
    { x: { always: null } },
    'x: always: null is a loss; write { "lost": "why" }',
  ],
  [
    'of an answer without a body',
    thing(noContent(204)),
    { x: { lost: 'a' } },
    'x: legacy answers 204 without a body, so there is no member to correct; remove the line',
  ],
  [
    'of the token of a login',
    login,
    { token: { from: 'data.jwt' } },
    'token: the gateway reads the token of a login here; change the mapping itself',
  ],
  [
    'with a path of the wrong root: a list',
    aList(),
    { plate: { from: 'items[].plateCode' } },
    'plate: names no member of the answer; its paths begin with [], as in [].name',
  ],
  [
    'with a path of the wrong root: a record',
    aRecord(),
    { '[].plate': { from: 'data.plateCode' } },
    '[].plate: the body is an object, so a path begins with the name of a member, and not with []',
  ],
  [
    'of the root itself',
    aList(),
    { '[]': { from: 'items[].a' } },
    '[]: names no member of the answer; its paths begin with [], as in [].name',
  ],
  [
    'of a member beside rows and counts',
    pages,
    { total: { from: 'meta.total' } },
    'total: is neither in a row nor in the counts; a path begins with data[] or pagination',
  ],
  [
    'of all rows',
    pages,
    { data: { from: 'items' } },
    'data: is neither in a row nor in the counts; a path begins with data[] or pagination',
  ],
  [
    'of the counts themselves',
    pages,
    { pagination: { from: 'meta' } },
    'pagination: is answered by the gateway itself; correct its members, as in pagination.name',
  ],
  [
    'of counts that v1 may have, but the gateway does not read',
    pages,
    { 'pagination.next': { from: 'meta.nextPage' } },
    'pagination.next: from: the gateway answers pages of its own, so of meta it has only total, page, perPage and pageCount',
  ],
  [
    'that reads a row for the counts',
    pages,
    { 'pagination.first': { from: 'items[].id' } },
    'pagination.first: from: items[].id is in a list, and this member is in none',
  ],
  [
    'that reads the counts for a row',
    pages,
    { 'data[].total': { from: 'meta.total' } },
    'data[].total: from: meta.total is about the whole answer, which no row or record can show; name a member of items[]',
  ],
  [
    'that reads the envelope',
    aRecord(),
    { text: { from: 'message' } },
    'text: from: message is about the whole answer, which no row or record can show; name a member of data',
  ],
  [
    'that reads another root',
    aList(),
    { '[].a': { from: 'data[].a' } },
    '[].a: from: v1 answers this operation in items[]; write items[].name',
  ],
  [
    'that reads the whole answer',
    aRecord(),
    { a: { from: 'data' } },
    "a: from: data is the whole of v1's answer; name a member of data",
  ],
  [
    'that reads another list',
    aList(),
    {
      '[].tags[].a': { from: 'items[].tags[].b' },
      '[].codes[].a': { from: 'items[].tags[].c' },
      '[].first': { from: 'items[].tags[].b' },
    },
    '[].first: from: items[].tags[].b is in another list than this member, which is in items[]',
  ],
  [
    'that reads another list than the mapping has',
    aRecord({ rows: list(shape('Row', {}), 'parcels') }),
    { 'rows[].a': { from: 'data.rows[].b' } },
    'rows[].a: from: data.rows[].b is in another list than this member, which is in data.parcels[]',
  ],
  [
    'that reads items',
    aList(),
    { '[].tags': { from: 'items[].tags[]' } },
    '[].tags: from: items[].tags[] names each item of a list; name the list, or a member of the items',
  ],
  [
    'beneath a single value',
    aRecord({ id: same('int') }),
    { 'id.value': { from: 'data.id' } },
    'id.value: id is a single value (int), so nothing is beneath it; correct id itself',
  ],
  [
    'that reads beneath a single value of v1',
    aRecord({ id: same('int') }),
    { other: { from: 'data.id.value' } },
    'other: from: data.id is a single value (int) in the mapping, so nothing is beneath it',
  ],
  [
    'through a list without []',
    aRecord({ rows: list(shape('Row', {})) }),
    { 'rows.a': { from: 'data.rows.b' } },
    'rows.a: rows is a list; write rows[].name',
  ],
  [
    'through an object with []',
    aRecord({ to: object(shape('To', {})) }),
    { 'to[].a': { from: 'data.to[].b' } },
    'to[].a: to is an object, not a list; write to.name',
  ],
  [
    'that makes a list and an object of one member',
    aRecord({ to: same() }),
    { 'to[].a': { from: 'data.to[].b' }, 'to.c': { from: 'data.to.d' } },
    'to[].a: to is a list in one line and an object in another',
  ],
  [
    'beneath another line',
    aList(),
    { '[].region': { from: 'items[].area' }, '[].region.name': { lost: 'a' } },
    '[].region.name: is beneath [].region, which has a line too; keep one of them',
  ],
  [
    'with a path that reports would write otherwise',
    aRecord(),
    { 'a["b"]': { lost: 'a' } },
    'a["b"]: "a[\\"b\\"]" is no path; write it as reports do, names with dots between them and [] for the items of a list',
  ],
  [
    'with a path that has no end',
    aRecord(),
    { 'a.': { lost: 'a' } },
    'a.: "a." is no path; write it as reports do, names with dots between them and [] for the items of a list',
  ],
  [
    'into a list directly in a list',
    aRecord(),
    { 'a[][].b': { lost: 'a' } },
    'a[][].b: "a[][].b" leads into a list directly within a list, which no mapping can name',
  ],
  [
    'that drops what a closed shape does not have',
    aRecord({ id: same() }, { closed: true }),
    { other: { drop: true } },
    'other: legacy does not get this member anyway; remove the line',
  ],
  [
    'that drops what is left out already',
    aRecord({}, { v1Only: { other: 'added in v1' } }),
    { other: { drop: true } },
    'other: legacy does not get this member anyway; remove the line',
  ],
  [
    'whose enum has two legacy names of one v1 value',
    aRecord(),
    { state: { from: 'data.state', enum: { open: 'ACTIVE', opened: 'ACTIVE' } } },
    'state: enum: "open" and "opened" are both v1\'s "ACTIVE", so no answer could tell which; keep one of them',
  ],
  [
    'whose text names another list',
    aList(),
    { '[].name': { join: ['items[].first', ' ', 'items[].tags[].x'] } },
    '[].name: join: items[].tags[].x is in another list than this member, which is in items[]',
  ],
  [
    'whose text has an odd path',
    aList(),
    { '[].name': { join: ['items[].'] } },
    '[].name: join: "items[]." is no path; write it as reports do, names with dots between them and [] for the items of a list; if it is a text, write {"text":"items[]."}',
  ],
]

const withQuery = thing(record(shape('Thing', {})), queryParameters({ cityId: query(written('int')), code: query() }))
const withPath: Operation = operation('thing', {
  ...thing(noContent(204), bodyParameters({ id: segment(positiveId) })),
  v1: post('/v1/things/{id}'),
})
const withBody: Operation = {
  ...thing(
    record(shape('Thing', {})),
    body(
      shape('Request', {
        parcels: list(shape('Parcel', {})),
        to: object(shape('To', { city: same('string') })),
        n: same('int'),
      }),
    ),
  ),
  v1: post('/v1/things'),
}

const REQUESTS: Table<Requests> = [
  [
    'of an operation that is passed through',
    passing,
    { x: { drop: true } },
    'x: v1 has no equivalent of this operation, so the legacy answer passes unchanged; remove the line',
  ],
  [
    'with the v1 name of another line',
    withQuery,
    { a: { to: 'b' }, c: { to: 'b' } },
    "a: to: c fills v1's b too; drop one of them",
  ],
  [
    'with the v1 name of a shipped line',
    withQuery,
    { a: { to: 'code' } },
    "a: to: code fills v1's code too; drop one of them",
  ],
  [
    'that drops what v1 does not get',
    withQuery,
    { a: { drop: true } },
    'a: v1 does not get this parameter anyway; remove the line',
  ],
  [
    'of a nested parameter of a query',
    withQuery,
    { 'a.b': { to: 'c' } },
    'a.b: the legacy call has a query, whose parameters are not nested; write the name of a parameter',
  ],
  [
    'of the items of a list',
    pages,
    { 'ids[].id': { to: 'ids' } },
    'ids[].id: leads into a list; only single values become parameters of v1',
  ],
  [
    'over a parameter of the mapping',
    pages,
    { 'page.number': { to: 'p' } },
    'page.number: overlaps page, which the mapping reads; correct page',
  ],
  [
    'with a v1 name that is a path',
    withQuery,
    { a: { to: 'b.c' } },
    'a: to: b.c is no name of a parameter of v1; write a name alone',
  ],
  ['with a v1 name as reports mark it', withQuery, { a: { to: '?b' } }, 'a: to: write the name alone, as in b'],
  [
    'that converts an id of the path',
    withPath,
    { id: { to: 'id', scale: 2 } },
    "id: to: {id} is a part of v1's path, which takes only the digits of an id; remove as, scale and enum",
  ],
  [
    'that leaves the path without its id',
    withPath,
    { id: { drop: true } },
    'id: v1\'s path needs {id}; name the member that fills it, as in "name": { "to": "id" }',
  ],
  [
    'that takes away the page',
    pages,
    { page: { drop: true } },
    'page: the gateway asks v1 for pages by it; rename it instead',
  ],

  [
    'with the v1 path of another line of a body',
    withBody,
    { a: { to: 'b' }, c: { to: 'b' } },
    "a: to: c fills v1's b too; drop one of them",
  ],
  [
    'with the v1 path of a shipped line of a body',
    withBody,
    { a: { to: 'n' } },
    "a: to: n fills v1's n too; drop one of them",
  ],
  [
    'out of an item',
    withBody,
    { 'parcels[].a': { to: 'a' } },
    'parcels[].a: to: a is not in the same item; write parcels[].name',
  ],

  [
    'into an item',
    withBody,
    { a: { to: 'parcels[].a' } },
    "a: to: parcels[].a leads into a list; name a member of v1's body outside lists",
  ],
  [
    'whose enum has two v1 values of one legacy name',
    withBody,
    {
      a: {
        to: 'b',
        enum: [
          ['open', 'A'],
          ['open', 'B'],
        ],
      },
    },
    'a: enum: "open" stands for both "A" and "B", so no request could tell which; keep one of them',
  ],
]

describe('a correction is refused, in words', () => {
  test.each(ANSWERS)('of an answer: %s', (_, shipped, response, mistake) => {
    expect(mistakes(shipped, { response })).toContain(`operations.thing.response.${mistake}`)
  })

  test.each(REQUESTS)('of a request: %s', (_, shipped, request, mistake) => {
    expect(mistakes(shipped, { request })).toContain(`operations.thing.request.${mistake}`)
  })

  it('of an operation that does not exist', () => {
    const file = parseCorrections('{"operations":{"thingy":{}}}')
    expect(() => correct([aRecord()], file)).toThrow(
      'operations.thingy: no such operation; expected one of thing; did you mean thing?',
    )
  })

  it('all at once', () => {
    expect(
      mistakes(aRecord({ id: same('int') }), {
        response: { '[].a': { lost: 'b' }, 'id.a': { lost: 'b' }, c: { from: 'meta.x' } },
      }),
    ).toHaveLength(3)
  })
})
