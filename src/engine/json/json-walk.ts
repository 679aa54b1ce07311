import { BYTES, bufferOf, byteAt, JsonError, viewOf } from './json-bytes.ts'
import { scanColon, scanSpace, scanValue } from './scan.ts'
import { scanString } from './scan-string.ts'

const { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE, SPACE } = BYTES

/** Decodes `json[start, end)`. */
export const textOf = (json: Uint8Array, start: number, end: number): string =>
  bufferOf(json).toString('utf8', start, end)

/** Whether `json[start, end)` contains an escape. */
export function hasEscape(json: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (json[at] === BACKSLASH) return true
  return false
}

/** Returns the value of the string in `json[start, end)`, which includes its quotes. Decodes escapes. */
export function stringAt(json: Uint8Array, start: number, end: number): string {
  return hasEscape(json, start, end)
    ? (JSON.parse(textOf(json, start, end)) as string)
    : textOf(json, start + 1, end - 1)
}

/**
 * Walks the object at `at`. Calls `visit` with the start and end of each key, quotes included, and the start of its value;
 * `visit` returns the end of the value.
 */
export function walkMembers(
  text: DataView,
  at: number,
  end: number,
  visit: (keyAt: number, keyEnd: number, valueAt: number) => number,
): number {
  at = scanSpace(text, at + 1, end)
  if (byteAt(text, at, end) === CLOSE_OBJECT) return at + 1
  for (;;) {
    if (byteAt(text, at, end) !== QUOTE) throw new JsonError(at)
    const keyEnd = scanString(text, at, end)
    at = scanSpace(text, visit(at, keyEnd, scanColon(text, keyEnd, end)), end)
    const next = byteAt(text, at, end)
    if (next === CLOSE_OBJECT) return at + 1
    if (next !== COMMA) throw new JsonError(at)
    at = scanSpace(text, at + 1, end)
  }
}

/**
 * Walks the object at `at`. Calls `visit` with each name and the start of its value; `visit` returns the end of the
 * value.
 */
export function walkObject(json: Uint8Array, at: number, visit: (name: string, valueAt: number) => number): number {
  return walkMembers(viewOf(json), at, json.length, (keyAt, keyEnd, valueAt) =>
    visit(stringAt(json, keyAt, keyEnd), valueAt),
  )
}

/** Walks the array at `at`. Calls `visit` with the start of each item; `visit` returns the end of the item. */
export function walkItems(
  text: DataView,
  at: number,
  end: number,
  visit: (at: number, index: number) => number,
): number {
  at = scanSpace(text, at + 1, end)
  if (byteAt(text, at, end) === CLOSE_ARRAY) return at + 1
  for (let index = 0; ; index++) {
    at = scanSpace(text, visit(at, index), end)
    const next = byteAt(text, at, end)
    if (next === CLOSE_ARRAY) return at + 1
    if (next !== COMMA) throw new JsonError(at)
    at = scanSpace(text, at + 1, end)
  }
}

/** Counts the items of the array at `at`. */
export function countItems(text: DataView, at: number, end: number): number {
  let count = 0
  walkItems(text, at, end, (item) => {
    count++
    return scanValue(text, item, end)
  })
  return count
}

/** Returns the start of the root value. Check what follows the value with `endOfText`. */
export const startOfText = (json: Uint8Array): number =>
  (json[0] ?? 0) > SPACE ? 0 : scanSpace(viewOf(json), 0, json.length)

/** Checks that only white space follows the root value, which ended at `at`. */
export function endOfText(json: Uint8Array, at: number): void {
  const end = at === json.length ? at : scanSpace(viewOf(json), at, json.length)
  if (end !== json.length) throw new JsonError(end)
}

export type JsonType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** Returns the type of the value at `at`, by its first byte. */
export function typeAt(json: Uint8Array, at: number): JsonType {
  switch (at < json.length ? json[at] : 0) {
    case OPEN_OBJECT:
      return 'object'
    case OPEN_ARRAY:
      return 'array'
    case QUOTE:
      return 'string'
    case 0x74:
    case 0x66:
      return 'boolean'
    case 0x6e:
      return 'null'
    default:
      return 'number'
  }
}
