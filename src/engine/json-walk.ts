import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  JsonError,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipColon,
  skipSpace,
  skipString,
  skipValue,
} from './json-scan.ts'

const decoder = new TextDecoder()

/** The text of `json[start, end)`. */
export const textOf = (json: Uint8Array, start: number, end: number): string =>
  decoder.decode(json.subarray(start, end))

/** The string whose quoted form, escapes and all, stands in `json[start, end)`. */
export function stringAt(json: Uint8Array, start: number, end: number): string {
  return JSON.parse(textOf(json, start, end)) as string
}

/** Walks the object at `at`; `visit` is told each name and where its value starts, and returns where it ends. */
export function walkObject(json: Uint8Array, at: number, visit: (name: string, valueAt: number) => number): number {
  at = skipSpace(json, at + 1)
  if (json[at] === CLOSE_OBJECT) return at + 1
  for (;;) {
    if (json[at] !== QUOTE) throw new JsonError(at)
    const keyEnd = skipString(json, at)
    at = skipSpace(json, visit(stringAt(json, at, keyEnd), skipColon(json, keyEnd)))
    if (json[at] === CLOSE_OBJECT) return at + 1
    if (json[at] !== COMMA) throw new JsonError(at)
    at = skipSpace(json, at + 1)
  }
}

/** How many items the array at `at` has. */
export function countItems(json: Uint8Array, at: number): number {
  at = skipSpace(json, at + 1)
  if (json[at] === CLOSE_ARRAY) return 0
  for (let count = 1; ; count++) {
    at = skipSpace(json, skipValue(json, at))
    if (json[at] === CLOSE_ARRAY) return count
    if (json[at] !== COMMA) throw new JsonError(at)
    at = skipSpace(json, at + 1)
  }
}

/** Where the root value starts; what follows it is checked with `endOfText`. */
export const startOfText = (json: Uint8Array): number => skipSpace(json, 0)

/** Checks that nothing but white space follows the root value, which ended at `at`. */
export function endOfText(json: Uint8Array, at: number): void {
  const end = skipSpace(json, at)
  if (end !== json.length) throw new JsonError(end)
}

export type JsonType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** The type of the value that starts at `at`, by its first byte. */
export function typeAt(json: Uint8Array, at: number): JsonType {
  switch (json[at]) {
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
