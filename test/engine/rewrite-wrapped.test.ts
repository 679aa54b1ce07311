import { describe, expect, it } from 'vitest'
import { from, list, object, same, shape, timestamp } from '../../src/mapping/shape.ts'
import { toLegacy, toV1 } from './support/rewriting.ts'

describe('a member that legacy has in an object', () => {
  const invoice = shape('Invoice', { id: same(), 'currency.code': from('currencyCode') })

  it('is wrapped in place, and unwrapped again', () => {
    expect(toLegacy(invoice, '{"currencyCode":"TRY","id":1}')).toBe('{"currency":{"code":"TRY"},"id":1}')
    expect(toV1(invoice, '{"currency":{"code":"TRY"},"id":1}')).toBe('{"currencyCode":"TRY","id":1}')
  })

  it.each(['null', '7', '{"a":1}', '[]'])('is wrapped whatever its value: %s', (value) => {
    expect(toLegacy(invoice, `{"currencyCode":${value}}`)).toBe(`{"currency":{"code":${value}}}`)
  })

  it('that occurs twice is wrapped twice', () => {
    expect(toLegacy(invoice, '{"currencyCode":1,"id":1,"currencyCode":2}')).toBe(
      '{"currency":{"code":1},"id":1,"currency":{"code":2}}',
    )
  })

  it('replaces a v1 member of that name', () => {
    expect(toLegacy(invoice, '{"currency":{"id":3},"currencyCode":"TRY"}')).toBe('{"currency":{"code":"TRY"}}')
  })

  it('is converted on the way', () => {
    const wrapped = shape('Wrapped', { 'times.created.at': timestamp('createdAt') })
    expect(toLegacy(wrapped, '{"createdAt":"2025-01-01T10:24:19.000Z","x":1}')).toBe(
      '{"times":{"created":{"at":"2025-01-01T10:24:19+00:00"}},"x":1}',
    )
    expect(toV1(wrapped, '{"times":{"created":{"at":"2025-01-01T10:24:19+00:00"}},"x":1}')).toBe(
      '{"createdAt":"2025-01-01T10:24:19.000Z","x":1}',
    )
  })
})

describe('two v1 members that legacy has in one object', () => {
  const money = shape('Money', { id: same(), 'price.amount': from('amount'), 'price.code': from('currencyCode') })

  it('are gathered in it, neighbours or not', () => {
    const legacy = '{"id":1,"price":{"amount":1.50,"code":"TRY"}}'
    expect(toLegacy(money, '{"amount":1.50,"currencyCode":"TRY","id":1}')).toBe(legacy)
    expect(toLegacy(money, '{"currencyCode":"TRY","id":1,"amount":1.50}')).toBe(legacy)
  })

  it('are put back to their places in v1', () => {
    expect(toV1(money, '{"price":{"code":"TRY","amount":1.50},"id":1}')).toBe(
      '{"currencyCode":"TRY","amount":1.50,"id":1}',
    )
  })

  it('make no object when both are missing, and a smaller one when one is', () => {
    expect(toLegacy(money, '{"id":1}')).toBe('{"id":1}')
    expect(toLegacy(money, '{"currencyCode":"TRY"}')).toBe('{"price":{"code":"TRY"}}')
  })

  it('take the last of duplicates', () => {
    expect(toLegacy(money, '{"amount":1,"currencyCode":"A","amount":2}')).toBe('{"price":{"amount":2,"code":"A"}}')
  })

  it('are null in v1 when legacy’s object is', () => {
    expect(toV1(money, '{"price":null}')).toBe('{"amount":null,"currencyCode":null}')
  })

  it('are gathered in every row of a list', () => {
    const rows = shape('Rows', { rows: list(money) })
    expect(toLegacy(rows, '{"rows":[{"amount":1},{"id":2},{"amount":3,"currencyCode":"B"}]}')).toBe(
      '{"rows":[{"price":{"amount":1}},{"id":2},{"price":{"amount":3,"code":"B"}}]}',
    )
  })
})

describe('gathered members', () => {
  it('may come from an object of v1', () => {
    const currency = shape('Currency', {
      'rate.selling': from('rates.sellingTry'),
      'rate.buying': from('rates.buyingTry'),
      updatedAt: timestamp('rates.updatedAt'),
    })
    const v1 = '{"rates":{"buyingTry":1.0,"updatedAt":"2025-01-01T10:24:19.000Z","sellingTry":2},"id":1}'
    expect(toLegacy(currency, v1)).toBe(
      '{"updatedAt":"2025-01-01T10:24:19+00:00","id":1,"rate":{"selling":2,"buying":1.0}}',
    )
    expect(toLegacy(currency, '{"rates":null}')).toBe('{"updatedAt":null,"rate":{"selling":null,"buying":null}}')
    expect(toV1(currency, '{"rate":{"selling":2},"updatedAt":"2025-01-01T10:24:19+00:00"}')).toBe(
      '{"rates":{"sellingTry":2,"updatedAt":"2025-01-01T10:24:19.000Z"}}',
    )
  })

  it('may be objects and lists that are gathered themselves', () => {
    const inner = shape('Inner', { 'a.x': from('x'), 'a.y': from('y') })
    const outer = shape('Outer', { 'all.one': object(inner, 'one'), 'all.rows': list(inner, 'rows') })
    expect(toLegacy(outer, '{"rows":[{"y":1,"x":2},7],"one":{"y":3}}')).toBe(
      '{"all":{"one":{"a":{"y":3}},"rows":[{"a":{"x":2,"y":1}},7]}}',
    )
  })

  it('may be gathered in objects within objects', () => {
    const deep = shape('Deep', { 'a.b.x': from('x'), 'a.b.y': from('y'), 'a.z': from('z') })
    expect(toLegacy(deep, '{"z":1,"y":2,"x":3}')).toBe('{"a":{"b":{"x":3,"y":2},"z":1}}')
    expect(toLegacy(deep, '{"z":1}')).toBe('{"a":{"z":1}}')
    expect(toV1(deep, '{"a":{"z":1,"b":{"y":2}}}')).toBe('{"z":1,"y":2}')
  })
})
