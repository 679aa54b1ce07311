import { describe, expect, test } from 'vitest'
import { fromReference } from '../../../src/mapping/filled-lines.ts'
import { operation, post, record, wholeList } from '../../../src/mapping/operation.ts'
import { body, queryParameters } from '../../../src/mapping/request.ts'
import { from, object, same, shape } from '../../../src/mapping/shape.ts'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'
import { startGateway } from '../../support/start-gateway.ts'
import { v1Error, v1Page, v1Record } from '../../support/v1-bodies.ts'
import type { V1Answer } from '../../support/v1-stand-in.ts'

const RATES = '/api/v1/rates'

const rateList = operation('rate-list', {
  says: 'Made up: a list from which records are filled.',
  legacy: { method: 'GET', path: '/api/rates' },
  v1: { method: 'GET', path: RATES },
  request: queryParameters({}),
  response: wholeList(shape('Rate', { code: same(), since: from('updatedAt') }), {
    page: 'page',
    perPage: 'perPage',
    mostPerPage: 200,
  }),
  effect: 'read',
  authorization: 'token',
})

const currency = shape('Currency of an order', {
  since: fromReference({ list: 'rate-list', match: 'code', sibling: 'code', take: 'since' }),
})

const createOrder = operation('order', {
  says: 'Made up: a record with a member that v1 has in a list alone.',
  legacy: post('/api/order'),
  v1: post('/api/v1/orders'),
  request: body(shape('Order', {})),
  response: record(shape('Order', { currency: object(currency) })),
  effect: 'write',
  authorization: 'token',
})

const rates = { body: v1Page([{ code: 'USD', updatedAt: 'today' }]) }

/** Answers orders at once, and the list as the test says. */
function v1With(list: () => V1Answer | Promise<V1Answer>): Promise<HttpServer> {
  const order = { status: 201, body: v1Record({ id: 1, currency: { code: 'USD' } }) }
  return startHttpServer(async ({ target }, response) => {
    const { status = 200, body } = target.startsWith(RATES) ? await list() : order
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
}

const operations = [createOrder, rateList]
const order = (token: string) => ({ path: '/api/order', body: '{}', headers: { authorization: `Bearer ${token}` } })
const filled = '{"id":1,"currency":{"code":"USD","since":"today"}}'
const notFilled = '{"id":1,"currency":{"code":"USD","since":null}}'

describe('a member that is filled from a reference list', () => {
  test('is taken from the record of the same code, under the caller’s own token', async () => {
    const v1 = await v1With(() => rates)
    const reply = await (await startGateway(v1.url, { operations })).call(order('t-1'))
    expect(reply).toMatchObject({ status: 200, text: filled })
    expect(v1.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer t-1', 'Bearer t-1'])
  })

  test('is read from a list that is fetched once for each token', async () => {
    const v1 = await v1With(() => rates)
    const gateway = await startGateway(v1.url, { operations })
    for (const token of ['t-1', 't-1', 't-2']) expect((await gateway.call(order(token))).text).toBe(filled)
    expect(v1.received.filter(({ target }) => target.startsWith(RATES))).toHaveLength(2)
  })

  test.each<[string, () => V1Answer | Promise<V1Answer>]>([
    ['fails', () => v1Error(503, 'DEPENDENCY_UNAVAILABLE')],
    ['is refused', () => v1Error(401, 'UNAUTHORIZED')],
    ['is not a list', () => ({ body: '<html></html>' })],
    ['has no such record', () => ({ body: v1Page([{ code: 'EUR', updatedAt: 'today' }]) })],
    ['has invalid records', () => ({ body: v1Page([1, null, { code: 5 }]) })],
  ])('is null when the list %s, and the record is still answered', async (_, list) => {
    const reply = await (await startGateway((await v1With(list)).url, { operations })).call(order('t-1'))
    expect(reply).toMatchObject({ status: 200, text: notFilled })
    expect(reply.headers['x-gateway-error']).toBeUndefined()
  })

  test('delays the answer by 250 ms at most', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const v1 = await v1With(() => held.then(() => rates))
    const gateway = await startGateway(v1.url, { operations })
    const started = performance.now()
    expect((await gateway.call(order('t-1'))).text).toBe(notFilled)
    const waited = performance.now() - started
    release()
    expect(waited).toBeGreaterThan(200)
    // The list itself would never arrive.
    expect(waited).toBeLessThan(10_000)
  })

  test('does not change the statuses of the call in the log', async () => {
    const v1 = await v1With(() => v1Error(503, 'DEPENDENCY_UNAVAILABLE'))
    const gateway = await startGateway(v1.url, { operations })
    await gateway.call(order('t-1'))
    expect(gateway.log).toMatchObject([{ operation: 'order', status: 200, v1Status: 201, v1Calls: 1 }])
  })
})
