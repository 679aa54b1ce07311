import type { Conversion, Converter } from './converter.ts'

/** The most decimal places. Amounts in the smallest unit of a currency have 0 to 4. */
const LARGEST_SCALE = 18

/**
 * Converts between legacy's decimal with `scale` decimal places and v1's count of the smallest unit: with scale 2, legacy's
 * `125.00` is v1's `12500`. It works on the digits, so a number may have any length and is never rounded:
 *
 * - v1's `12500.5` becomes `125.005`: digits beyond the scale are kept. Unconverted, the value would be 100 times too large.
 * - Legacy's `125.005` is sent as `12500.5`. That is not a whole number of units, so v1 refuses it; nothing is silently rounded.
 * - An exponent is expanded (v1's `1.25e4` becomes `125.00`), or shifted if it is beyond ±30.
 * - A string that holds a number stays a string: `"125.00"` is v1's `"12500"`. Anything else passes unchanged.
 *
 * @throws RangeError if the scale is not a whole number from 1 to 18.
 *
 * @example
 * total: converted(decimalConverter(2)),                    // the same as decimal(2)
 * leastTotal: query(convertedBy(decimalConverter(2)))       // 12.50 becomes ?leastTotal=1250
 */
export function decimalConverter(scale: number): Converter {
  if (!Number.isInteger(scale) || scale < 1 || scale > LARGEST_SCALE) {
    throw new RangeError(`decimal(${scale}): the scale must be a whole number from 1 to ${LARGEST_SCALE}`)
  }
  const unit = `0.${'1'.padStart(scale, '0')}`
  const behind = '345678901234567890'.slice(0, scale)
  const zeros = '0'.repeat(scale)
  return {
    says: `v1 counts in units of ${unit}: legacy’s 12.${behind} is v1’s 12${behind}`,
    samples: [
      { legacy: `12.${behind}`, v1: `12${behind}` },
      { legacy: `125.${zeros}`, v1: `125${zeros}` },
      { legacy: `-${unit}`, v1: '-1' },
      { legacy: `0.${zeros}`, v1: '0' },
      { legacy: `"12.${behind}"`, v1: `"12${behind}"` },
    ],
    legacy: { type: 'number', format: 'decimal' },
    toLegacy: ofNumberOrText((number) => shifted(number, -scale, scale)),
    toV1: ofNumberOrText((number) => shifted(number, scale, 0)),
  }
}

const ofNumberOrText =
  (conversion: Conversion): Conversion =>
  (text) => {
    if (!text.startsWith('"')) return conversion(text)
    const converted = conversion(text.slice(1, -1))
    return converted === undefined ? undefined : `"${converted}"`
  }

/** A JSON number: its sign, its digits before and after the point, its exponent. */
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Exponents up to this are expanded to zeros. Larger ones stay exponents: nine bytes must not become a gigabyte. */
const MOST_ZEROS = 30

/** Multiplies a number by 10 to the power `by`, and writes it with at least `least` decimal places. */
function shifted(number: string, by: number, least: number): string | undefined {
  const [, sign = '', whole, fraction = '', exponent = '0'] = NUMBER.exec(number) ?? []
  const power = Number(exponent) + by
  // An exponent beyond a safe integer is not the exponent of any real amount.
  if (whole === undefined || !Number.isSafeInteger(power)) return undefined
  if (Math.abs(power - by) > MOST_ZEROS) return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}e${power}`
  const digits = whole + fraction
  const point = whole.length + power
  const padded = point > 0 ? digits.padEnd(point, '0') : `${'0'.repeat(1 - point)}${digits}`
  const before = padded.slice(0, Math.max(point, 1)).replace(/^0+(?=\d)/, '')
  const behind = withoutEndingZeros(padded.slice(Math.max(point, 1))).padEnd(least, '0')
  const written = behind === '' ? before : `${before}.${behind}`
  // JSON allows -0, which some programs do not read as 0.
  return /[1-9]/.test(written) ? sign + written : written
}

/** Looks at each digit once. A regular expression would take quadratic time for a run of zeros. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--
  return digits.slice(0, end)
}

const ZERO = 0x30
