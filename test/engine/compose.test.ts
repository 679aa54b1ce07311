import { describe, expect, it } from 'vitest'
import { ALL_ROWS, rewriteList, rewriteRows } from '../../src/engine/answer.ts'
import { valuePlan } from '../../src/engine/compile/compile.ts'
import { JsonError } from '../../src/engine/json/scan-json.ts'
import { PromiseError } from '../../src/engine/rewrite/rewrite-plan.ts'
import { upper } from '../../src/mapping/conversions.ts'
import { constant, fromReference, fromRequestRow, joined } from '../../src/mapping/filled-lines.ts'
import {
  converted,
  from,
  ifAbsent,
  inRow,
  list,
  lost,
  object,
  promised,
  type Rule,
  same,
  shape,
  timestamp,
} from '../../src/mapping/shape.ts'
import { toLegacy, toV1 } from './support/rewriting.ts'

const of = (rules: Readonly<Record<string, Rule>>, options?: Parameters<typeof shape>[2]) =>
  shape('Record', rules, options)

describe('a line that counts from the row', () => {
  const region = shape('Region', { id: same(), name: inRow(from('regionName')) })
  const row = of({ region: object(region) })

  it('nests what v1 has beside the object, and is not answered under its own name as well', () => {
    expect(toLegacy(row, '{"region":{"id":1,"x":2},"regionName":"A\\u0042","other":1.50}')).toBe(
      '{"region":{"id":1,"name":"A\\u0042","x":2},"other":1.50}',
    )
  })

  it('makes the object if v1 has none', () => {
    expect(toLegacy(row, '{"regionName":null}')).toBe('{"region":{"name":null}}')
    expect(toLegacy(row, '{"region":null,"regionName":"A"}')).toBe('{"region":{"id":null,"name":"A"}}')
    expect(toLegacy(row, '{"region":null,"regionName":null}')).toBe('{"region":null}')
    expect(toLegacy(row, '{"region":"none"}')).toBe('{"region":"none"}')
    expect(toLegacy(row, '{}')).toBe('{}')
  })

  it('is sent where v1 has it, and leaves out an object that it empties', () => {
    expect(toV1(row, '{"region":{"name":"A"}}')).toBe('{"regionName":"A"}')
    expect(toV1(row, '{"region":{"name":"A","id":7}}')).toBe('{"region":{"id":7},"regionName":"A"}')
    expect(toV1(row, '{"region":{}}')).toBe('{"region":{}}')
  })

  it('may be answered under its own name too, if a line says so', () => {
    const both = of({ region: object(region), regionName: same() })
    expect(toLegacy(both, '{"regionName":"A"}')).toBe('{"region":{"name":"A"},"regionName":"A"}')
    expect(toV1(both, '{"regionName":"B","region":{"name":"A"}}')).toBe('{"regionName":"A"}')
    expect(toV1(both, '{"regionName":"B"}')).toBe('{"regionName":"B"}')
  })

  it('reads from the record around its list, for every row', () => {
    const record = of({ rows: list(shape('Row', { n: same(), currency: inRow(same(), 1) }), 'items') })
    expect(toLegacy(record, '{"items":[{"n":1},7,{"n":2}],"currency":"TRY"}')).toBe(
      '{"rows":[{"n":1,"currency":"TRY"},7,{"n":2,"currency":"TRY"}]}',
    )
    expect(toV1(record, '{"rows":[{"n":1,"currency":"A"},{"n":2,"currency":"B"}]}')).toBe(
      '{"items":[{"n":1},{"n":2}],"currency":"A"}',
    )
    expect(toV1(record, '{"rows":[]}')).toBe('{"items":[]}')
  })
})

describe('what v1 does not have', () => {
  it('is null or missing, as the line says', () => {
    const absent = of({ a: ifAbsent('null', from('x')), b: ifAbsent('missing', from('y')) })
    expect(toLegacy(absent, '{"y":null}')).toBe('{"a":null}')
    expect(toLegacy(absent, '{"x":null,"y":0}')).toBe('{"a":null,"b":0}')
    expect(toV1(absent, '{"a":null}')).toBe('{"x":null}')
  })

  it('holds for objects and lists', () => {
    const absent = of({ a: ifAbsent('null', object(of({}))), b: ifAbsent('missing', list(of({}))) })
    expect(toLegacy(absent, '{"b":null}')).toBe('{"a":null}')
    expect(toLegacy(absent, '{"a":{},"b":[]}')).toBe('{"a":{},"b":[]}')
  })
})

describe('a joined text', () => {
  const name = of({ name: joined([{ path: 'first' }, { text: ' "ü" ' }, { path: 'last' }]) })

  it('keeps escapes and digits', () => {
    expect(toLegacy(name, '{"last":1.50,"first":"\\u0041\\n"}')).toBe('{"name":"\\u0041\\n \\"ü\\" 1.50"}')
  })

  it('is null if a value is missing, null, an object or a list', () => {
    for (const last of ['', ',"last":null', ',"last":{}', ',"last":[]']) {
      expect(toLegacy(name, `{"first":"A"${last}}`)).toBe('{"name":null}')
    }
  })

  it('is not sent', () => {
    expect(toV1(name, '{"name":"A B","x":1}')).toBe('{"x":1}')
  })
})

it('a constant is the same in every answer, and is not sent', () => {
  const shape = of({ currency: constant('TRY'), flags: constant([]) })
  expect(toLegacy(shape, '{"currency":"USD"}')).toBe('{"currency":"TRY","flags":[]}')
  expect(toV1(shape, '{"currency":"TRY","id":1}')).toBe('{"id":1}')
})

it('several lines read one member, and the first is sent', () => {
  const shape = of({ code: from('iso'), label: converted(upper, 'iso'), all: from('more'), first: from('more.a') })
  expect(toLegacy(shape, '{"iso":"tr","more":{"a":1}}')).toBe('{"code":"tr","label":"TR","all":{"a":1},"first":1}')
  expect(toV1(shape, '{"label":"X","code":"tr"}')).toBe('{"iso":"tr"}')
  expect(toV1(shape, '{"label":"X","first":2}')).toBe('{"iso":"X","more":{"a":2}}')
})

describe('composing keeps the promises of rewriting', () => {
  const again = { a: from('x'), b: from('x') }

  it('text that is not JSON is refused, wherever it stops', () => {
    const text = '{"x":[1,{"y":"\\u0041"}],"z":tru}'
    for (const wrong of [text, text.slice(0, 12), '{"x":1,}', '{"x" 1}', '{x:1}', '{"x":1']) {
      expect(() => toLegacy(of(again), wrong)).toThrow(JsonError)
    }
  })

  it('of a duplicate member the last one counts, even if an earlier one is an object', () => {
    const deep = of({ ...again, c: from('o.p') })
    expect(toLegacy(deep, '{"x":1,"o":{"p":1},"x":2,"o":{"q":3}}')).toBe('{"a":2,"b":2,"o":{"q":3}}')
  })

  it('names of every kind are harmless', () => {
    const odd = of({ ...again, __proto_: same() })
    const text = '{"__proto__":{"x":1},"constructor":1,"toString":null,"":2,"\\u0078":3}'
    expect(toLegacy(odd, text)).toBe('{"a":3,"b":3,"__proto__":{"x":1},"constructor":1,"toString":null,"":2}')
  })

  it('values may be nested as deeply as they like', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    expect(toLegacy(of(again), `{"x":${deep},"y":${deep}}`)).toBe(`{"a":${deep},"b":${deep},"y":${deep}}`)
  })

  it('promised members are required, also within objects and from around them', () => {
    const holder = shape('Holder', { key: promised('string', same()), top: inRow(promised('string', from('token'))) })
    const record = of({ ...again, holder: object(holder) })
    expect(toLegacy(record, '{"holder":{"key":"k"},"token":"t"}')).toBe('{"holder":{"key":"k","top":"t"}}')
    expect(() => toLegacy(record, '{"holder":{},"token":"t"}')).toThrow('Holder: no key')
    expect(() => toLegacy(record, '{"holder":{"key":1},"token":"t"}')).toThrow('Holder, key: no string')
    expect(() => toLegacy(record, '{"holder":{"key":"k"}}')).toThrow(PromiseError)
  })

  it('a closed shape names what it leaves out, and lines are traced', () => {
    const dropped = new Set<string>()
    const traced: Rule[] = []
    const rules = { ...again, gone: lost('gone'), part: object(shape('Part', { at: timestamp() }, { closed: true })) }
    const text = '{"x":1,"y":2,"part":{"at":"2025-01-31T10:24:19.123Z","z":1}}'
    const result = toLegacy(of(rules, { closed: true }), text, { dropped, trace: (rule) => traced.push(rule) })
    expect(result).toBe('{"a":1,"b":1,"gone":null,"part":{"at":"2025-01-31T10:24:19+00:00"}}')
    expect([...dropped].sort()).toEqual(['y', 'z'])
    expect(new Set(traced)).toEqual(
      new Set([...Object.values(rules), rules.part.value.kind === 'object' && rules.part.value.shape.rules.at]),
    )
  })

  it('members are filled from the context, in rows of a list and of a page', () => {
    const row = of({
      ...again,
      id: fromRequestRow('rows', 'id'),
      unit: fromReference({ list: 'unit-list', match: 'code', sibling: 'unitCode', take: 'name' }),
    })
    const context = {
      requestRow: (list: string, take: string, index: number, count: number) =>
        Buffer.from(`"${list} ${take} ${index} ${count}"`),
      reference: (_: string, __: string, key: string) => Buffer.from(`"of ${key}"`),
    }
    const items =
      '{"success":true,"items":[{"x":1,"unitCode":"C62"},{"unitCode":7}],"meta":{"page":1,"perPage":2,"total":2,"pageCount":1}}'
    const expected = [
      { a: 1, b: 1, id: 'rows id 0 2', unit: 'of C62', unitCode: 'C62' },
      { id: 'rows id 1 2', unit: null, unitCode: 7 },
    ]
    const rows = rewriteList(valuePlan({ kind: 'list', shape: row }, 'toLegacy'), Buffer.from(items), { context })
    expect(JSON.parse(rows.toString())).toEqual(expected)
    const plan = valuePlan({ kind: 'object', shape: of(again) }, 'toLegacy')
    const page = rewriteRows(plan, Buffer.from(items), { skip: 1, take: 1 })
    expect(Buffer.from(page.rows).toString()).toBe('{"unitCode":7}')
    expect(rewriteRows(plan, Buffer.from(items), ALL_ROWS).count).toBe(2)
  })
})
