import { describe, expect, it } from 'vitest'
import countryList from '../../mappings/country-list.ts'
import { parameterTree, readBody, readQuery } from '../../src/engine/translate-parameters.ts'
import { requestTranslator } from '../../src/engine/translate-request.ts'
import { query } from '../../src/mapping/request.ts'

describe('a body', () => {
  const tree = parameterTree({ 'a.b.c': query(), 'a.x': query(), id: query() })
  const read = (text: string) => readBody(Buffer.from(text), tree)

  it('returns the values that the table names, by their paths', () => {
    const { values, dropped, notObjects } = read('{"id":1.0,"a":{"x":"\\u0041","b":{"c":true,"d":1}},"a.x":2}')
    expect([...values]).toEqual([
      ['id', { type: 'number', text: '1.0' }],
      ['a.x', { type: 'string', text: 'A' }],
      ['a.b.c', { type: 'boolean', text: 'true' }],
    ])
    expect([...dropped]).toEqual(['a.b.d', 'a.x'])
    expect([...notObjects]).toEqual([])
  })

  it('reports where an object was expected', () => {
    expect([...read('{"a":{"b":7}}').notObjects]).toEqual(['a.b'])
    expect([...read('{"a":[1]}').notObjects]).toEqual(['a'])
  })

  // Expected: no problem, since the last a is valid. Once reported: a.b, which is in the first.
  it('drops the problems of the first of two objects', () => {
    expect([...read('{"a":{"b":7},"a":{"x":1}}').notObjects]).toEqual([])
  })
})

describe('a query', () => {
  const read = (text: string) => readQuery(text, { a: query(), b: query() })

  it('returns decoded texts', () => {
    expect([...read('a=x%20y+z&b=%C3%A9').values]).toEqual([
      ['a', { type: 'string', text: 'x y z' }],
      ['b', { type: 'string', text: 'é' }],
    ])
  })

  it('uses the last of two parameters', () => {
    expect([...read('a=1&a=2').values]).toEqual([['a', { type: 'string', text: '2' }]])
    expect([...read('a=1&a=').values]).toEqual([])
  })

  it('leaves out empty parameters, and names unknown ones', () => {
    const { values, dropped } = read('a=&b&c=1&toString=2&A=3')
    expect([...values]).toEqual([])
    expect([...dropped]).toEqual(['c', 'toString', 'A'])
  })
})

describe('a list of countries', () => {
  const translate = requestTranslator(countryList)
  const asked = (text: string) => translate({ query: text, body: Buffer.from('ignored') })

  it('is requested under the names of v1', () => {
    expect(asked('sortBy=name&sortOrder=DESC&search=t%C3%BCrk&isGuarantee=1').call).toMatchObject({
      method: 'GET',
      path: '/api/v1/public/shared/countries',
      query: 'sortBy=name&sortOrder=DESC&search=t%C3%BCrk&isGuarantee=1',
      body: undefined,
      page: undefined,
    })
  })

  it('is not sorted by columns that v1 does not know', () => {
    expect(asked('sortBy=phoneCode&search=x').call?.query).toBe('search=x')
    expect(asked('sortBy=toString').call?.query).toBe('')
  })

  it('ignores the paging of the client', () => {
    const { call, dropped } = asked('page=2&perPage=10')
    expect(call?.query).toBe('')
    expect([...dropped]).toEqual(['page', 'perPage'])
  })
})
