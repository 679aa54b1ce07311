import type { Type } from './type.ts'

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
