/**
 * A JSON number that no double stands for exactly: more than 15 digits, or out of a double's range. Two of them are the
 * same decimal value when their texts are the same.
 */
export class ExactNumber {
  /** Its digits without zeros at either end, and a power of ten: `-123e400`. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

/** A double tells decimals of as many digits apart (IEEE 754 binary64) … */
const MOST_DIGITS = 15
/** … while they are neither too large nor too small for one. */
const LOWEST_SCALE = -300n
const HIGHEST_SCALE = 290n

/**
 * The decimal value of a JSON number, whichever way it is written: `12.30` is `12.3`, `1e2` is `100`, `-0` is `0`. Two
 * numbers of one value are both the same double, or both an ExactNumber of the same text. A power of ten is never
 * multiplied out, so that `1e999999999` costs no more than its text.
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

/** Where the zeros at the end begin; a regular expression would look at them again from each one. */
function endOfDigits(digits: string): number {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return end
}
