import { isUtf8 } from 'node:buffer'
import {
  BYTES,
  bufferOf,
  byteAt,
  JsonError,
  type NotJson,
  scanColon,
  scanSpace,
  scanString,
  scanValue,
  viewOf,
} from './scan-json.ts'

/*
 * The walker of JSON text: members, items, and whole trees of values, each with its position. All code that looks into a JSON text
 * without parsing it uses this file.
 */

const { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE, SPACE } = BYTES

/** Returns the start of the root value. Check what follows the value with `endOfText`. */
export const startOfText = (json: Uint8Array): number =>
  (json[0] ?? 0) > SPACE ? 0 : scanSpace(viewOf(json), 0, json.length)

/** Checks that only white space follows the root value, which ended at `at`. */
export function endOfText(json: Uint8Array, at: number): void {
  const end = at === json.length ? at : scanSpace(viewOf(json), at, json.length)
  if (end !== json.length) throw new JsonError(end)
}

/** Walks one value, however deep, without recursion. For code that has no view of the text. */
export const skipValue = (json: Uint8Array, at: number): number => scanValue(viewOf(json), at, json.length)

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

/** What to do with the values of a tree. */
export interface TreeVisit {
  /**
   * Called at the start of each value, in the order of the text. Returns the end of the value if it has walked the value; undefined
   * goes on, into an object or array too. `keyAt` and `keyEnd` enclose the key of a member, quotes included; NO_KEY for an item or the
   * root. `before` is where the previous value of the same container ends, or its bracket.
   */
  value(at: number, keyAt: number, keyEnd: number, before: number): number | undefined
  /** Called at the bracket that closes an object or array. */
  close?(at: number): void
}

export const NO_KEY = -1

/** Walks the value at `at` and all values within it, however deep, without recursion. */
export function walkTree(text: DataView, at: number, end: number, visit: TreeVisit): number {
  /** The closing brackets of the containers around `at`. */
  const closing: number[] = []
  let [before, keyAt, keyEnd] = [at, NO_KEY, NO_KEY]
  for (;;) {
    const valueEnd = visit.value(at, keyAt, keyEnd, before)
    const first = byteAt(text, at, end)
    /** Whether no value of the innermost container has come yet. */
    let isNew = valueEnd === undefined && (first === OPEN_OBJECT || first === OPEN_ARRAY)
    if (isNew) closing.push(first === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY)
    before = isNew ? at + 1 : (valueEnd ?? scanValue(text, at, end))
    at = scanSpace(text, before, end)
    while (closing.length > 0 && byteAt(text, at, end) === closing.at(-1)) {
      visit.close?.(at)
      closing.pop()
      isNew = false
      before = at + 1
      at = scanSpace(text, before, end)
    }
    if (closing.length === 0) return before
    if (!isNew) {
      if (byteAt(text, at, end) !== COMMA) throw new JsonError(at)
      at = scanSpace(text, at + 1, end)
    }
    keyAt = NO_KEY
    if (closing.at(-1) === CLOSE_OBJECT) {
      if (byteAt(text, at, end) !== QUOTE) throw new JsonError(at)
      keyAt = at
      keyEnd = scanString(text, at, end)
      at = scanColon(text, keyEnd, end)
    }
  }
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

/** Decodes `json[start, end)`. */
export const textOf = (json: Uint8Array, start: number, end: number): string =>
  bufferOf(json).toString('utf8', start, end)

/** Returns the value of the string in `json[start, end)`, which includes its quotes. Decodes escapes. */
export function stringAt(json: Uint8Array, start: number, end: number): string {
  return hasEscape(json, start, end)
    ? (JSON.parse(textOf(json, start, end)) as string)
    : textOf(json, start + 1, end - 1)
}

/** Whether `json[start, end)` contains an escape. */
export function hasEscape(json: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (json[at] === BACKSLASH) return true
  return false
}

/** Returns where a text stops being JSON, in bytes from 0; undefined: it is JSON. */
export function endOfJson(text: Uint8Array): number | undefined {
  try {
    endOfText(text, skipValue(text, startOfText(text)))
    return undefined
  } catch (error) {
    if (error instanceof JsonError) return error.position
    throw error
  }
}

const LESS_THAN = 0x3c

/** Says what a text is that is not JSON. @param position where it stops being JSON, in bytes from 0. */
export function whyNotJson(text: Uint8Array, position: number): NotJson {
  const start = startOfText(text)
  if (start >= text.length) return 'empty'
  if (text[0] === 0x1f && text[1] === 0x8b) return 'gzip'
  if (!isUtf8(text)) return 'not UTF-8'
  if (text[start] === LESS_THAN) return 'HTML or XML'
  return position >= text.length ? 'cut off' : 'not JSON'
}
