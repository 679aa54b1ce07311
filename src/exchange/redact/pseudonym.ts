import { alphabetOf } from './alphabets.ts'
import { checkedAs, isChecked } from './check-digits.ts'

/** Returns at least as many bytes as the value has UTF-16 units. Only the holder of the key can compute them. */
export type KeyStream = (value: string) => Uint8Array

const MAIL = /^([^\s@]+)@([^\s@]+)$/
/** ISO 8601: a date, or a date with a time. */
const DATE =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ](?:[01]\d|2[0-3])(?::[0-5]\d){1,2}(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)?$/
/** A letter, or a digit that is not one of ASCII. */
const WORDS = /[\p{L}\p{M}]|(?![0-9])\p{N}/u
const DIGIT = /[0-9]/g

/**
 * Returns a pseudonym of the same form: a letter for each letter, of its case and length in UTF-8, and a digit for each
 * digit; everything else stays. So it is accepted where the value was:
 *
 *     Şule Öz            Çkwe Ğp
 *     ada@mail.test      xke@w.example      an e-mail address stays one, at .example
 *     +90 555 123 45 67  +90 571 804 26 93  the country and the first digit after it stay
 *     10000000146        18349275034        identity and tax numbers keep valid check digits
 *     2025-01-31         2025-08-07         a date keeps its year
 */
export function pseudonymOf(value: string, stream: KeyStream): string {
  const bytes = stream(value)
  const [, local, domain] = MAIL.exec(value) ?? []
  if (local !== undefined && domain !== undefined) {
    return `${ofWords(local, bytes)}@${ofDomain(domain, bytes.subarray(local.length))}`
  }
  if (DATE.test(value)) return ofDate(value, bytes)
  if (WORDS.test(value)) return ofWords(value, bytes)
  const end = value.slice(LONGEST_NUMBER)
  return `${ofDigits(value.slice(0, LONGEST_NUMBER), bytes)}${ofWords(end, bytes.subarray(LONGEST_NUMBER))}`
}

/** No telephone number is longer, and no other number whose first or last digits carry a meaning. */
const LONGEST_NUMBER = 40

/** How many UTF-16 units are made into a string at a time. */
const PART = 4_096

function ofWords(value: string, bytes: Uint8Array): string {
  const units = new Uint16Array(value.length)
  for (let at = 0; at < value.length; at++) {
    const character = value.codePointAt(at) ?? 0
    const alphabet = alphabetOf(character)
    const other = alphabet === undefined ? character : (alphabet[byte(bytes, at) % alphabet.length] ?? character)
    if (other < 0x10000) units[at] = other
    else {
      units[at++] = 0xd800 + ((other - 0x10000) >> 10)
      units[at] = 0xdc00 + ((other - 0x10000) & 0x3ff)
    }
  }
  const parts: string[] = []
  for (let at = 0; at < units.length; at += PART) parts.push(String.fromCharCode(...units.subarray(at, at + PART)))
  return parts.join('')
}

const byte = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0

const EXAMPLE = '.example'
/** Characters that `.example` cannot follow, or that a host name cannot have. */
const NO_HOST = /[^\p{L}\p{M}\p{N}.-]|[.-]$/gu

/** RFC 2606: no mail ever arrives there. A domain that is shorter than `x.example` gets longer. */
const ofDomain = (domain: string, bytes: Uint8Array): string =>
  `${ofWords(domain.slice(0, Math.max(domain.length - EXAMPLE.length, 1)).replace(NO_HOST, 'x'), bytes)}${EXAMPLE}`

/** Takes days from 1 to 28, which every month has. Year, fraction and zone stay. */
function ofDate(value: string, bytes: Uint8Array): string {
  const two = (number: number): string => String(number).padStart(2, '0')
  const date = `${value.slice(0, 4)}-${two(1 + (byte(bytes, 0) % 12))}-${two(1 + (byte(bytes, 1) % 28))}`
  const end = value
    .slice(10)
    .replace(/\d\d(?::\d\d){1,2}/, (time) =>
      time.replace(/\d\d/g, (_, at: number) => two(byte(bytes, 2 + at) % (at === 0 ? 24 : 60))),
    )
  return `${date}${end}`
}

/**
 * Replaces the digits of a value without letters, such as a number or a telephone number. A first digit of 0 stays. Any other first
 * digit does not grow and does not become 0, so that a number needs no larger type than before.
 */
function ofDigits(value: string, bytes: Uint8Array): string {
  const original = (value.match(DIGIT) ?? []).map(Number)
  const kept = digitsKept(value, original)
  const digits = original.map((digit, at) => {
    if (at < kept || (at === 0 && digit === 0)) return digit
    return at === 0 ? 1 + (byte(bytes, at) % Math.max(digit - 1, 1)) : byte(bytes, at) % 10
  })
  const checked = checkedAs(original, digits)
  let at = 0
  return value.replace(DIGIT, () => String(checked[at++]))
}

/** A country code (ITU-T E.164), a zero that is not dialled from abroad, and the digit that tells mobile from landline. */
const PREFIX = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})0?\d/
/** A number with fewer digits is no telephone number with a country code. */
const INTERNATIONAL = 8

/** Returns how many digits stay because they give the country and the kind of a telephone number. */
function digitsKept(value: string, digits: readonly number[]): number {
  const text = digits.join('')
  const zeros = /^0*/.exec(text)?.[0].length ?? 0
  const number = text.slice(zeros)
  if ((value.startsWith('+') || zeros === 2) && number.length >= INTERNATIONAL) {
    return zeros + (PREFIX.exec(number)?.[0].length ?? 0)
  }
  const isNational = number.length === 10 && (zeros === 1 || (number.startsWith('5') && !isChecked(digits)))
  return isNational ? zeros + 1 : 0
}
