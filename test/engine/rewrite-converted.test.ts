import { describe, expect, it } from 'vitest'
import type { Converter } from '../../src/mapping/converter.ts'
import { converted, decimal, list, shape } from '../../src/mapping/shape.ts'
import { contentOf } from './support/json-tree.ts'
import { toLegacy, toV1 } from './support/rewriting.ts'

/** A converter with this effect on v1's values, and the values that it got. */
function seeing(toLegacy: Converter['toLegacy']) {
  const given: string[] = []
  const by: Converter = {
    says: 'It is seen.',
    samples: [{ legacy: '1', v1: '1' }],
    toLegacy: (text) => {
      given.push(text)
      return toLegacy(text)
    },
    toV1: () => undefined,
  }
  return { given, rows: shape('Rows', { rows: list(shape('Row', { at: converted(by, 'value') })) }) }
}

describe('a converter', () => {
  it('gets each value whole and once, whatever its length and what follows', () => {
    const values = ['7', '12500', '-1.5e+3', '"a \\" b"', '"2025-01-31T10:24:19.000Z"', '"é"', 'true', 'false']
    const { given, rows } = seeing(() => undefined)
    const text = `{"rows":[${values.map((value, index) => `{"value":${value}${' '.repeat(index)}}`).join(',')}]}`
    expect(toLegacy(rows, text)).toBe(text.replaceAll('"value"', '"at"'))
    expect(given).toEqual(values)
  })

  it('does not get null, objects and lists, which pass unchanged', () => {
    const { given, rows } = seeing(() => '"never"')
    const text = '{"rows":[{"at":null},{"at":{"a":[1]}},{"at":[ 1 ]}]}'
    expect(toLegacy(rows, text.replaceAll('"at"', '"value"'))).toBe(text)
    expect(given).toEqual([])
  })

  it.each([
    ['throws', (text: string) => String(BigInt(text))],
    ['makes something that is not JSON', () => '}'],
  ])('that %s does not break the answer', (_, conversion) => {
    const { rows } = seeing(conversion)
    expect(toLegacy(rows, '{"rows":[{"value":"soon","x":1}]}')).toBe('{"rows":[{"at":"soon","x":1}]}')
  })

  it('may make values longer, shorter, and of another type', () => {
    const { rows } = seeing((text) => ({ '1': '"one hundred and twenty-eight"', '"two"': '2', true: '[true]' })[text])
    expect(toLegacy(rows, '{"rows":[{"value":1,"a":0},{"b":0,"value":"two"},{"value":true}]}')).toBe(
      '{"rows":[{"at":"one hundred and twenty-eight","a":0},{"b":0,"at":2},{"at":[true]}]}',
    )
  })
})

describe('cents', () => {
  const row = shape('Row', { price: decimal(2), other: decimal(2, 'others.minor') })

  it.each([
    ['{"price":1250}', '{"price":12.50}'],
    ['{"price":12500}', '{"price":125.00}'],
    ['{"price":5,"others":{"minor":12345678901234567890}}', '{"price":0.05,"other":123456789012345678.90}'],
    ['{ "price" : 12500 , "others" : { "minor" : -1 } }', '{ "price" : 125.00,"other":-0.01 }'],
  ])('%s is %s', (v1, legacy) => {
    expect(toLegacy(row, v1)).toBe(legacy)
    expect(contentOf(toV1(row, legacy))).toBe(contentOf(v1))
  })
})
