/** The types of docs/contract.md 2.1. A line has none where the contract does not show it. */
export type Type = 'int' | 'number' | 'string' | 'bool' | 'timestamp' | 'object' | 'array' | 'array of string'

/**
 * Converts a whole value into the other side's text. Both are JSON texts: a string includes its quotes, a number keeps its
 * digits. Returns undefined for a value that it does not know; that value passes unchanged.
 */
export type Conversion = (text: string) => string | undefined

/** One value as each side writes it, in JSON text. */
export interface Sample {
  readonly legacy: string
  readonly v1: string
}

/**
 * Converts a value that the two sides write differently. It needs both directions, because a shape is read both ways.
 *
 * A conversion is a pure function of one whole string, number or boolean. It never receives null, objects or arrays, which are
 * the same on both sides. Return undefined for any value that you do not know: v1 may add values, and a client that has not
 * migrated must not get a 500 for one. A conversion that throws, or returns invalid JSON, counts as undefined.
 *
 * Start-up fails unless every sample converts to its other side in both directions, and no odd value makes a conversion throw.
 * The first sample is the example in the reference and in the OpenAPI description.
 *
 * @example
 * const yesNo: Converter = { says: 'legacy writes Y', samples: [{ legacy: '"Y"', v1: 'true' }],
 *   toLegacy: (v1) => (v1 === 'true' ? '"Y"' : undefined), toV1: (legacy) => (legacy === '"Y"' ? 'true' : undefined) }
 */
export interface Converter {
  /** One sentence for people: what differs, and what happens to unknown values. */
  readonly says: string
  readonly samples: readonly [Sample, ...Sample[]]
  readonly toLegacy: Conversion
  readonly toV1: Conversion
  /**
   * Whether v1's value cannot be found from legacy's. Then `toV1` leaves legacy's values unchanged, and `toLegacy` leaves them unchanged
   * too, so legacy → v1 → legacy keeps them.
   */
  readonly oneWay?: true
  /** What legacy's form does not show of v1's value, such as milliseconds. If undefined, v1 → legacy → v1 keeps all of it. */
  readonly loses?: string
  /** Further legacy names of v1 values in `samples`. They convert to v1 only, so only a request may have them. */
  readonly merged?: readonly Sample[]
  /** Further v1 values with a legacy name in `samples`. They convert to legacy only. */
  readonly shared?: readonly Sample[]
  /** The legacy values, for descriptions. If absent, descriptions leave them out. */
  readonly legacy?: LegacyValues
}

/** Describes the legacy values of a converter. */
export interface LegacyValues {
  readonly type: Type
  /** All known values. An answer may contain others that v1 added. */
  readonly values?: readonly string[]
  /** How a number is written: a `format` from OpenAPI's registry. */
  readonly format?: string
}

/**
 * Converts a value, given and returned as JSON text. Returns undefined if the value passes unchanged. Never throws.
 *
 * @example
 * convert(decimalConverter(2).toLegacy, '12500')   // '125.00'
 * convert(decimalConverter(2).toLegacy, 'null')    // undefined
 */
export function convert(conversion: Conversion, text: string): string | undefined {
  try {
    const converted = conversion(text)
    if (converted !== undefined) JSON.parse(converted)
    return converted
  } catch {
    // A faulty converter leaves the value unconverted. It must not cost the client its answer.
    return undefined
  }
}

/** A value that an enum can name. */
export type JsonScalar = string | number | boolean

/** Names of values: each legacy name with v1's, or pairs of any JSON scalars, legacy's first. */
export type EnumValues = Readonly<Record<string, string>> | readonly (readonly [legacy: JsonScalar, v1: JsonScalar])[]

/**
 * Converts between legacy's names of a value and v1's. `values` maps each legacy name to v1's. List the names that are the same
 * too, so that they are described. For values that are no texts, `values` is a list of pairs, legacy's value first.
 *
 * An unlisted value passes unchanged. In an answer, v1 added it, and a client copes with an unknown name better than with a 500.
 * In a request, v1 judges it: a refusal becomes a 400 at the legacy member, as in legacy. In a request, several legacy names may
 * stand for one v1 value.
 *
 * @example
 * state: converted(enumConverter({ open: 'PENDING', paid: 'SETTLED' })),     // the same as enumOf({ … })
 * state: query(convertedBy(enumConverter({ open: 'PENDING', paid: 'SETTLED' }))),  // "open" becomes ?state=PENDING
 * state: converted(enumConverter([[1, 'ACTIVE'], [0, 'PASSIVE']]))           // v1's "ACTIVE" becomes 1
 */
export function enumConverter(values: EnumValues): Converter {
  const pairs: readonly (readonly [JsonScalar, JsonScalar])[] = isPairs(values) ? values : Object.entries(values)
  const all = pairs.map(([legacy, v1]): Sample => ({ legacy: JSON.stringify(legacy), v1: JSON.stringify(v1) }))
  const isFirst = (side: 'legacy' | 'v1') => (sample: Sample, index: number) =>
    all.findIndex((other) => other[side] === sample[side]) === index
  const firstOfV1 = all.filter(isFirst('v1'))
  const firstOfLegacy = all.filter(isFirst('legacy'))
  const samples = firstOfV1.filter((sample) => firstOfLegacy.includes(sample))
  const merged = firstOfLegacy.filter((sample) => !firstOfV1.includes(sample))
  const shared = firstOfV1.filter((sample) => !firstOfLegacy.includes(sample))
  const says = pairs.map(([legacy, v1]) => (legacy === v1 ? String(legacy) : `${legacy} is v1’s ${v1}`))
  return {
    says: `${says.join(', ')}; any other value passes unchanged`,
    // The check at start-up refuses an enum without values.
    samples: samples as [Sample, ...Sample[]],
    ...(merged.length === 0 ? {} : { merged }),
    ...(shared.length === 0 ? {} : { shared }),
    ...legacyValuesOf(pairs.map(([legacy]) => legacy)),
    toLegacy: lookUp(new Map(firstOfV1.map(({ legacy, v1 }) => [v1, legacy]))),
    toV1: lookUp(new Map(firstOfLegacy.map(({ legacy, v1 }) => [legacy, v1]))),
  }
}

const isPairs = (values: EnumValues): values is readonly (readonly [JsonScalar, JsonScalar])[] => Array.isArray(values)

/** Describes the legacy values of an enum, if all have one type. */
function legacyValuesOf(values: readonly JsonScalar[]): Pick<Converter, 'legacy'> {
  const areAll = (type: string): boolean => values.every((value) => typeof value === type)
  if (areAll('string')) return { legacy: { type: 'string', values: values.map(String) } }
  if (areAll('boolean')) return { legacy: { type: 'bool' } }
  return areAll('number') ? { legacy: { type: values.every(Number.isInteger) ? 'int' : 'number' } } : {}
}

/** Looks a text up as written; if it contains escapes, by its unescaped form. */
const lookUp =
  (names: ReadonlyMap<string, string>): Conversion =>
  (text) =>
    names.get(text.includes('\\') ? JSON.stringify(JSON.parse(text)) : text)

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

/** A date and time up to the seconds, each part within its range. */
const SECONDS = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)`
const V1 = new RegExp(String.raw`^"(${SECONDS})(?:\.\d+)?Z"$`)
const LEGACY = new RegExp(String.raw`^"(${SECONDS})\+00:00"$`)

/**
 * Converts timestamps (docs/contract.md 8.4): v1's `…T10:24:19.000Z` is legacy's `…T10:24:19+00:00`. Milliseconds are lost.
 * Anything else passes unchanged. The engine gets the same results faster (`timestamp-in-place.ts`).
 *
 * @example
 * dateAt: converted(timestampConverter)                           // the same as timestamp()
 * timestampConverter.toLegacy('"2025-01-31T10:24:19.000Z"')       // '"2025-01-31T10:24:19+00:00"'
 */
export const timestampConverter: Converter = {
  says: 'v1 writes milliseconds and Z, legacy +00:00 and no milliseconds',
  loses: 'milliseconds',
  samples: [{ legacy: '"2025-01-31T10:24:19+00:00"', v1: '"2025-01-31T10:24:19.000Z"' }],
  legacy: { type: 'timestamp' },
  toLegacy: (text) => {
    const seconds = V1.exec(text)?.[1]
    return seconds === undefined ? undefined : `"${seconds}+00:00"`
  },
  toV1: (text) => {
    const seconds = LEGACY.exec(text)?.[1]
    return seconds === undefined ? undefined : `"${seconds}.000Z"`
  },
}
