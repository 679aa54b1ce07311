import type { Converter } from './converter.ts'

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
