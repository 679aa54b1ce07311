import { describe, expect, it } from 'vitest'
import { expectationsOf } from '../../../src/control-plane/evidence/expected/expectations.ts'
import { type Given, givenBook, usedGiven } from '../../../src/control-plane/evidence/writes/given-values.ts'
import { givenRewriter } from '../../../src/engine/rewrite-given.ts'
import { bareList, get, type Operation, operation, post, record } from '../../../src/mapping/operation.ts'
import { integer } from '../../../src/mapping/reader.ts'
import { body, bodyParameters, query, queryParameters } from '../../../src/mapping/request.ts'
import { givenByService, list, object, same, shape } from '../../../src/mapping/shape.ts'
import type { Ask } from '../../../src/recordings/replay/replay.ts'
import { answered, entry, replayed } from './support/replaying.ts'

const order = shape('Order', {
  id: givenByService('order', same('int')),
  code: givenByService('code', same('string')),
  title: same('string'),
  lines: list(shape('Line', { id: givenByService('line', same('int')), count: same('int') })),
})
const wanted = shape('Wanted', {
  title: same(),
  of: object(shape('Of', { orderId: givenByService('order', same('int')) })),
  lines: list(shape('Wanted line', { lineId: givenByService('line', same('int')), count: same() })),
})

const details = { says: '', effect: 'write', authorization: 'none' } as const
const create = operation('order-create', {
  ...{ ...details, legacy: post('/order'), v1: post('/v1/orders') },
  ...{ request: body(wanted), response: record(order) },
})
const find = operation('order-find', {
  ...{ ...details, effect: 'read', legacy: get('/orders'), v1: get('/v1/orders') },
  ...{
    request: queryParameters({ orderId: givenByService('order', query(integer(1, 9e15))), page: query() }),
    response: bareList(order),
  },
})
const close = operation('order-close', {
  ...{ ...details, legacy: post('/order/close'), v1: post('/v1/orders/close') },
  ...{
    request: bodyParameters({ 'order.id': givenByService('order', query(integer(1, 9e15))), id: query() }),
    response: record(order),
  },
})
const operations: readonly Operation[] = [create, find, close]

const routes: Readonly<Record<string, Operation>> = {
  'POST /order': create,
  'GET /orders': find,
  'POST /order/close': close,
}

/** A side that numbers its orders from a given number, and keeps the requests that it got. */
function copy(from: number) {
  const asked: string[] = []
  let next = from
  const ask: Ask = async ({ method, path, query, body }) => {
    asked.push([method, `${path}${query === '' ? '' : `?${query}`}`, Buffer.from(body).toString()].join(' ').trim())
    const made = (id: number) => ({ id, code: `C${id}`, title: 'A', lines: [{ id: id + 50, count: 2 }] })
    if (method === 'GET') return answered(JSON.stringify([made(from), ...(query === '' ? [made(from + 9)] : [])]))
    next += 1
    return answered(JSON.stringify(made(next - 1)))
  }
  return { ask, asked }
}

const givenOf = (): ((id: string) => Given) => {
  const book = givenBook(usedGiven(operations))
  const all = operations.map((one): readonly [string, Given] => {
    const rewriter = givenRewriter(one)
    const rewrite: Parameters<typeof book>[0]['rewrite'] =
      rewriter && ((request, lookUp) => ({ ...request, ...rewriter(request, lookUp) }))
    return [one.id, book({ isWrite: one.effect === 'write', response: one.response, rewrite })]
  })
  return (id) => new Map(all).get(id) as Given
}

async function replayedOver(
  requests: readonly (readonly [request: string, body?: string, answer?: string])[],
  fromV1 = 900,
) {
  const [control, candidate] = [copy(70), copy(fromV1)]
  const entries = requests.map(([request, body, answer]) => ({
    ...entry(request, body),
    ...(answer !== undefined && { answer: Buffer.from(answer) }),
  }))
  const seen = await replayed(entries, {
    ...{ askControl: control.ask, askCandidate: candidate.ask, given: givenOf(), concurrency: 1 },
    plan: { find: (method, path) => routes[`${method} ${path}`], includeWrites: true },
    expectations: (id) => expectationsOf(operations.find((one) => one.id === id) ?? create, []),
  })
  return { seen, control: control.asked, candidate: candidate.asked }
}

describe('values that two copies gave', () => {
  it('are compared by presence and type in a write, and replaced in later requests, if a line says so', async () => {
    const recorded = JSON.stringify({ id: 7, code: 'C7', lines: [{ id: 8 }] })
    const later =
      '{"title" : "7", "of":{"orderId":7,"other":7}, "big":12345678901234567890, "lines":[{"lineId":"8","count":8}]}'
    const { seen, control, candidate } = await replayedOver([
      ['POST /order', '{"title":"A"}', recorded],
      ['POST /order', later],
      ['GET /orders?page=7&orderId=7'],
      ['POST /order/close', '{"order":{"id":7,"note":7},"id":7}'],
    ])
    const asLater = (id: number) =>
      `POST /order {"title" : "7", "of":{"orderId":${id},"other":7}, "big":12345678901234567890, "lines":[{"lineId":"${id + 50}","count":8}]}`
    expect(control).toEqual([
      'POST /order {"title":"A"}',
      ...[asLater(70), 'GET /orders?page=7&orderId=70', 'POST /order/close {"order":{"id":70,"note":7},"id":7}'],
    ])
    expect(candidate).toEqual([
      'POST /order {"title":"A"}',
      ...[asLater(900), 'GET /orders?page=7&orderId=900', 'POST /order/close {"order":{"id":900,"note":7},"id":7}'],
    ])
    // The mapping of the last one does not list the note, so v1 does not get it.
    expect(seen.map(({ outcome }) => outcome)).toEqual(['matched', 'matched', 'matched', 'mismatched'])
    expect(seen[3]?.differences).toMatchObject([{ kind: 'dropped', path: 'order.note' }])
  })

  it('count in a read if no write gave them', async () => {
    const { seen } = await replayedOver([['POST /order', '{}'], ['GET /orders']])
    expect(seen).toMatchObject([{ outcome: 'matched' }, { outcome: 'mismatched' }])
    expect(new Set(seen[1]?.differences.map(({ path }) => path))).toEqual(new Set(['[]']))
  })

  it('are legacy’s if nothing was recorded, so that only the other side gets other requests', async () => {
    const { control, candidate } = await replayedOver([
      ['POST /order', '{}'],
      ['GET /orders?orderId=70'],
      ['GET /orders?orderId=7'],
    ])
    expect(control.slice(1)).toEqual(['GET /orders?orderId=70', 'GET /orders?orderId=7'])
    expect(candidate.slice(1)).toEqual(['GET /orders?orderId=900', 'GET /orders?orderId=7'])
  })

  it('are learned if a side accepted a write, but not if it refused the write', () => {
    const given = givenOf()
    const asked = { method: 'GET', path: '/orders', query: 'orderId=1', headers: {}, body: new Uint8Array() }
    const reply = (id: number, status = 200) => ({ status, body: Buffer.from(JSON.stringify({ id })) })
    const queries = () =>
      (['control', 'candidate'] as const).map((side) => given('order-find').requestFor(side, asked).query)
    given('order-create').learn(reply(1).body, { failure: 'timeout' }, reply(3, 400))
    expect(queries()).toEqual(['orderId=1', 'orderId=1'])
    given('order-create').learn(reply(1).body, reply(2), reply(3, 400))
    expect(queries()).toEqual(['orderId=2', 'orderId=1'])
    given('order-create').learn(reply(1).body, reply(4), reply(5))
    expect(queries()).toEqual(['orderId=4', 'orderId=5'])
  })

  it.each([
    ['a number for a text', { id: '17' }, 'id'],
    ['a decimal for a whole number', { id: 1.5 }, 'id'],
    ['an empty text', { code: '' }, 'code'],
    ['a time for a text', { code: '2025-01-31T10:24:19+00:00' }, 'code'],
    ['null', { id: null }, 'id'],
    ['nothing', { id: undefined }, 'id'],
  ])('are a difference if one side gives %s', async (_, change, path) => {
    const made = { id: 1, code: 'C1', title: 'A', lines: [] }
    const [seen] = await replayed([entry('POST /order', '{}')], {
      ...{ given: givenOf(), expectations: () => expectationsOf(create, []) },
      plan: { find: (method, at) => routes[`${method} ${at}`], includeWrites: true },
      askControl: async () => answered(JSON.stringify(made)),
      askCandidate: async () => answered(JSON.stringify({ ...made, code: 'C2', ...change })),
    })
    expect(seen?.differences.map((one) => one.path)).toEqual([path])
  })
})
