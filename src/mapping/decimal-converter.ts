import type { Conversion, Converter } from './converter.ts'

/** The most digits behind the point; amounts in the smallest unit of a currency have 0 to 4. */
const LARGEST_SCALE = 18

/**
 * Legacy's decimal of `scale` digits behind the point, which v1 counts in units of the last of them: with scale 2 legacy's
 * `125.00` is v1's `12500`. The arithmetic is on the digits, so that no number is too long for it and none is rounded:
 *
 * - v1's `12500.5` is `125.005`: more digits than the scale are kept. Passed as it is it would be a hundred times too much.
 * - legacy's `125.005` is sent as `12500.5`. It is no whole number of units, so v1 refuses it; nothing is rounded in silence.
 * - An exponent is worked out (`1.25e4` is `125.00`), or where it is larger than ±30 shifted.
 * - A string that holds a number stays one: `"125.00"` is `"12500"`. Anything else passes as it is.
 *
 * @throws RangeError for a scale that is no whole number from 1 to 18.
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
    const made = conversion(text.slice(1, -1))
    return made === undefined ? undefined : `"${made}"`
  }

/** A number as JSON writes it: its sign, its digits before and behind the point, its exponent. */
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Exponents up to here are written as zeros. A larger one stays: nine bytes must not become a gigabyte. */
const MOST_ZEROS = 30

/** A number times 10 to the power `by`, with `least` digits behind its point or as many as it takes. */
function shifted(number: string, by: number, least: number): string | undefined {
  const [, sign = '', whole, fraction = '', exponent = '0'] = NUMBER.exec(number) ?? []
  const power = Number(exponent) + by
  // What has more digits in its exponent than a double holds is no amount of anything.
  if (whole === undefined || !Number.isSafeInteger(power)) return undefined
  if (Math.abs(power - by) > MOST_ZEROS) return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}e${power}`
  const digits = whole + fraction
  const point = whole.length + power
  const padded = point > 0 ? digits.padEnd(point, '0') : `${'0'.repeat(1 - point)}${digits}`
  const before = padded.slice(0, Math.max(point, 1)).replace(/^0+(?=\d)/, '')
  const behind = withoutEndingZeros(padded.slice(Math.max(point, 1))).padEnd(least, '0')
  const written = behind === '' ? before : `${before}.${behind}`
  // JSON has a -0, which some programs read as another number than 0.
  return /[1-9]/.test(written) ? sign + written : written
}

/** One look at each digit: a pattern would look at a run of zeros as often as it is long. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--
  return digits.slice(0, end)
}

const ZERO = 0x30
