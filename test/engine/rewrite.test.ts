import { describe, expect, it } from 'vitest'
import { compile } from '../../src/engine/compile/compile.ts'
import { from, list, lost, object, same, shape, timestamp } from '../../src/mapping/shape.ts'
import { rewriteBytes, toLegacy, toV1 } from './support/rewriting.ts'

describe('one member', () => {
  const rows = shape('Row', { number: same(), count: from('total'), at: timestamp('createdAt') })

  it('keeps its name, is renamed, or has its value converted', () => {
    const v1 = '{"number":"A","total":3,"createdAt":"2025-01-01T10:24:19.000Z"}'
    const legacy = '{"number":"A","count":3,"at":"2025-01-01T10:24:19+00:00"}'
    expect(toLegacy(rows, v1)).toBe(legacy)
    expect(toV1(rows, legacy)).toBe(v1)
  })

  it('that is missing stays missing', () => {
    expect(toLegacy(rows, '{"total":3}')).toBe('{"count":3}')
    expect(toLegacy(rows, '{}')).toBe('{}')
  })

  it('is found in any order', () => {
    expect(toLegacy(rows, '{"createdAt":null,"total":3,"number":"A"}')).toBe('{"at":null,"count":3,"number":"A"}')
  })

  it('that occurs twice is rewritten twice', () => {
    expect(toLegacy(rows, '{"total":1,"number":"A","total":2}')).toBe('{"count":1,"number":"A","count":2}')
  })

  it('is found when its name is written with escapes', () => {
    expect(toLegacy(rows, '{"\\u0074ot\\u0061l":1,"n\\u0075mber":"A"}')).toBe('{"count":1,"n\\u0075mber":"A"}')
  })

  it('whose name only has the same start, end or letters in another case is another member', () => {
    const other = '{"tota":1,"totals":2,"Total":3,"to tal":4,"atotal":5,"total ":6,"":7}'
    expect(toLegacy(rows, other)).toBe(other)
  })

  it('is not searched for within strings', () => {
    const other = '{"x":"\\"total\\":1,","y":"2025-01-01T10:24:19.000Z","z":["total",{"total":1}]}'
    expect(toLegacy(rows, other)).toBe(other)
  })
})

describe('a shape', () => {
  const rules = { number: same(), count: from('total') }
  const open = shape('Open', rules, { v1Only: { added: 'added in v1' } })
  const closed = shape('Closed', rules, { closed: true })
  const v1 = '{"other":{"total":1},"number":"A","added":7,"total":3,"last":[null]}'

  it('that is open passes unknown members, except those that only v1 has', () => {
    expect(toLegacy(open, v1)).toBe('{"other":{"total":1},"number":"A","count":3,"last":[null]}')
  })

  it('that is closed passes only the members of its table', () => {
    expect(toLegacy(closed, v1)).toBe('{"number":"A","count":3}')
    expect(toLegacy(closed, '{"other":1}')).toBe('{}')
  })

  it('that is closed reports what it left out', () => {
    const dropped = new Set<string>()
    toV1(closed, '{"organizationId":1,"count":3,"type\\u0049d":2,"a":null}', { dropped })
    expect([...dropped]).toEqual(['organizationId', 'typeId', 'a'])
  })

  it('never answers a v1 member under the name of a legacy one', () => {
    expect(toLegacy(open, '{"count":9,"total":3}')).toBe('{"count":3}')
    expect(toLegacy(open, '{"total":3,"count":{"x":1},"a":1}')).toBe('{"count":3,"a":1}')
    expect(toLegacy(open, '{"count":9}')).toBe('{}')
    expect(toV1(open, '{"total":9,"count":3}')).toBe('{"total":3}')
  })

  it('can have two members that swap names', () => {
    const swapped = shape('Swapped', { a: from('b'), b: from('a') })
    expect(toLegacy(swapped, '{"a":1,"b":2}')).toBe('{"b":1,"a":2}')
    expect(toV1(swapped, '{"b":1,"a":2}')).toBe('{"a":1,"b":2}')
  })

  it('reads any order of members alike, whatever it read before', () => {
    const texts = ['{"total":1,"number":2,"x":3}', '{"x":3,"number":2,"total":1}', '{"number":2,"x":3,"total":1}']
    const expected = ['{"count":1,"number":2,"x":3}', '{"x":3,"number":2,"count":1}', '{"number":2,"x":3,"count":1}']
    const plan = compile(open, 'toLegacy')
    for (const order of [texts, [...texts].reverse(), texts]) {
      for (const text of order) {
        expect(rewriteBytes(plan, Buffer.from(text)).toString()).toBe(expected[texts.indexOf(text)])
      }
    }
  })
})

describe('a lost member', () => {
  const record = shape('Record', { id: same(), freightPrice: lost('v1 has no prices'), 'sender.email': lost('gone') })

  it('is null in a legacy answer, whatever v1 sends under its name', () => {
    expect(toLegacy(record, '{"id":1}')).toBe('{"id":1,"freightPrice":null,"sender":{"email":null}}')
    expect(toLegacy(record, '{"freightPrice":5,"id":1}')).toBe('{"id":1,"freightPrice":null,"sender":{"email":null}}')
    expect(toLegacy(record, '{}')).toBe('{"freightPrice":null,"sender":{"email":null}}')
  })

  it('is not sent to v1', () => {
    expect(toV1(record, '{"freightPrice":5,"id":1,"sender":{"email":"a"}}')).toBe('{"id":1}')
  })
})

describe('nested objects and lists', () => {
  const status = shape('Status', { id: same(), slug: from('code') }, { closed: true })
  const record = shape('Record', { state: object(status, 'status'), rows: list(status), type: object(status) })

  it('are rewritten by tables of their own', () => {
    const v1 = '{"status":{"id":1,"code":"A","x":0},"rows":[{"code":"B"},{"id":2,"name":""}],"type":{}}'
    expect(toLegacy(record, v1)).toBe('{"state":{"id":1,"slug":"A"},"rows":[{"slug":"B"},{"id":2}],"type":{}}')
  })

  it.each(['null', '"NEW"', '7', 'true', '[]', '[{"code":"A"}]'])('pass %s in place of an object unchanged', (odd) => {
    expect(toLegacy(record, `{"status":${odd},"type":${odd}}`)).toBe(`{"state":${odd},"type":${odd}}`)
  })

  it.each(['null', '"NEW"', '7', '{"code":"A"}', '[]', '[ ]', '[null,1,"a",[{"code":1}]]'])(
    'pass %s in place of a list unchanged',
    (odd) => {
      expect(toLegacy(record, `{"rows":${odd}}`)).toBe(`{"rows":${odd}}`)
    },
  )
})
