import { get, noContent, type Operation, operation, post, record, wholeList } from '../../src/mapping/operation.ts'
import { positiveId } from '../../src/mapping/reader.ts'
import { body, bodyParameters, queryParameters, segment } from '../../src/mapping/request.ts'
import { from, list, lost, object, same, shape, timestamp } from '../../src/mapping/shape.ts'

const part = shape('Part', { code: from('partCode'), weight: same() })

const thing = shape(
  'Thing',
  {
    id: same(),
    title: from('name'),
    createdAt: timestamp(),
    'size.width': from('width'),
    'size.height': from('height'),
    parts: list(part),
    owner: object(shape('Owner', { name: from('fullName') })),
    color: lost('v1 knows no colours'),
  },
  { closed: true },
)

const wanted = shape(
  'Wanted thing',
  { title: from('name'), 'size.width': from('width'), parts: list(part) },
  { closed: true },
)

/** Operations of a made-up service: a mapping is all that they need. */
export const createThing: Operation = operation('thing-create', {
  says: 'A thing is created.',
  legacy: post('/api/thing'),
  v1: post('/api/v1/things'),
  request: body(wanted, { nulls: 'not sent' }),
  response: record(thing, { v1Status: 201 }),
  effect: 'write',
  authorization: 'token',
  errors: {
    CHARGE_FAILED: { status: 500, reason: 'legacy answered 500' },
    BAD_REQUEST: { ownMessage: true, reason: 'legacy had a text of its own' },
  },
})

export const closeThing: Operation = operation('thing-close', {
  says: 'The id moves from the body into the path.',
  legacy: post('/api/thing/close'),
  v1: post('/api/v1/things/{id}/close'),
  request: bodyParameters({ id: segment(positiveId) }),
  response: noContent(204),
  effect: 'write',
  authorization: 'token',
})

export const listThings: Operation = operation('thing-list', {
  says: 'The list is paginated, and each caller has a list of its own.',
  legacy: get('/api/things'),
  v1: get('/api/v1/things'),
  request: queryParameters({}),
  response: wholeList(thing, { page: 'page', perPage: 'perPage', mostPerPage: 2 }),
  effect: 'read',
  authorization: 'token',
})

export const chargeThings: Operation = operation('thing-charges', {
  says: 'v1 has no equivalent.',
  legacy: post('/api/thing/charges'),
  v1: undefined,
  request: { kind: 'pass-through' },
  response: { kind: 'pass-through' },
  effect: 'read',
  authorization: 'token',
})

export const madeUp: readonly Operation[] = [createThing, closeThing, listThings]
