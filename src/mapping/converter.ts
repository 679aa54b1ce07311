import type { Type } from './type.ts'

/**
 * Makes the other side's text of a value, whole. Both are JSON texts: a string has its quotes, a number its digits as they came.
 * Undefined: the value is not one that it knows, and passes as it is.
 */
export type Conversion = (text: string) => string | undefined

/** One value as both sides write it, as JSON texts. */
export interface Sample {
  readonly legacy: string
  readonly v1: string
}

/**
 * A value that the two sides write differently. Both directions are needed: a shape is read both ways.
 *
 * A conversion is a pure function of one whole string, number or boolean; null, objects and arrays are never given to it, and
 * are the same on both sides. Answer undefined for whatever you do not know: v1 may add values, and a client that has not
 * migrated must not get a 500 for one. A conversion that throws, or makes something that is no JSON, counts as undefined.
 *
 * The start fails unless every sample comes out as its other side says, both ways, and no odd value makes a conversion throw.
 * The first sample is the example in the reference and in the OpenAPI description.
 *
 * @example
 * const yesNo: Converter = { says: 'legacy writes Y', samples: [{ legacy: '"Y"', v1: 'true' }],
 *   toLegacy: (v1) => (v1 === 'true' ? '"Y"' : undefined), toV1: (legacy) => (legacy === '"Y"' ? 'true' : undefined) }
 */
export interface Converter {
  /** One sentence for people: what is different, and what happens to values that it does not know. */
  readonly says: string
  readonly samples: readonly [Sample, ...Sample[]]
  readonly toLegacy: Conversion
  readonly toV1: Conversion
  /** What legacy has there, for descriptions; absent: nothing is said of it. */
  readonly legacy?: LegacyValues
}

/** What a legacy value is, for descriptions. */
export interface LegacyValues {
  readonly type: Type
  /** All that there are. An answer may have another, which v1 added. */
  readonly values?: readonly string[]
  /** How a number is written, a `format` of OpenAPI's registry. */
  readonly format?: string
}

/** What a conversion makes of a value, as JSON text; undefined: the value passes as it is. Never throws. */
export function convert(conversion: Conversion, text: string): string | undefined {
  try {
    const made = conversion(text)
    if (made !== undefined) JSON.parse(made)
    return made
  } catch {
    // A mistake in a converter costs a value its conversion, and no client its answer.
    return undefined
  }
}
