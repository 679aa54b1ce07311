import { describe, expect, it } from 'vitest'
import { ALL_ROWS, rewriteRows } from '../../src/engine/answer.ts'
import { compile } from '../../src/engine/compile/compile.ts'
import { JsonError } from '../../src/engine/json/scan-json.ts'
import type { ValuePlan } from '../../src/engine/rewrite/rewrite-plan.ts'
import { PromiseError } from '../../src/engine/rewrite/rewrite-plan.ts'
import { from, shape } from '../../src/mapping/shape.ts'

const row: ValuePlan = { kind: 'object', plan: compile(shape('Row', { n: from('number') }), 'toLegacy') }
const META = '"meta":{"page":1,"perPage":25,"total":3,"pageCount":1}'
const page = (text: string, slice = ALL_ROWS) => {
  const { rows, count, meta } = rewriteRows(row, Buffer.from(text), slice)
  return { rows: Buffer.from(rows).toString(), count, meta }
}
const THREE = `{"items":[ {"number":1} , {"number":2,"x":1.0} , {"number":3} ],${META}}`

describe('a page', () => {
  it('has rows without brackets, and its counts', () => {
    const { rows, count, meta } = page(THREE)
    expect(rows.replaceAll(' ', '')).toBe('{"n":1},{"n":2,"x":1.0},{"n":3}')
    expect(count).toBe(3)
    expect(meta).toEqual({ page: 1, perPage: 25, total: 3, pageCount: 1 })
  })

  it.each([
    [0, 2, [1, 2]],
    [1, 1, [2]],
    [1, 9, [2, 3]],
    [2, 1, [3]],
    [3, 1, []],
    [0, 0, []],
    [7, 7, []],
  ])('can be cut from row %i to %i rows at most', (skip, take, numbers) => {
    const { rows, count } = page(THREE, { skip, take })
    expect((JSON.parse(`[${rows}]`) as { n: number }[]).map(({ n }) => n)).toEqual(numbers)
    expect(count).toBe(numbers.length)
  })

  it('may be empty, and may follow its counts', () => {
    expect(page(`{${META},"items":[ ]}`)).toMatchObject({ count: 0, rows: '' })
    expect(page(`{${META},"items":[{"number":1},7]}`)).toMatchObject({ count: 2, rows: '{"n":1},7' })
  })

  it('may have nothing to count', () => {
    const none = { page: 1, perPage: 25, total: 0, pageCount: 0 }
    expect(page(`{"items":[],"meta":${JSON.stringify(none)}}`).meta).toEqual(none)
  })

  it('has the last of duplicate lists and counts', () => {
    const other = '"meta":{"page":2,"perPage":1,"total":1,"pageCount":1}'
    expect(page(`{"items":[{}],${META},"items":[],${other}}`)).toMatchObject({ count: 0, meta: { page: 2, total: 1 } })
  })

  it('checks even the rows that are skipped', () => {
    expect(() => page(`{"items":[{"number":01},{}],${META}}`, { skip: 1, take: 1 })).toThrow(JsonError)
    expect(() => page(`{"items":[{},{"number":01}],${META}}`, { skip: 0, take: 1 })).toThrow(JsonError)
  })

  it.each([
    '{"page":1,"perPage":25,"total":3}',
    '{"page":"1","perPage":25,"total":3,"pageCount":1}',
    '{"page":1,"perPage":25,"total":-3,"pageCount":1}',
    '{"page":1,"perPage":25,"total":1.5,"pageCount":1}',
    '{"page":1,"perPage":null,"total":3,"pageCount":1}',
    '{"page":1,"perPage":25,"total":12345678901234567890,"pageCount":1}',
    '{}',
    '[]',
    'null',
  ])('is malformed with the counts %s', (meta) => {
    expect(() => page(`{"items":[],"meta":${meta}}`)).toThrow(PromiseError)
  })

  it('is malformed without rows, and without counts', () => {
    expect(() => page(`{${META}}`)).toThrow(PromiseError)
    expect(() => page('{"items":[]}')).toThrow(PromiseError)
  })
})
