import { describe, expect, it } from 'vitest'
import { copyPairs } from '../../../../src/control-plane/evidence/writes/copy-pairs.ts'
import type { ExchangeRequest } from '../../../../src/exchange/exchange.ts'
import { operation, post, record } from '../../../../src/mapping/operation.ts'
import { integer } from '../../../../src/mapping/reader.ts'
import { body, bodyParameters, query } from '../../../../src/mapping/request.ts'
import { givenByService, same, shape } from '../../../../src/mapping/shape.ts'

const details = { says: '', effect: 'write', authorization: 'none' } as const
const order = shape('Order', { id: givenByService('order', same('int')), at: givenByService('time', same('string')) })
const create = operation('order-create', {
  ...{ ...details, legacy: post('/order'), v1: post('/v1/orders') },
  ...{ request: body(shape('Wanted', { title: same() })), response: record(order) },
})
const close = operation('order-close', {
  ...{ ...details, legacy: post('/order/close'), v1: post('/v1/orders/close') },
  request: bodyParameters({
    id: givenByService('order', query(integer(1, 9e15))),
    // No write gives a seller.
    seller: givenByService('seller', query(integer(1, 9e15))),
  }),
  response: record(order),
})

const answered = (json: object, status = 200) => ({ status, body: Buffer.from(JSON.stringify(json)) })
const request = (json: object | string): ExchangeRequest => ({
  ...{ ...close.legacy, query: '', headers: {} },
  body: Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)),
})
const textOf = (rewritten: ExchangeRequest | undefined) => rewritten && Buffer.from(rewritten.body).toString()

describe('the pairs of values that legacy and the copy gave', () => {
  it('put the copy’s value in place of legacy’s, in the form in which the client wrote it', () => {
    const pairs = copyPairs([create, close])
    pairs.learn('me', create, answered({ id: 17, at: 'x' }), answered({ id: 4, at: 'y' }))
    expect(textOf(pairs.requestFor('me', close, request('{"id": 17, "x":1.0}')))).toBe('{"id": 4, "x":1.0}')
    expect(textOf(pairs.requestFor('me', close, request('{"id":"17"}')))).toBe('{"id":"4"}')
  })

  it('are each client’s own', () => {
    const pairs = copyPairs([create, close])
    pairs.learn('me', create, answered({ id: 17 }), answered({ id: 4 }))
    expect(pairs.requestFor('other', close, request({ id: 17 }))).toBeUndefined()
  })

  it('are missing where the copy never gave a value: then there is no request', () => {
    const pairs = copyPairs([create, close])
    pairs.learn('me', create, answered({ id: 17 }), answered({ message: 'no' }, 406))
    pairs.learn('me', create, answered({ message: 'no' }, 400), answered({ id: 5 }))
    expect(pairs.requestFor('me', close, request({ id: 17 }))).toBeUndefined()
  })

  it.each([[{}], [{ id: null }], [{ id: 0 }], [{ id: '' }], [{ seller: 9 }], ['no JSON']])(
    'are not needed for %j, which names no value of a write',
    (json) => {
      const sent = request(json)
      expect(textOf(copyPairs([create, close]).requestFor('me', close, sent))).toBe(textOf(sent))
    },
  )

  it('are the newest: the oldest are forgotten', () => {
    const pairs = copyPairs([create, close], 2)
    for (const id of [1, 2, 3]) pairs.learn('me', create, answered({ id }), answered({ id: id + 10 }))
    expect(pairs.requestFor('me', close, request({ id: 1 }))).toBeUndefined()
    expect(textOf(pairs.requestFor('me', close, request({ id: 2 })))).toBe('{"id":12}')
  })

  it('replace a body that the client had packed by a plain one', () => {
    const pairs = copyPairs([create, close])
    pairs.learn('me', create, answered({ id: 17 }), answered({ id: 4 }))
    const packed = {
      ...request({ id: 17 }),
      asSent: { body: Buffer.from('zip'), headers: { 'content-encoding': 'gzip' } },
    }
    expect(pairs.requestFor('me', close, packed)).toMatchObject({ body: Buffer.from('{"id":4}'), asSent: undefined })
  })
})
