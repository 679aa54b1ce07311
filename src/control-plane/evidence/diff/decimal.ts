/** How a number is written: as digits alone, or with a point or an exponent. Strict decoders accept only one of the forms. */
type NumberForm = 'integer' | 'decimal'

/**
 * A JSON number that a double cannot fully represent: it has more than 15 digits, is out of a double's range, or is a whole number
 * that is written as a decimal (`1.0`). Two numbers have the same decimal value if their texts are equal.
 */
export class ExactNumber {
  /** The double as JSON writes it; where that is not exact, the digits without outer zeros and a power of ten: `-123e400`. */
  readonly text: string
  readonly form: NumberForm

  constructor(text: string, form: NumberForm = 'integer') {
    this.text = text
    this.form = form
  }
}

const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

const SHORT = /^[-.0-9]+$/

/** A double distinguishes all decimals of up to this many digits (IEEE 754 binary64) … */
const MOST_DIGITS = 15
/** … within this range of powers of ten. */
const LOWEST_SCALE = -300n
const HIGHEST_SCALE = 290n

/**
 * Returns the decimal value of a JSON number, and its form: `12.30` is `12.3`, `1e2` is `100` as a decimal, `-0` is `0`. Two
 * numbers of equal value and form become the same double, or ExactNumbers with the same text. Powers of ten are never
 * multiplied out, so `1e999999999` costs no more than its text.
 */
export function decimalOf(source: string): number | ExactNumber {
  // Most numbers are short. Adding 0 turns -0 into 0.
  if (source.length <= MOST_DIGITS && SHORT.test(source)) {
    return inForm(Number(source) + 0, source.includes('.') ? 'decimal' : 'integer')
  }
  const [, sign = '', whole = '', fraction = '', exponent] = NUMBER.exec(source) ?? []
  const form = fraction === '' && exponent === undefined ? 'integer' : 'decimal'
  const written = (whole + fraction).replace(/^0+/, '')
  const digits = written.slice(0, endOfDigits(written))
  if (digits === '') return inForm(0, form)
  const scale = BigInt(exponent ?? '0') - BigInt(fraction.length) + BigInt(written.length - digits.length)
  const text = `${sign}${digits}e${scale}`
  const isDouble = digits.length <= MOST_DIGITS && scale >= LOWEST_SCALE && scale <= HIGHEST_SCALE
  return isDouble ? inForm(Number(text), form) : new ExactNumber(text, form)
}

const inForm = (value: number, form: NumberForm): number | ExactNumber =>
  form === formOf(value) ? value : new ExactNumber(JSON.stringify(value), form)

/** Returns how a number was written. */
export function formOf(value: number | ExactNumber): NumberForm {
  if (value instanceof ExactNumber) return value.form
  return Number.isInteger(value) ? 'integer' : 'decimal'
}

/** Whether a number is whole, in either form. */
export const isWhole = (value: number | ExactNumber): boolean => !/\.|e-/.test(textOf(value))

/** Whether two numbers have the same decimal value, in either form. */
export const areEqual = (one: number | ExactNumber, other: number | ExactNumber): boolean =>
  textOf(one) === textOf(other)

const textOf = (value: number | ExactNumber): string =>
  value instanceof ExactNumber ? value.text : JSON.stringify(value)

/** Returns where the trailing zeros begin. A regular expression would take quadratic time. */
function endOfDigits(digits: string): number {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return end
}
