import { describe, expect, it } from 'vitest'
import countryList from '../../mappings/country-list.ts'
import { parameterTree, readBody, readQuery } from '../../src/engine/read-parameters.ts'
import { requestTranslator } from '../../src/engine/translate-request.ts'
import { query } from '../../src/mapping/request.ts'

describe('a body', () => {
  const tree = parameterTree({ 'a.b.c': query(), 'a.x': query(), id: query() })
  const read = (text: string) => readBody(Buffer.from(text), tree)

  it('gives the values that the table names, by their paths', () => {
    const { values, dropped, notObjects } = read('{"id":1.0,"a":{"x":"\\u0041","b":{"c":true,"d":1}},"a.x":2}')
    expect([...values]).toEqual([
      ['id', { type: 'number', text: '1.0' }],
      ['a.x', { type: 'string', text: 'A' }],
      ['a.b.c', { type: 'boolean', text: 'true' }],
    ])
    expect([...dropped]).toEqual(['a.b.d', 'a.x'])
    expect([...notObjects]).toEqual([])
  })

  it('tells where an object was expected', () => {
    expect([...read('{"a":{"b":7}}').notObjects]).toEqual(['a.b'])
    expect([...read('{"a":[1]}').notObjects]).toEqual(['a'])
  })

  // Expected: none, the last a is right. Answered instead: a.b, which is in the first.
  it('forgets what was wrong in the first of two objects', () => {
    expect([...read('{"a":{"b":7},"a":{"x":1}}').notObjects]).toEqual([])
  })
})

describe('a query', () => {
  const read = (text: string) => readQuery(text, { a: query(), b: query() })

  it('gives texts, decoded', () => {
    expect([...read('a=x%20y+z&b=%C3%A9').values]).toEqual([
      ['a', { type: 'string', text: 'x y z' }],
      ['b', { type: 'string', text: 'é' }],
    ])
  })

  it('counts the last of two parameters', () => {
    expect([...read('a=1&a=2').values]).toEqual([['a', { type: 'string', text: '2' }]])
    expect([...read('a=1&a=').values]).toEqual([])
  })

  it('leaves out what is empty, and names what is unknown', () => {
    const { values, dropped } = read('a=&b&c=1&toString=2&A=3')
    expect([...values]).toEqual([])
    expect([...dropped]).toEqual(['c', 'toString', 'A'])
  })
})

describe('a list of countries', () => {
  const translate = requestTranslator(countryList)
  const asked = (text: string) => translate({ query: text, body: Buffer.from('ignored') })

  it('is asked for under the names of v1', () => {
    expect(asked('sortBy=name&sortOrder=DESC&search=t%C3%BCrk&isGuarantee=1').call).toMatchObject({
      method: 'GET',
      path: '/api/v1/public/shared/countries',
      query: 'sortBy=name&sortOrder=DESC&search=t%C3%BCrk&isGuarantee=1',
      body: undefined,
      page: undefined,
    })
  })

  it('is not sorted by what v1 does not know', () => {
    expect(asked('sortBy=phoneCode&search=x').call?.query).toBe('search=x')
    expect(asked('sortBy=toString').call?.query).toBe('')
  })

  it('has no paging of the client', () => {
    const { call, dropped } = asked('page=2&perPage=10')
    expect(call?.query).toBe('')
    expect([...dropped]).toEqual(['page', 'perPage'])
  })
})
