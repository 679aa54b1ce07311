import { asBit, asDate, asEpoch, asNumber, asString, lower, upper } from '../../../mapping/conversions.ts'
import { type Converter, convert, decimalConverter, timestampConverter } from '../../../mapping/converter.ts'
import type { Form } from '../../../mapping/corrections/corrections.ts'
import { decimalOf } from '../diff/decimal.ts'
import { canonicalText } from '../diff/json-value.ts'

const CONVERTERS: Readonly<Record<Form, Converter>> = {
  string: asString,
  number: asNumber,
  '0/1': asBit,
  timestamp: timestampConverter,
  date: asDate,
  epoch: asEpoch,
  upper,
  lower,
}

export const FORMS = Object.keys(CONVERTERS) as readonly Form[]

const TIMES: readonly Form[] = ['timestamp', 'date', 'epoch']
const LETTERS: readonly Form[] = ['upper', 'lower']
const OF_NUMBER: readonly Form[] = ['string']
const OF_BOOLEAN: readonly Form[] = ['string', '0/1']
const OF_NUMERAL: readonly Form[] = ['number', ...LETTERS]
const OF_TIME: readonly Form[] = [...TIMES, ...LETTERS]

const NUMERAL = /^"-?\d/
const TIME = /^"\d{4}-\d\d-\d\d[Tt ]/

/** Returns the forms that may change a scalar of v1, which is given as JSON text. All others leave it as it is. */
export function formsOf(text: string): readonly Form[] {
  if (text === 'true' || text === 'false') return OF_BOOLEAN
  if (!text.startsWith('"')) return OF_NUMBER
  if (TIME.test(text)) return OF_TIME
  return NUMERAL.test(text) ? OF_NUMERAL : LETTERS
}

/** Returns a scalar of v1 in another form, as its key; undefined: it stays as it is. */
export function keyInForm(form: Form, text: string): string | undefined {
  const converted = convert(CONVERTERS[form].toLegacy, text)
  return converted === undefined || converted === text ? undefined : keyOfText(converted)
}

/** The most decimal places that are tried. */
export const MOST_SCALE = 6

const SCALES: readonly (Converter | undefined)[] = [
  undefined,
  ...Array.from({ length: MOST_SCALE }, (_, index) => decimalConverter(index + 1)),
]

/** Returns a scalar of v1 as a decimal with this many places, as its key; undefined: it stays as it is. */
export function keyInScale(scale: number, text: string): string | undefined {
  const converted = convert(SCALES[scale]?.toLegacy ?? (() => undefined), text)
  return converted === undefined ? undefined : keyOfText(converted)
}

/** Returns the key of a scalar that is given as JSON text: equal values have equal keys, however they are written. */
export function keyOfText(text: string): string {
  const first = text.charCodeAt(0)
  return first === MINUS || (first >= ZERO && first <= NINE) ? canonicalText(decimalOf(text)) : text
}

const [MINUS, ZERO, NINE] = [0x2d, 0x30, 0x39] as const

const NUMBER = /^"?(-?\d+(?:\.\d+)?)"?$/

/** Returns the number that a scalar is or writes, given as JSON text; undefined: none. */
export function numberIn(text: string): number | undefined {
  const [, digits] = NUMBER.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Returns the scale by which v1's number would be legacy's; undefined: none. Both are not zero. */
export function scaleBetween(legacy: number, v1: number): number | undefined {
  const ratio = v1 / legacy
  if (!(ratio > 5)) return undefined
  const scale = Math.round(Math.log10(ratio))
  const exact = 10 ** scale
  return scale <= MOST_SCALE && Math.abs(ratio - exact) <= exact * 1e-9 ? scale : undefined
}
