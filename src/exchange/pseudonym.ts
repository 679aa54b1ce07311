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
  const staying = stayingDigits(value, original)
  const digits = original.map((digit, at) => {
    if (at < staying || (at === 0 && digit === 0)) return digit
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
function stayingDigits(value: string, digits: readonly number[]): number {
  const text = digits.join('')
  const zeros = /^0*/.exec(text)?.[0].length ?? 0
  const number = text.slice(zeros)
  if ((value.startsWith('+') || zeros === 2) && number.length >= INTERNATIONAL) {
    return zeros + (PREFIX.exec(number)?.[0].length ?? 0)
  }
  const isNational = number.length === 10 && (zeros === 1 || (number.startsWith('5') && !isChecked(digits)))
  return isNational ? zeros + 1 : 0
}

/*
 * The check digits of Turkey's identity numbers (T.C. kimlik numarası, 11 digits) and tax numbers (vergi kimlik
 * numarası, 10 digits). Both algorithms are public.
 */

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Returns the last two digits of an identity number, from its first nine. */
function identityEnd(nine: readonly number[]): readonly number[] {
  const odd = sum(nine.filter((_, at) => at % 2 === 0))
  const even = sum(nine.filter((_, at) => at % 2 === 1))
  const tenth = (7 * odd + 9 * even) % 10
  return [tenth, (odd + even + tenth) % 10]
}

/** Returns the last digit of a tax number, from its first nine. */
function taxEnd(nine: readonly number[]): readonly number[] {
  const parts = nine.map((digit, at) => {
    const shifted = (digit + 9 - at) % 10
    return shifted === 0 ? 0 : (shifted * 2 ** (9 - at)) % 9 || 9
  })
  return [(10 - (sum(parts) % 10)) % 10]
}

/** Functions that compute the check digits, by the number of digits. */
const ENDS: Readonly<Partial<Record<number, typeof taxEnd>>> = { 10: taxEnd, 11: identityEnd }

/** Whether these are the digits of a tax or identity number, with valid check digits. */
function isChecked(digits: readonly number[]): boolean {
  if (digits.length === 11 && digits[0] === 0) return false
  const end = ENDS[digits.length]?.(digits.slice(0, 9))
  return end?.every((digit, at) => digits[9 + at] === digit) === true
}

/**
 * Returns the digits with valid check digits if the original ones are valid, otherwise with invalid ones. Changes only digits at
 * the end.
 */
function checkedAs(original: readonly number[], digits: readonly number[]): readonly number[] {
  if (isChecked(original)) return [...digits.slice(0, 9), ...(ENDS[digits.length]?.(digits.slice(0, 9)) ?? [])]
  return isChecked(digits) ? digits.with(-1, ((digits.at(-1) ?? 0) + 1) % 10) : digits
}

/** The code points of characters that may stand for one another. */
export type Alphabet = readonly number[]

const range = (first: number, last: number, step = 1): Alphabet =>
  Array.from({ length: (last - first) / step + 1 }, (_, at) => first + at * step)
const charactersOf = (text: string): Alphabet => [...text].map((character) => character.codePointAt(0) ?? 0)

interface Kind {
  readonly is: RegExp
  /** By the number of bytes in UTF-8. */
  readonly alphabets: Readonly<Partial<Record<number, Alphabet>>>
}

/** The first kind that fits decides; where it has no alphabet of that length, the next one does. */
const KINDS: readonly Kind[] = [
  {
    is: /\p{N}/u,
    alphabets: {
      ...{ 1: charactersOf('0123456789'), 2: range(0x660, 0x669) },
      ...{ 3: range(0xff10, 0xff19), 4: range(0x1d7d8, 0x1d7e1) },
    },
  },
  { is: /\p{Lu}/u, alphabets: { 1: charactersOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ'), 2: charactersOf('ÇĞİÖŞÜ') } },
  // Latin Extended Additional (Vietnamese): capital and small letters take turns.
  { is: /(?=\p{Script=Latin})\p{Lu}/u, alphabets: { 3: range(0x1ea0, 0x1ef8, 2) } },
  { is: /(?=\p{Script=Latin})\p{L}/u, alphabets: { 3: range(0x1ea1, 0x1ef9, 2) } },
  // Accents on the letter before.
  { is: /\p{M}/u, alphabets: { 2: range(0x300, 0x30f) } },
  // Any other letter, including a vowel sign that is a mark. Those of three and four bytes become Chinese characters.
  {
    is: /[\p{L}\p{M}]/u,
    alphabets: {
      ...{ 1: charactersOf('abcdefghijklmnopqrstuvwxyz'), 2: charactersOf('çğıöşü') },
      ...{ 3: range(0x4e00, 0x4eff), 4: range(0x20000, 0x200ff) },
    },
  },
]

/**
 * Returns the characters that may stand for this one: of its kind, its case and its length in UTF-8, so that they meet the same
 * limits. Undefined: the character is neither a letter nor a digit, and stands for itself.
 */
function alphabetOf(character: number): Alphabet | undefined {
  if (character < ASCII.length) return ASCII[character]
  if (character >= 0x10000) return findAlphabet(character)
  if (!lookedUp.has(character)) lookedUp.set(character, findAlphabet(character))
  return lookedUp.get(character)
}

function findAlphabet(code: number): Alphabet | undefined {
  const character = String.fromCodePoint(code)
  const bytes = Buffer.byteLength(character)
  return KINDS.find(({ is, alphabets }) => alphabets[bytes] !== undefined && is.test(character))?.alphabets[bytes]
}

const ASCII = Array.from({ length: 0x80 }, (_, code) => findAlphabet(code))
/** The alphabets that have been looked up, of 65,536 characters at most. */
const lookedUp = new Map<number, Alphabet | undefined>()
