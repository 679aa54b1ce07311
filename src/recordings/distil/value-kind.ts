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

const NULL = bit('null')
const TRUE = bit('true')
const FALSE = bit('false')
export const OBJECT = bit('object')
export const EMPTY_OBJECT = OBJECT | bit('empty object')
const NUMBER = bit('number')
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
const BEYOND_ASCII = bit('beyond ASCII')
const SURROGATES = BEYOND_ASCII | bit('surrogates')
const ESCAPES = bit('escapes')
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

/** Returns the kinds of a value that is neither an object nor an array, as JSON writes it. */
export function scalarKinds(json: string): KindBits {
  switch (json[0]) {
    case 'n':
      return NULL
    case 't':
      return TRUE
    case 'f':
      return FALSE
    case '"':
      return json.includes('\\') ? textKinds(JSON.parse(json) as string) | ESCAPES : textKinds(json.slice(1, -1))
    default:
      return numberKinds(json)
  }
}

/** Returns the kinds of a query parameter's value, which is always text. */
export function parameterKinds(value: string): KindBits {
  if (value === 'true') return TRUE
  return value === 'false' ? FALSE : textKinds(value)
}

const FORM = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

function numberKinds(text: string): KindBits {
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

/** Returns the kinds of a text by its letters, its length and its form. */
function textKinds(text: string): KindBits {
  const letters = /[\ud800-\udfff]/.test(text) ? SURROGATES : /[^\0-\x7f]/.test(text) ? BEYOND_ASCII : 0
  if (text === '') return TEXT | EMPTY_TEXT
  return TEXT | letters | (text.length > LONGEST ? LONG : formKind(text))
}

const IS_DATE = /^\d{4}-\d\d-\d\d$/
/** The offsets that the services write: docs/contract.md 2.2. */
const IS_TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/
/** No date and no meaningful number is longer. */
const LONGEST_FORM = 40

function formKind(text: string): KindBits {
  if (text.length > LONGEST_FORM || !/^-?\d/.test(text)) return 0
  if (FORM.test(text)) return NUMBER_IN_TEXT
  if (IS_DATE.test(text)) return DATE
  const timestamp = IS_TIMESTAMP.exec(text)
  if (timestamp === null) return 0
  return TIMESTAMP | (timestamp[1] === 'Z' || timestamp[1] === '+00:00' ? 0 : OTHER_OFFSET)
}
