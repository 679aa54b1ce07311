import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactor } from '../../src/exchange/redactor.ts'
import { anyCharacter } from '../support/any-character.ts'

const redact = redactor(Buffer.alloc(32, 3))
/** The member of a redacted body. */
function kept<T>(value: T, by = redact): T {
  const body = by.body(Buffer.from(JSON.stringify({ email: value })))
  return (JSON.parse(String(body)) as { readonly email: T }).email
}

describe('a pseudonym', () => {
  it.each([
    ['Ada Byron', /^[A-Z][a-z]{2} [A-Z][a-z]{4}$/],
    ['Şule Işık-Öz', /^[ÇĞİÖŞÜ][a-z]{3} [A-Z][çğıöşü][çğıöşü][a-z]-[ÇĞİÖŞÜ][a-z]$/],
    ['İSTANBUL LTD. ŞTİ.', /^[ÇĞİÖŞÜ][A-Z]{7} [A-Z]{3}\. [ÇĞİÖŞÜ][A-Z][ÇĞİÖŞÜ]\.$/],
    ['Çınar Sk. No: 12/3', /^[ÇĞİÖŞÜ][çğıöşü][a-z]{3} [A-Z][a-z]\. [A-Z][a-z]: \d\d\/\d$/],
    ['Nguyễn', /^[A-Z][a-z]{3}[\u1ea0-\u1eff][a-z]$/],
    ['李小龙', /^[\u4e00-\u4eff]{3}$/],
    ['Ада 👍 ٣', /^[ÇĞİÖŞÜ][çğıöşü]{2} 👍 [\u0660-\u0669]$/],
  ])('of %s has a letter for each letter and a digit for each digit', (value, form) => {
    expect(kept(value)).toMatch(form)
    expect(kept(value)).not.toBe(value)
  })

  it('is as long as the value, in characters and in bytes, and keeps all that is no letter and no digit', () => {
    const texts = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: fc.constantFrom(...'aZıİşé李 -.,/5') }))
    fc.assert(
      fc.property(
        texts.filter((text) => !text.includes('@')),
        (text) => {
          const shown = kept(text)
          expect([shown.length, Buffer.byteLength(shown)]).toEqual([text.length, Buffer.byteLength(text)])
          const others = /[^\p{L}\p{M}\p{N}]/gu
          expect(shown.match(others)).toEqual(text.match(others))
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each([
    'Şule Öz-Işık',
    'Sk. No: 12/3',
    'ada.byron@mail',
    'DE123456789',
    '李 Ада é',
    '1.234,50',
    '٣ ½ Ⅳ',
    '\u0301',
    '٠٥٥٥ 123',
  ])('of %s shows no letter and no digit of it, whatever the key', (value) => {
    const shown = Array.from({ length: 40 }, (_, key) => kept(value, redactor(Buffer.alloc(32, key))))
    for (let at = 0; at < value.length; at++) {
      const isHidden = /[\p{L}\p{M}\p{N}]/u.test(value[at] ?? '')
      // The 1 in front does not grow.
      if (value.startsWith('1.') && at === 0) continue
      if (!value.includes('@') || at < 5) expect(new Set(shown.map((one) => one[at])).size > 1).toBe(isHidden)
    }
  })

  it('of a long text shows nothing of it', () => {
    const text = 'Ada Byron, '.repeat(10_000)
    expect(kept(text)).toHaveLength(text.length)
    expect(kept(text)).not.toContain('Ada Byron')
    // No part comes again.
    expect(new Set(kept(text).match(/.{11}/g)).size).toBeGreaterThan(9_990)
  })

  it('is another one for another key', () => {
    expect(kept('Ada Byron', redactor(Buffer.alloc(32, 4)))).not.toBe(kept('Ada Byron'))
  })

  it('reveals nothing by its digits: over all keys each digit is about as frequent', () => {
    const counts = new Map<string, number>()
    for (let key = 0; key < 250; key++) {
      const digits = kept('+90 511 111 11 11', redactor(Buffer.alloc(32, key)))
        .slice(5)
        .replaceAll(' ', '')
      for (const digit of digits) counts.set(digit, (counts.get(digit) ?? 0) + 1)
    }
    // 225 are to be expected of each; five standard deviations are 71.
    for (const digit of '0123456789') expect(Math.abs((counts.get(digit) ?? 0) - 225)).toBeLessThan(71)
  })
})

describe('an e-mail address', () => {
  it.each([
    ['ada.byron+7@mail.company.test', /^[a-z]{3}\.[a-z]{5}\+\d@[a-z]{4}\.[a-z]{4}\.example$/, 0],
    ['a@b.co', /^[a-z]@[a-z]\.example$/, 5],
    ['şule@şirket.com.tr', /^[çğıöşü][a-z]{3}@[çğıöşü][a-z]{4}\.example$/, 0],
    ['ada@mail-.company', /^[a-z]{3}@[a-z]{4}[a-z]\.example$/, 0],
    ['ada@[192.168.0.1]', /^[a-z]{3}@[a-z]\d{3}[a-z]\.example$/, 0],
  ])('%s stays one, at .example', (value, form, longer) => {
    expect(kept(value)).toMatch(form)
    expect(kept(value)).toHaveLength(value.length + longer)
  })

  it.each(['a@b@c', '@x', 'ada at home', 'Ada <ada@mail.test>'])('is not made of %s', (value) => {
    expect(kept(value)).not.toContain('.example')
  })
})

describe('a telephone number', () => {
  it.each([
    ['+90 555 123 45 67', /^\+90 5\d\d \d{3} \d\d \d\d$/],
    ['+905551234567', /^\+905\d{9}$/],
    ['00905551234567', /^00905\d{9}$/],
    ['0 (555) 123-4567', /^0 \(5\d\d\) \d{3}-\d{4}$/],
    ['05551234567', /^05\d{9}$/],
    ['5551234567', /^5\d{9}$/],
    ['+1 212 555 0100', /^\+1 2\d\d \d{3} \d{4}$/],
    ['+49 (0) 30 1234567', /^\+49 \(0\) 3\d \d{7}$/],
    ['+994 12 345 67 89', /^\+994 1\d \d{3} \d\d \d\d$/],
    ['+90 000 000 00 01', /^\+90 00\d \d{3} \d\d \d\d$/],
    ['0000000001', /^0\d{9}$/],
  ])('%s stays one of its country and kind', (value, form) => {
    expect(kept(value)).toMatch(form)
    expect(kept(value)).not.toBe(value)
  })
})

/** As others write the two algorithms, from left to right in one sum. */
function identityNumber(nine: string): string {
  const alternating = [...nine].reduce((sum, digit, at) => sum + Number(digit) * (at % 2 === 0 ? 3 : 1), 0)
  const tenth = (10 - (alternating % 10)) % 10
  const all = [...nine].reduce((sum, digit) => sum + Number(digit), tenth)
  return `${nine}${tenth}${all % 10}`
}
function taxNumber(nine: string): string {
  let sum = 0
  for (const [at, digit] of [...nine].reverse().entries()) {
    const shifted = (Number(digit) + at + 1) % 10
    if (shifted !== 0) sum += (shifted * 2 ** (at + 1)) % 9 || 9
  }
  return `${nine}${(10 - (sum % 10)) % 10}`
}
const isIdentityNumber = (text: string): boolean => text[0] !== '0' && identityNumber(text.slice(0, 9)) === text
const isTaxNumber = (text: string): boolean => taxNumber(text.slice(0, 9)) === text

const nine = fc.integer({ min: 100_000_000, max: 999_999_999 }).map(String)

describe('identity and tax numbers', () => {
  it('match the published examples', () => {
    expect([identityNumber('100000001'), taxNumber('454053692')]).toEqual(['10000000146', '4540536920'])
  })

  it('that are valid stay valid', () => {
    fc.assert(
      fc.property(nine, (digits) => {
        expect(isIdentityNumber(kept(identityNumber(digits)))).toBe(true)
        expect(isTaxNumber(kept(taxNumber(digits)))).toBe(true)
        expect(isTaxNumber(kept(taxNumber(`00${digits.slice(2)}`)))).toBe(true)
      }),
    )
  })

  it('that are invalid stay invalid, so that they are refused as they were', () => {
    fc.assert(
      fc.property(nine, fc.integer({ min: 1, max: 9 }), (digits, off) => {
        const wrong = (number: string) => `${number.slice(0, -1)}${(Number(number.at(-1)) + off) % 10}`
        expect(isIdentityNumber(kept(wrong(identityNumber(digits))))).toBe(false)
        expect(isTaxNumber(kept(wrong(taxNumber(digits))))).toBe(false)
      }),
    )
  })

  it('stay numbers where they are numbers, with the same digits', () => {
    const number = identityNumber('123456789')
    expect(String(kept(Number(number)))).toBe(kept(number))
    expect(kept(taxNumber('123456789').replace(/(\d{3})(\d{3})/, '$1 $2 '))).toMatch(/^\d{3} \d{3} \d{4}$/)
  })
})

describe('numbers', () => {
  /** The JSON text of a number, redacted. */
  const keptText = (number: string): string => String(redact.body(Buffer.from(`[{"phone":${number}}]`))).slice(10, -2)

  it.each([
    ['0', /^0$/],
    ['-71.50', /^-[1-6]\d\.\d\d$/],
    ['0.05', /^0\.\d\d$/],
    ['1E+2', /^1E\+2$/],
    ['6.02e23', /^[1-5]\.\d\de23$/],
    ['2147483647', /^1\d{9}$/],
    ['9223372036854775807', /^[1-8]\d{18}$/],
    [`-7.${'0'.repeat(99)}1e-5`, /^-[1-6]\.\d{100}e-5$/],
  ])('%s stays one, of as many digits, that needs no larger type', (number, form) => {
    expect(keptText(number)).toMatch(form)
  })
})

describe('dates', () => {
  it.each([
    ['2025-01-31', /^2025-\d\d-\d\d$/],
    ['2024-02-29T10:24:19.000Z', /^2024-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/],
    ['2024-02-29T10:24:19+03:00', /^2024-\d\d-\d\dT\d\d:\d\d:\d\d\+03:00$/],
    ['1999-12-31 23:59', /^1999-\d\d-\d\d \d\d:\d\d$/],
  ])('%s stays one of its year', (date, form) => {
    for (let key = 0; key < 50; key++) {
      const shown = kept(date, redactor(Buffer.alloc(32, key)))
      expect(shown).toMatch(form)
      // A day that there is not would become one of the next month.
      const local = shown.slice(0, 19).replace(' ', 'T')
      expect(new Date(`${local}${local.length > 10 ? 'Z' : ''}`).toISOString()).toContain(local)
    }
    expect(kept(date)).not.toBe(date)
  })

  it.each([
    ['2025-13-01', /^\d{4}-\d\d-\d\d$/],
    ['2025-01-311', /^\d{4}-\d\d-\d{3}$/],
    ['2025-01-31 Ada Byron', /^\d{4}-\d\d-\d\d [A-Z][a-z]{2} [A-Z][a-z]{4}$/],
    ['2025-01-31 5551234567', /^\d{4}-\d\d-\d\d \d{10}$/],
  ])('%s is none, and all of it is replaced', (text, form) => {
    const shown = Array.from({ length: 20 }, (_, key) => kept(text, redactor(Buffer.alloc(32, key))))
    for (const one of shown) expect(one).toMatch(form)
    for (let at = 1; at < text.length; at++) {
      const isHidden = /[\p{L}\p{M}\p{N}]/u.test(text[at] ?? '')
      expect(new Set(shown.map((one) => one[at])).size > 1).toBe(isHidden)
    }
  })
})
