/**
 * The kinds of values that programs handle in different ways. A distilled recording keeps each of them, so a new kind here makes it
 * keep more. A value has one kind or several: `-100.00` is a number, negative, and has trailing zeros.
 */
export const KINDS = [
  ...(['null', 'true', 'false'] as const),
  ...(['number', 'zero', 'negative', 'fraction', 'trailing zeros', 'exponent', 'beyond 2^53'] as const),
  ...(['text', 'empty text', 'number in a text', 'date', 'timestamp', 'timestamp with another offset'] as const),
  ...(['beyond ASCII', 'surrogates', 'escapes', 'over 255 characters'] as const),
  ...(['object', 'empty object', 'empty array', '1 item', '2 to 200 items', 'over 200 items'] as const),
] as const

type Kind = (typeof KINDS)[number]

/** Kinds as bits of one number. */
export type KindBits = number

const bit = (kind: Kind): KindBits => 1 << KINDS.indexOf(kind)

export const NULL = bit('null')
export const TRUE = bit('true')
export const FALSE = bit('false')
export const OBJECT = bit('object')
export const EMPTY_OBJECT = OBJECT | bit('empty object')
export const NUMBER = bit('number')
const ZERO = bit('zero')
const NEGATIVE = bit('negative')
const FRACTION = bit('fraction')
const TRAILING_ZEROS = bit('trailing zeros')
const EXPONENT = bit('exponent')
const BEYOND = bit('beyond 2^53')
const TEXT = bit('text')
const EMPTY_TEXT = bit('empty text')
const NUMBER_IN_TEXT = bit('number in a text')
const DATE = bit('date')
const TIMESTAMP = bit('timestamp')
const OTHER_OFFSET = bit('timestamp with another offset')
export const BEYOND_ASCII = bit('beyond ASCII')
export const SURROGATES = BEYOND_ASCII | bit('surrogates')
export const ESCAPES = bit('escapes')
const LONG = bit('over 255 characters')
const ARRAYS = {
  none: bit('empty array'),
  one: bit('1 item'),
  some: bit('2 to 200 items'),
  many: bit('over 200 items'),
}

/** The longest text that v1 accepts in most places, and the most rows of a page of v1; docs/contract.md 2.4. */
const LONGEST = 255
const MOST_ROWS = 200

/** Returns the kind of an array by its number of items. */
export function arrayKind(items: number): KindBits {
  if (items < 2) return items === 0 ? ARRAYS.none : ARRAYS.one
  return items <= MOST_ROWS ? ARRAYS.some : ARRAYS.many
}

const FORM = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Returns the kinds of a number as JSON writes it. */
export function numberKinds(text: string): KindBits {
  const [, sign, whole = '', decimals = '', exponent] = FORM.exec(text) ?? []
  let kinds = NUMBER
  if (sign === '-') kinds |= NEGATIVE
  if (/^0+$/.test(whole + decimals)) kinds |= ZERO
  if (/[1-9]/.test(decimals)) kinds |= FRACTION
  if (decimals.endsWith('0')) kinds |= TRAILING_ZEROS
  if (exponent !== undefined) kinds |= EXPONENT
  if (Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER) kinds |= BEYOND
  return kinds
}

const IS_DATE = /^\d{4}-\d\d-\d\d$/
/** The offsets that the services write: docs/contract.md 2.2. */
const IS_TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/
/** No date and no meaningful number is longer. */
const LONGEST_FORM = 40

/** Returns the kinds of a text by its form and length. */
export function formKinds(text: string, characters: number): KindBits {
  if (characters === 0) return TEXT | EMPTY_TEXT
  if (characters > LONGEST) return TEXT | LONG
  if (text.length > LONGEST_FORM || !/^-?\d/.test(text)) return TEXT
  if (FORM.test(text)) return TEXT | NUMBER_IN_TEXT
  if (IS_DATE.test(text)) return TEXT | DATE
  const timestamp = IS_TIMESTAMP.exec(text)
  if (timestamp === null) return TEXT
  return TEXT | TIMESTAMP | (timestamp[1] === 'Z' || timestamp[1] === '+00:00' ? 0 : OTHER_OFFSET)
}

/** Returns the kinds of a query parameter's value, which is always text. */
export function parameterKinds(value: string): KindBits {
  if (value === 'true') return TRUE
  if (value === 'false') return FALSE
  if (/[\ud800-\udfff]/.test(value)) return formKinds(value, value.length) | SURROGATES
  return formKinds(value, value.length) | (/[^\0-\x7f]/.test(value) ? BEYOND_ASCII : 0)
}
