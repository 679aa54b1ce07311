import { describe, expect, it } from 'vitest'
import { compile } from '../../src/engine/compile/compile.ts'
import { JsonError } from '../../src/engine/json/scan-json.ts'
import { Rewriter } from '../../src/engine/rewrite/rewrite.ts'
import { from, list, object, same, shape, timestamp } from '../../src/mapping/shape.ts'
import { contentOf, readTree, written } from './support/json-tree.ts'
import { rewriteBytes, toLegacy } from './support/rewriting.ts'

const inner = shape('Inner', { price: same(), 'currency.code': from('currencyCode') })
const record = shape('Record', {
  id: same(),
  cost: from('price'),
  at: timestamp(),
  rows: list(inner),
  one: object(inner),
})

const odd = [
  '100.00',
  '12345678901234567890',
  '1E+2',
  '-0',
  '-0.0e-0',
  '0.1000000000000000055511151231257827',
  '"\\u0041"',
  '"\\ud83d"',
  '"\\/"',
  '"é😀\u2028\u007f"',
  '"100.00"',
  '{"a":1E400,"a":2}',
  '[ 1.0 , 2.50 ]',
]

describe('what no rule touches stays byte for byte', () => {
  it.each(odd)('%s in a member that is kept, renamed, moved or unknown', (value) => {
    expect(toLegacy(record, `{"id":${value},"x":${value}}`)).toBe(`{"id":${value},"x":${value}}`)
    expect(toLegacy(record, `{"price":${value}}`)).toBe(`{"cost":${value}}`)
    expect(toLegacy(record, `{"at":${value}}`)).toBe(`{"at":${value}}`)
    expect(toLegacy(record, `{"one":{"currencyCode":${value},"price":${value}}}`)).toBe(
      `{"one":{"currency":{"code":${value}},"price":${value}}}`,
    )
  })

  it('white space between members that stay', () => {
    const text = '{ "id" : 1 ,\r\n\t"x" : [ 1 , 2 ] ,  "one" : { "price" : 1.0 } , "rows" : [ { } , [ ] ] }'
    expect(toLegacy(record, text)).toBe(text)
  })

  it('a text that only looks like a timestamp', () => {
    const text = '{"id":"2025-01-01T10:24:19.000Z","x":"2025-01-01T10:24:19.000Z","at":"on 2025-01-01T10:24:19.000Z"}'
    expect(toLegacy(record, text)).toBe(text)
  })

  it('an unknown member of 100,000 levels', () => {
    const deep = `${'[{"price":'.repeat(50_000)}null${'}]'.repeat(50_000)}`
    expect(toLegacy(record, `{"x":${deep},"price":1}`)).toBe(`{"x":${deep},"cost":1}`)
  })
})

describe('white space', () => {
  it.each([' ', '\n', '\t', '\r\n', ' \n\t\r '])('%j around everything does not matter', (space) => {
    const tight =
      '{"price":1,"currencyCode":2,"rows":[{"currencyCode":"TRY","price":2},{}],"at":"2025-01-01T10:24:19.000Z","z":3}'
    const wide = written(readTree(tight), { spaces: [space], escapesKey: [false] })
    expect(contentOf(toLegacy(record, wide))).toBe(contentOf(toLegacy(record, tight)))
  })

  it('around omitted members leaves no stray comma', () => {
    const closed = shape('Closed', { id: same() }, { closed: true })
    expect(toLegacy(closed, '{ "a" : 1 , "b" : 2 }')).toMatch(/^\{\s*\}$/)
    expect(contentOf(toLegacy(closed, '{ "a" : 1 , "id" : 2 , "b" : 3 }'))).toBe('{"id":2}')
  })
})

describe('the bytes of the input', () => {
  it('are not changed', () => {
    const json = Buffer.from('{"price":1,"rows":[{"currencyCode":"TRY"}],"at":"2025-01-01T10:24:19.000Z"}')
    const before = Buffer.from(json)
    rewriteBytes(compile(record, 'toLegacy'), json)
    expect(json.equals(before)).toBe(true)
  })

  it('may be a part of a larger buffer', () => {
    const json = Buffer.from('???{"price":1,"at":"2025-01-01T10:24:19.000Z"}???').subarray(3, -3)
    expect(
      rewriteBytes(compile(record, 'toLegacy'), new Uint8Array(json.buffer, json.byteOffset, json.length)).toString(),
    ).toBe('{"cost":1,"at":"2025-01-01T10:24:19+00:00"}')
  })

  it('may exceed the expected size', () => {
    const json = Buffer.from(`{"price":"${'é'.repeat(5_000)}","id":${'1'.repeat(3_000)},"x":1}`)
    const rewriter = new Rewriter(json, 0)
    rewriter.value({ kind: 'object', plan: compile(record, 'toLegacy') }, 0)
    expect(rewriter.finish().toString()).toBe(json.toString().replace('price', 'cost'))
  })
})

describe('input that is not JSON', () => {
  it.each([
    '{"id":1,}',
    '{"id":1',
    '{"id"}',
    '{"id" 1}',
    '{,"id":1}',
    '{"id":1 "x":2}',
    '{"id":01}',
    '{"price":}',
    '{"price":tru}',
    '{"x":[1,]}',
    '{"x":"\n"}',
    '{"\\x":1}',
    "{'id':1}",
    '{xid":1}',
    '{"id":1,xid":2}',
    '{"one":{xprice":1}}',
    '{"rows":[{]}',
    '{"rows":[{} {}]}',
    '{"rows":[{},]}',
    '{"one":{"currencyCode":"a}',
    '{"one":{"currencyCode":1,}}',
    '{"at":"2025-01-01T10:24:19.000Z}',
    '{"id":1}}',
    '{"id":1}x',
  ])('%s is detected', (json) => {
    expect(() => toLegacy(record, json)).toThrow(JsonError)
  })

  it('is detected even in omitted members', () => {
    const closed = shape('Closed', { id: same() }, { closed: true, v1Only: { gone: 'added' } })
    for (const json of ['{"x":01}', '{"x":{"a":}}', '{"gone":[}', '{"x":1,}'])
      expect(() => toLegacy(closed, json)).toThrow(JsonError)
  })
})
