import { describe, expect, it } from 'vitest'
import invoiceList from '../../mappings/invoice-list.ts'
import { requestTranslator } from '../../src/engine/translate-request.ts'

const translate = requestTranslator(invoiceList)
const asked = (text: string) => translate({ query: '', body: Buffer.from(text) })
const queryOf = (text: string): string | undefined => asked(text).call?.query

describe('an invoice list', () => {
  it('is a GET with query parameters', () => {
    expect(
      asked('{"isPayment":true,"statusId":2,"number":"A B&1","dateAtBetween":{"startAt":"2025-01-01"}}').call,
    ).toEqual({
      method: 'GET',
      path: '/api/v1/finance/invoices',
      query: 'number=A%20B%261&isPaid=true&statusId=2&dateFrom=2025-01-01',
      body: undefined,
      page: { page: 1, perPage: 25, paging: { page: 'page', perPage: 'perPage', mostPerPage: 200 } },
      matchesNothing: false,
    })
  })

  it.each([
    ...['', '{}', ' { } ', '{"search":""}', '{"search":null}', '{"dateAtBetween":{}}', '{"dateAtBetween":[]}'],
    ...['{"dateAtBetween":[ ]}', '{"dateAtBetween":{\n}}'],
  ])('with the body %j has no filter', (text) => {
    expect(queryOf(text)).toBe('')
  })

  it('does not put its page into the query', () => {
    const { call } = asked('{"page":"3","perPage":1000,"search":"x"}')
    expect(call).toMatchObject({ query: 'search=x', page: { page: 3, perPage: 1000 } })
  })

  it.each([
    ['4', true],
    ['"4"', true],
    ['3', false],
    ['44', false],
  ])('with the status %s matches nothing: %s', (status, matchesNothing) => {
    const { call, violations } = asked(`{"statusId":${status},"search":"x"}`)
    expect(violations).toEqual([])
    expect(call?.matchesNothing).toBe(matchesNothing)
    expect(call?.query.includes('statusId')).toBe(!matchesNothing)
  })

  it('reports all problems at once', () => {
    const text =
      '{"page":0,"perPage":5001,"search":{"a":1},"dateAtBetween":{"startAt":"x","endAt":7},"paymentExpirationAtBetween":1}'
    const { call, violations } = asked(text)
    expect(call).toBeUndefined()
    expect(violations.map(({ path, message }) => `${path} ${message}`)).toEqual([
      'paymentExpirationAtBetween not-an-object',
      'page not-an-integer',
      'perPage not-an-integer',
      'search not-a-scalar',
      'dateAtBetween.startAt not-a-date',
      'dateAtBetween.endAt not-a-date',
    ])
    expect(violations.find(({ path }) => path === 'perPage')?.with).toEqual({ low: '1', high: '5000' })
  })

  it('names the filters that are not sent', () => {
    const { call, dropped } = asked('{"isPaid":true,"dateAtBetween":{"from":1},"q\\u0031":null,"statusId":1}')
    expect(call?.query).toBe('statusId=1')
    expect([...dropped]).toEqual(['isPaid', 'dateAtBetween.from', 'q1'])
  })

  it('encodes a lone surrogate in a search', () => {
    expect(queryOf('{"search":"a\\ud83d b"}')).toBe('search=a%EF%BF%BD%20b')
  })
})

describe('a body of parameters', () => {
  it('keeps the digits of numbers', () => {
    expect(queryOf('{"id":12345678901234567890}')).toBe('id=12345678901234567890')
    expect(queryOf('{"id":1.50,"search":1E+2}')).toBe('search=1E%2B2&id=1.50')
  })

  it('uses the last of two members', () => {
    expect(queryOf('{"search":"a","search":"b"}')).toBe('search=b')
    expect(queryOf('{"search":"a","search":null}')).toBe('')
    expect(queryOf('{"dateAtBetween":{"startAt":"x","startAt":"2025-01-01"}}')).toBe('dateFrom=2025-01-01')
  })

  it.each([
    ['{"dateAtBetween":{"startAt":"2025-01-01"},"dateAtBetween":{"endAt":"2025-01-31"}}', 'dateTo=2025-01-31'],
    ['{"dateAtBetween":{"startAt":"2025-01-01"},"dateAtBetween":null}', ''],
    ['{"dateAtBetween":"x","dateAtBetween":{"endAt":"2025-01-31"}}', 'dateTo=2025-01-31'],
  ])('uses the last of two objects: %s', (text, query) => {
    expect(queryOf(text)).toBe(query)
  })
})
