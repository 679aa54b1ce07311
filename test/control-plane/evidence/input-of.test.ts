import { describe, expect, it } from 'vitest'
import { comparer } from '../../../src/control-plane/evidence/compare-exchange.ts'
import { inputReader } from '../../../src/control-plane/evidence/coverage/sent-request.ts'
import type { WriteTranslation } from '../../../src/control-plane/evidence/writes/check-write.ts'
import { body } from '../../../src/mapping/request.ts'
import { list, lost, object, same, shape } from '../../../src/mapping/shape.ts'
import { expectationsFrom, mappedExpectations } from './support/lines.ts'
import { reply } from './support/observing.ts'

/** Returns a function that gives the input of a call: a query, or a body as a value or as it is written. */
function inputsOf(operation: string, method: string, path: string) {
  const { inputOf } = mappedExpectations(operation)
  return (query: string, body: unknown = '', headers = {}): string =>
    inputOf({ method, path, query, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) })
}

describe('the input of a call is what the mapping lists of it:', () => {
  it('query parameters', () => {
    const input = inputsOf('currency-list', 'GET', '/api/currency')
    const plain = input('sortBy=name&sortOrder=desc')
    expect(input('_=1700000000000&sortOrder=desc&sortBy=name')).toBe(plain)
    expect(input('sortBy=code&sortBy=name&sortOrder=desc')).toBe(plain)
    expect(input('sortBy=name&sortOrder=desc', '{"_":1}')).toBe(plain)
    expect(input('sortBy=name&sortOrder=asc')).not.toBe(plain)
    expect(input('sortBy=name')).not.toBe(plain)
    expect(input('sortBy=name&sortOrder=desc', '', { 'accept-language': 'en' })).not.toBe(plain)
  })

  it('members of the body that become parameters', () => {
    const input = inputsOf('invoice-list', 'POST', '/api/invoice/list')
    const plain = input('', { page: 1, dateAtBetween: { startAt: '2025-01-31' } })
    expect(input('_=1', ' {"requestId":"7","dateAtBetween":{"startAt":"2025-01-31","_":1},"page":1}')).toBe(plain)
    expect(input('', { page: 2, dateAtBetween: { startAt: '2025-01-31' } })).not.toBe(plain)
    expect(input('', { page: 1, dateAtBetween: { startAt: '2025-02-01' } })).not.toBe(plain)
    expect(input('', { page: 1, dateAtBetween: '2025-01-31' })).not.toBe(input('', { page: 1 }))
  })

  it('members of a body, at any depth, where a shape passes only listed ones', () => {
    const row = shape('Row', { code: same(), 'size.width': same() }, { closed: true })
    const inputOf = inputReader(
      body(shape('Order', { rows: list(row), one: object(row), old: lost('gone') }, { closed: true })),
    )
    const input = (value: object): string =>
      inputOf({ method: 'POST', path: '/a', query: '', headers: {}, body: Buffer.from(JSON.stringify(value)) })
    const plain = input({ rows: [{ code: 1, size: { width: 2 } }, { code: 3 }], one: { code: 4 }, old: 5 })
    const busy = {
      old: 5,
      one: { _: 1, code: 4 },
      rows: [
        { size: { width: 2, _: 2 }, code: 1 },
        { code: 3, _: 3 },
      ],
      _: 4,
    }
    expect(input(busy)).toBe(plain)
    expect(input({ ...busy, old: 6 })).not.toBe(plain)
    expect(input({ ...busy, one: { code: 5 } })).not.toBe(plain)
    expect(input({ ...busy, rows: busy.rows.toReversed() })).not.toBe(plain)
    expect(input({ ...busy, rows: [{ code: 1, size: 2 }, { code: 3 }] })).not.toBe(plain)
  })

  it('every member of a body whose shape is open: v1 gets all of them', () => {
    const input = inputsOf('price', 'POST', '/api/calculate/price')
    const plain = input('', { countryId: 57, packages: [{ id: 7, weight: 2 }] })
    expect(input('_=1', { packages: [{ weight: 2, id: 7 }], countryId: 57 })).toBe(plain)
    expect(input('', { countryId: 58, packages: [{ id: 7, weight: 2 }] })).not.toBe(plain)
    expect(input('', { countryId: 57, packages: [{ id: 8, weight: 2 }] })).not.toBe(plain)
  })

  it('all of it, if the request is passed through or cannot be read', () => {
    const charges = inputsOf('charge-list', 'POST', '/api/transaction/charge/list')
    expect(charges('', '{"a":1}')).not.toBe(charges('', '{"a":2}'))
    expect(charges('a=1', '{}')).not.toBe(charges('a=2', '{}'))
    const invoices = inputsOf('invoice-list', 'POST', '/api/invoice/list')
    expect(invoices('', '{"page":1')).not.toBe(invoices('', '{"page":2'))
    expect(new Set([invoices('', ''), invoices('', '{}'), invoices('', '[]')]).size).toBe(3)
  })
})

it('equal calls of a client are one unit and one input, whatever the mapping ignores', () => {
  const expectations = mappedExpectations('currency-list')
  const { compare } = comparer({
    expectations: () => expectations,
    translation: () => expect.unreachable() as WriteTranslation,
    redact: (json) => Buffer.from(json),
  })
  const answer = reply([{ code: 'EUR' }])
  const found = Array.from({ length: 300 }, (_, n) =>
    compare({
      ...{ operation: 'currency-list', client: 'shop', at: new Date(0), control: answer, candidate: answer },
      request: { method: 'GET', path: '/api/currency', query: `_=${n}`, headers: {}, body: Buffer.alloc(0) },
    }),
  )
  expect(new Set(found.map(({ unit }) => unit)).size).toBe(1)
  expect(new Set(found.map(({ input }) => input)).size).toBe(1)
  expect(found[0]?.unit).toBeDefined()
})

it('a made-up operation without a request in its mapping keeps the whole request', () => {
  const { inputOf } = expectationsFrom([])
  const request = { method: 'GET', path: '/a', headers: {}, body: Buffer.alloc(0) }
  expect(inputOf({ ...request, query: '_=1' })).not.toBe(inputOf({ ...request, query: '_=2' }))
})
