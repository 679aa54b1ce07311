/**
 * A JSON number that a double cannot hold exactly: more than 15 digits, or out of a double's range. Two of them have the
 * same decimal value if their texts are equal.
 */
export class ExactNumber {
  /** The digits without leading and trailing zeros, and a power of ten: `-123e400`. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

/** A double distinguishes all decimals of up to this many digits (IEEE 754 binary64) … */
const MOST_DIGITS = 15
/** … within this range of powers of ten. */
const LOWEST_SCALE = -300n
const HIGHEST_SCALE = 290n

/**
 * Returns the decimal value of a JSON number: `12.30` is `12.3`, `1e2` is `100`, `-0` is `0`. Two numbers of equal value
 * become the same double, or ExactNumbers with the same text. Powers of ten are never multiplied out, so `1e999999999`
 * costs no more than its text.
 */
export function decimalOf(source: string): number | ExactNumber {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? []
  const written = (whole + fraction).replace(/^0+/, '')
  const digits = written.slice(0, endOfDigits(written))
  if (digits === '') return 0
  const scale = BigInt(exponent) - BigInt(fraction.length) + BigInt(written.length - digits.length)
  const text = `${sign}${digits}e${scale}`
  const isDouble = digits.length <= MOST_DIGITS && scale >= LOWEST_SCALE && scale <= HIGHEST_SCALE
  return isDouble ? Number(text) : new ExactNumber(text)
}

/** Returns where the trailing zeros begin. A regular expression would take quadratic time. */
function endOfDigits(digits: string): number {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return end
}
