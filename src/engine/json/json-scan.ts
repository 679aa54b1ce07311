import { viewOf } from './json-bytes.ts'
import { scanColon, scanSpace, scanValue } from './scan.ts'
import { scanString } from './scan-string.ts'

export {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonError,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './json-bytes.ts'

/*
 * Walks JSON text, for code off the hot path. Each function takes a position, returns the position after what it
 * walked, or throws a JsonError.
 */

/** Walks white space. */
export const skipSpace = (json: Uint8Array, at: number): number => scanSpace(viewOf(json), at, json.length)

/** Walks the colon after a key to the start of the value. */
export const skipColon = (json: Uint8Array, at: number): number => scanColon(viewOf(json), at, json.length)

/** Walks the string whose opening quote is at `at`. */
export const skipString = (json: Uint8Array, at: number): number => scanString(viewOf(json), at, json.length)

/** Walks one value, however deep, without recursion. */
export const skipValue = (json: Uint8Array, at: number): number => scanValue(viewOf(json), at, json.length)
