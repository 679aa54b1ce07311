import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactor } from '../../src/exchange/redact/redactor.ts'
import { anyCharacter } from '../support/any-character.ts'

const { query: redactQuery } = redactor(Buffer.alloc(32, 7))
const token = (value: string): string => redactQuery(`email=${encodeURIComponent(value)}`).slice('email='.length)

describe('the query of a recorded request', () => {
  it('shows tokens in place of personal values and credentials', () => {
    expect(redactQuery('page=1&email=ada@example.com&token=abc&x=2')).toBe(
      `page=1&email=${token('ada@example.com')}&token=${token('abc')}&x=2`,
    )
    expect(token('abc')).toMatch(/^~[\w-]{22}$/)
  })

  it.each([
    '',
    'page=1',
    'a&b&&c=',
    'x=%zz&y=%',
    '%=1',
    '=email',
    '&',
    'search=ada%40example.com&Email=x',
    'a=email=x',
  ])('%j stays unchanged', (query) => {
    expect(redactQuery(query)).toBe(query)
  })

  it('keeps empty values and names without one', () => {
    expect(redactQuery('email=&phone&taxNumber=1')).toBe(`email=&phone&taxNumber=${token('1')}`)
  })

  it.each([
    '%65mail',
    'e%6Dail',
    '%65%6d%61%69%6C',
    'recipientAddress[email]',
    'recipientAddress%5Bemail%5D',
    'a.email',
    'email[]',
  ])('%s names the member email', (name) => {
    expect(redactQuery(`a=1&${name}=x`)).toBe(`a=1&${name}=${token('x')}`)
  })

  it('reads a plus as a space, as the service does', () => {
    expect(redactQuery('company=A+B')).toBe(`company=${token('A B')}`)
    expect(redactQuery('company=A%20B')).toBe(`company=${token('A B')}`)
  })

  it('is not stopped by broken escapes', () => {
    expect(redactQuery('email=%&phone=%e0%a4%a&%zzemail=1&email%=2')).toMatch(
      /^email=~[\w-]{22}&phone=~[\w-]{22}&%zzemail=1&email%=2$/,
    )
  })

  it('redacts each of several parameters with the same name', () => {
    expect(redactQuery('email=a&email=b')).toBe(`email=${token('a')}&email=${token('b')}`)
  })

  it('never throws and never shows a personal value, whatever surrounds it', () => {
    const texts = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('%', '%e0%a4%a', '+', '&', '=', '?', '#', 'email='),
    )
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 5 }), fc.array(texts, { maxLength: 5 }), (before, after) => {
        const query = `${before.join('')}&email=ada-lovelace&${after.join('')}`
        expect(redactQuery(query)).not.toContain('ada-lovelace')
      }),
      { numRuns: 300 },
    )
  })
})
