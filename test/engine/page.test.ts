import { describe, expect, it } from 'vitest'
import { composePage, pagePlan, rewritePage } from '../../src/engine/answer.ts'
import { compile } from '../../src/engine/compile/compile.ts'
import { PromiseError } from '../../src/engine/rewrite/rewrite-plan.ts'
import { from, same, shape } from '../../src/mapping/shape.ts'

const row = { kind: 'object', plan: compile(shape('Row', { n: from('number') }), 'toLegacy') } as const
const counts = shape('Counts', { count: from('total'), page: same(), lastPage: from('pageCount') }, { closed: true })
const plan = pagePlan('data', row, 'pagination', { kind: 'object', plan: compile(counts, 'toLegacy') })
const META = '"meta":{"pageCount":1,"total":2,"x":null,"page":1,"perPage":25}'

describe('a page of v1', () => {
  it('is written whole, with its counts in the usual order', () => {
    const page = rewritePage(plan, Buffer.from(`{"items":[{"number":1.0} , {"number":2}],${META}}`))
    expect(page.toString()).toBe('{"data":[{"n":1.0} , {"n":2}],"pagination":{"count":2,"page":1,"lastPage":1}}')
  })

  it('may be empty, have its rows after its counts, or have two lists; the last one counts', () => {
    const pagination = '"pagination":{"count":2,"page":1,"lastPage":1}'
    const written = (text: string): string => rewritePage(plan, Buffer.from(text)).toString()
    expect(written(`{"items":[],${META}}`)).toBe(`{"data":[],${pagination}}`)
    expect(written(`{${META},"items":[7]}`)).toBe(`{"data":[7],${pagination}}`)
    expect(written(`{"items":[1,2,3],${META},"it\\u0065ms":[4]}`)).toBe(`{"data":[4],${pagination}}`)
  })

  it('is malformed without its counts', () => {
    expect(() => rewritePage(plan, Buffer.from('{"items":[]}'))).toThrow(PromiseError)
  })
})

describe('a page that is composed of several', () => {
  const meta = { page: 3, perPage: 500, total: 0, pageCount: 0 }
  const pagination = '"pagination":{"count":0,"page":3,"lastPage":0}'

  it.each([
    [[], '[]'],
    [['{"n":1}'], '[{"n":1}]'],
    [['{"n":1},{"n":2}', '{"n":3}'], '[{"n":1},{"n":2},{"n":3}]'],
    [['1'.repeat(9_000), '2'], `[${'1'.repeat(9_000)},2]`],
  ])('has commas between its pieces (case %#)', (rows, data) => {
    const pieces = rows.map((text) => Buffer.from(text))
    expect(composePage(plan, pieces, meta).toString()).toBe(`{"data":${data},${pagination}}`)
  })
})
