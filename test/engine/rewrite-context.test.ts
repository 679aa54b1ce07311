import { describe, expect, it } from 'vitest'
import type { RewriteContext } from '../../src/engine/rewrite/rewrite-plan.ts'
import { timestampConverter } from '../../src/mapping/converter.ts'
import { fromReference, fromRequestRow } from '../../src/mapping/filled-lines.ts'
import { from, list, object, same, shape } from '../../src/mapping/shape.ts'
import { toLegacy, toV1 } from './support/rewriting.ts'

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

describe('a member filled from a reference list', () => {
  const source = { list: 'currency-list', match: 'code', sibling: 'code', take: 'rates.updatedAt' }
  const currency = shape('Currency', {
    code: same(),
    updatedAt: fromReference(source, { converted: timestampConverter }),
  })
  const asked: string[][] = []
  const context: RewriteContext = {
    reference: (...question) => {
      asked.push(question)
      return question[2] === 'TRY' ? json('2025-01-01T10:24:19.000Z') : undefined
    },
  }

  it('depends on the value of its sibling, and is converted', () => {
    asked.length = 0
    expect(toLegacy(currency, '{"id":1,"code":"TRY","name":"Lira"}', { context })).toBe(
      '{"id":1,"code":"TRY","name":"Lira","updatedAt":"2025-01-01T10:24:19+00:00"}',
    )
    expect(asked).toEqual([['currency-list', 'code', 'TRY', 'rates.updatedAt']])
  })

  it('finds a sibling that is written with escapes or renamed, and uses the last of two', () => {
    const renamed = shape('Renamed', { iso: from('code'), updatedAt: fromReference(source) })
    expect(toLegacy(renamed, '{"code":"EUR","code":"T\\u0052Y"}', { context })).toBe(
      '{"iso":"EUR","iso":"T\\u0052Y","updatedAt":"2025-01-01T10:24:19.000Z"}',
    )
  })

  it('finds a sibling that its table does not name, which the shape passes or drops', () => {
    const filled = '"updatedAt":"2025-01-01T10:24:19.000Z"}'
    const open = shape('Open', { updatedAt: fromReference(source) })
    const closed = shape('Closed', { updatedAt: fromReference(source) }, { closed: true })
    expect(toLegacy(open, '{"code":"TRY"}', { context })).toBe(`{"code":"TRY",${filled}`)
    expect(toLegacy(closed, '{"code":"TRY"}', { context })).toBe(`{${filled}`)
  })

  it.each(['{"code":"EUR"}', '{"code":null}', '{"code":949}', '{"code":{"a":"TRY"}}', '{"id":1}', '{}'])(
    'is null when the list has no such record: %s',
    (text) => {
      expect(JSON.parse(toLegacy(currency, text, { context }))).toMatchObject({ updatedAt: null })
    },
  )

  it('is null when there is no list', () => {
    expect(toLegacy(currency, '{"code":"TRY"}')).toBe('{"code":"TRY","updatedAt":null}')
    expect(toLegacy(currency, '{"code":"TRY"}', { context: {} })).toBe('{"code":"TRY","updatedAt":null}')
  })

  it('replaces a v1 member of its name, and is not sent to v1', () => {
    expect(toLegacy(currency, '{"updatedAt":1,"code":"TRY"}')).toBe('{"code":"TRY","updatedAt":null}')
    expect(toV1(currency, '{"updatedAt":1,"code":"TRY"}')).toBe('{"code":"TRY"}')
  })

  it('depends on the sibling in its own record', () => {
    const both = shape('Both', {
      code: same(),
      currency: object(currency),
      rows: list(currency),
      outer: fromReference(source),
    })
    const text = '{"currency":{"code":"EUR"},"rows":[{"code":"TRY"},{"code":"USD"}],"code":"TRY"}'
    expect(JSON.parse(toLegacy(both, text, { context }))).toEqual({
      code: 'TRY',
      outer: '2025-01-01T10:24:19.000Z',
      currency: { code: 'EUR', updatedAt: null },
      rows: [
        { code: 'TRY', updatedAt: '2025-01-01T10:24:19+00:00' },
        { code: 'USD', updatedAt: null },
      ],
    })
  })
})

describe('a member filled from the request’s row at the same place', () => {
  const row = shape('Row', { id: fromRequestRow('packages', 'id') })
  const quote = shape('Quote', { packages: list(row) })
  const quotes = shape('Quotes', { quotes: list(quote) })
  const sent = [7, 8]
  const context: RewriteContext = {
    requestRow: (name, take, index, count) =>
      name === 'packages' && take === 'id' && count === sent.length ? json(sent[index]) : undefined,
  }

  it('is returned in every row', () => {
    expect(toLegacy(quote, '{"packages":[{"desi":1},{}]}', { context })).toBe(
      '{"packages":[{"desi":1,"id":7},{"id":8}]}',
    )
  })

  it.each(['[{}]', '[{},{},{}]', '[ {} , {} , null ]'])('is null when the numbers of rows differ: %s', (rows) => {
    const legacy = toLegacy(quote, `{"packages":${rows}}`, { context })
    expect(legacy).toContain('"id":null')
    expect(legacy).not.toMatch(/"id":\d/)
  })

  it('counts rows that are not objects', () => {
    expect(toLegacy(quote, '{"packages":["odd",{}]}', { context })).toBe('{"packages":["odd",{"id":8}]}')
  })

  it('starts again in every list', () => {
    expect(
      toLegacy(quotes, '{"quotes":[{"packages":[{},{}]},{"packages":[{}]},{"packages":[{},{}]}]}', { context }),
    ).toBe('{"quotes":[{"packages":[{"id":7},{"id":8}]},{"packages":[{"id":null}]},{"packages":[{"id":7},{"id":8}]}]}')
  })

  it('keeps its place while a list within the row is walked', () => {
    const fees = shape('Fees', {
      id: fromRequestRow('packages', 'id'),
      fees: list(shape('Fee', { type: from('slug') })),
    })
    const text = '{"packages":[{"fees":[{"slug":1},{},{}]},{"fees":[{}]}]}'
    expect(toLegacy(shape('Quote', { packages: list(fees) }), text, { context })).toBe(
      '{"packages":[{"fees":[{"type":1},{},{}],"id":7},{"fees":[{}],"id":8}]}',
    )
  })

  it('is null without a request, and is not sent to v1', () => {
    expect(toLegacy(quote, '{"packages":[{}]}')).toBe('{"packages":[{"id":null}]}')
    expect(toV1(quote, '{"packages":[{"id":1,"x":2}]}')).toBe('{"packages":[{"x":2}]}')
  })

  it.each([
    ['gathered in an object', shape('Row', { 'from.id': fromRequestRow('packages', 'id') })],
    ['in an object of its own', shape('Row', { from: object(row) })],
  ])('is returned %s', (_, nested) => {
    const text = '{"packages":[{"from":{}},{"from":{}}]}'
    expect(toLegacy(shape('Quote', { packages: list(nested) }), text, { context })).toBe(
      '{"packages":[{"from":{"id":7}},{"from":{"id":8}}]}',
    )
  })
})
