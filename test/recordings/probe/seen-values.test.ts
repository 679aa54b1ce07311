import { describe, expect, it } from 'vitest'
import { inputsOf } from '../../../src/recordings/probe/input.ts'
import { INVOICES, known, mapped, shown } from './support.ts'

const values = (id: string, path: string, bodies: Readonly<Record<string, unknown>>) => {
  const input = inputsOf(mapped(id)).find((one) => one.path === path)
  if (input === undefined) throw new Error(`no input ${path}`)
  return known(bodies).of(mapped(id), input)
}

describe('what an answer shows', () => {
  it('is the values of its rows, those of the first row first and those of the last row next', () => {
    const { members, rows, hasContent } = shown('invoice-list', INVOICES)
    expect(hasContent).toBe(true)
    expect(rows).toBe(60)
    expect(members.get('id')?.values).toEqual([5, 1, 4])
    expect(members.get('status.id')?.values).toEqual([2, 1, 3])
    expect(members.get('dateAt')?.days).toEqual(['2025-01-11', '2025-01-15'])
  })

  it.each([
    ['an error', { data: [{ id: 1 }] }, 400],
    ['a body that is not JSON', '<html>', 200],
    ['a page without rows', { data: [], pagination: { count: 0 } }, 200],
  ])('is nothing in %s', (_, body, status) => {
    const { members, hasContent } = shown('invoice-list', body, status)
    expect([hasContent, members.size]).toEqual([false, 0])
  })

  it('is an answer without a body, where that is a success', () => {
    expect(shown('validate-destination', '', 204).hasContent).toBe(true)
  })

  it('leaves out what is no filter: null, long texts, numbers that have lost digits', () => {
    const { members } = shown('country-list', `[{"id":12345678901234567890,"code":null,"name":"${'x'.repeat(201)}"}]`)
    expect([...members.keys()]).toEqual([])
  })

  it('is nothing of a body that nests without an end', () => {
    const { hasContent, members } = shown('country-list', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)
    expect([hasContent, members.size]).toEqual([false, 0])
  })

  it('is bounded, however much is answered', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`member${at}`, at]))
    const deep = JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`) as object
    const { members } = shown('country-list', [deep, ...Array.from({ length: 20 }, (_, at) => ({ id: at, ...many }))])
    expect(members.size).toBe(200)
    expect(members.get('id')?.values).toHaveLength(3)
  })
})

describe('the values for an input', () => {
  const seen = {
    'invoice-list': INVOICES,
    'country-list': [{ id: 57, code: 'DE', name: 'Almanya' }],
    'city-list': [{ id: 3247449, name: 'Aachen', countryId: 57, countryCode: 'DE' }],
  }

  it.each([
    ['invoice-list', 'id', [5, 1, 4], 'id'],
    ['invoice-list', 'statusId', [2, 1, 3], 'status.id'],
    ['invoice-list', 'isPayment', [true, false], undefined],
    ['invoice-list', 'dateAtBetween.startAt', ['2025-01-15', '2025-01-11', '2025-01-14'], 'dateAt'],
    [
      'invoice-list',
      'paymentExpirationAtBetween.endAt',
      ['2025-02-15', '2025-02-11', '2025-02-14'],
      'paymentExpirationAt',
    ],
    ['city-list', 'countryId', [57], 'countryId'],
    ['price', 'countryId', [57], 'country-list id'],
    ['price', 'city', ['Aachen'], 'city-list name'],
    ['county-list', 'cityId', [3247449], 'city-list id'],
  ])('of %s, %s, are those of the like-named member', (id, path, expected, from) => {
    const chosen = values(id, path, seen)
    expect(chosen.map(({ value }) => value)).toEqual(expected)
    expect(new Set(chosen.map((one) => one.from))).toEqual(new Set([from]))
  })

  it('are texts of the rows, where no member has the name', () => {
    expect(values('invoice-list', 'search', seen)).toEqual([
      { value: 'A-5', from: 'number' },
      { value: 'Ayşe', from: 'firstName' },
    ])
  })

  it('are none of another type, and none where nothing was seen', () => {
    expect(values('country-list', 'id', { 'country-list': [{ id: 'no number' }] })).toEqual([])
    expect(values('country-list', 'search', {})).toEqual([])
  })
})
