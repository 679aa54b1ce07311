import { BYTES, scanString, scanValue, viewOf } from '../../../engine/json/scan-json.ts'
import {
  type JsonType,
  startOfText,
  stringAt,
  textOf,
  typeAt,
  walkItems,
  walkMembers,
} from '../../../engine/json/walk-json.ts'
import { decimalOf, ExactNumber } from './decimal.ts'

/** A JSON value for comparison: a number is a double if that represents it fully, else an ExactNumber. */
export type JsonValue = null | boolean | string | number | ExactNumber | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [name: string]: JsonValue
}

/** A parsed body, or why it could not be parsed. */
export type ReadBody =
  | { readonly json: JsonValue; readonly unread?: undefined }
  | { readonly json?: undefined; readonly unread: 'not JSON' | 'too deep' }

/** Deeper bodies are compared as bytes, so that code may walk a JsonValue recursively. */
const MAX_DEPTH = 500

/** JSON is UTF-8 (RFC 8259, section 8.1). A byte order mark is an error, as for `JSON.parse`. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a body. `__proto__` is an ordinary member name. If a member is repeated, the last one counts. */
export function readBody(body: Uint8Array): ReadBody {
  try {
    const { depth, isExact } = measure(body)
    if (depth > MAX_DEPTH) return { unread: 'too deep' }
    const json = JSON.parse(decoder.decode(body)) as JsonValue
    return { json: isExact ? json : withExactNumbers(body, json) }
  } catch {
    return { unread: 'not JSON' }
  }
}

const { QUOTE } = BYTES
const POINT = 0x2e
const ZERO = 0x30
/** Up to this many characters, not counting the sign, a double represents every number without an exponent exactly. */
const SHORT = 15

/** Measures how deep JSON is nested, and whether doubles fully represent all its numbers. */
function measure(json: Uint8Array): { readonly depth: number; readonly isExact: boolean } {
  let depth = 0
  let deepest = 0
  let digits = 0
  let isExact = true
  /** Within a number: all digits after its point are zero so far. */
  let isWhole = false
  const text = viewOf(json)
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number
    if ((byte >= 0x30 && byte <= 0x39) || byte === POINT) {
      if (++digits > SHORT) isExact = false
      if (byte === POINT) isWhole = true
      else if (byte !== ZERO) isWhole = false
      continue
    }
    // The letter e or E.
    if (isWhole || (digits > 0 && (byte | 0x20) === 0x65)) isExact = false
    isWhole = false
    digits = 0
    if (byte === QUOTE) at = scanString(text, at, json.length) - 1
    // A bracket and a brace differ in this bit only.
    else if ((byte | 0x20) === 0x7b) deepest = Math.max(deepest, ++depth)
    else if ((byte | 0x20) === 0x7d) depth--
  }
  return { depth: deepest, isExact: isExact && !isWhole }
}

export function typeOf(value: JsonValue): JsonType {
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value as 'boolean' | 'string' | 'number'
  if (value instanceof ExactNumber) return 'number'
  return Array.isArray(value) ? 'array' : 'object'
}

export const isNumber = (value: JsonValue): value is number | ExactNumber =>
  typeof value === 'number' || value instanceof ExactNumber

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== undefined && typeOf(value) === 'object'

/** Writes JSON so that equal values give equal texts: members sorted, no white space, numbers by decimal value. */
export function canonicalText(value: JsonValue): string {
  if (value instanceof ExactNumber) return value.text
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] ?? null)}`)
  return `{${members.join(',')}}`
}

/** JSON text that may leave out members and items, to keep within a bound. */
interface BoundedText {
  readonly text: string
  readonly isWhole: boolean
}

/**
 * Writes JSON as `canonicalText` does, but begins no further member or item after `mostCharacters`. Takes time in proportion to
 * the length of the text, regardless of how deep the value is.
 */
export function boundedText(value: JsonValue, mostCharacters: number): BoundedText {
  const pieces: string[] = []
  let length = 0
  let isWhole = true
  const write = (piece: string): void => {
    pieces.push(piece)
    length += piece.length
  }
  const writeEach = <T>(all: readonly T[], writeOne: (one: T) => void): void => {
    for (const [index, one] of all.entries()) {
      if (length >= mostCharacters) {
        isWhole = false
        return
      }
      if (index > 0) write(',')
      writeOne(one)
    }
  }
  const writeValue = (inner: JsonValue): void => {
    if (Array.isArray(inner)) {
      write('[')
      writeEach(inner as readonly JsonValue[], writeValue)
      write(']')
    } else if (isObject(inner)) {
      write('{')
      writeEach(Object.keys(inner).sort(), (name) => {
        write(`${JSON.stringify(name)}:`)
        writeValue(inner[name] ?? null)
      })
      write('}')
    } else write(canonicalText(inner))
  }
  writeValue(value)
  return { text: pieces.join(''), isWhole }
}

/** The values of a parsed object or array, by name or index. */
type Parsed = Record<string | number, JsonValue>

/**
 * Replaces each number of a parsed body that a double cannot fully represent by an exact one. A reviver would do the same, but
 * takes several times as long.
 * @param json the body, which `JSON.parse` accepted. @param parsed the result of `JSON.parse`; it is changed in place.
 */
function withExactNumbers(json: Uint8Array, parsed: JsonValue): JsonValue {
  const text = viewOf(json)
  const end = json.length
  /** Walks the value at `at`, which is parsed as `holder[key]`. If a member is repeated, the last one is walked last, so it decides. */
  const walk = (at: number, holder: Parsed, key: string | number): number => {
    const value = Object.hasOwn(holder, key) ? holder[key] : undefined
    const type = typeAt(json, at)
    const inner = typeof value === 'object' && value !== null && !(value instanceof ExactNumber) ? value : NOTHING
    if (type === 'object') {
      const members = Array.isArray(inner) ? NOTHING : (inner as Parsed)
      return walkMembers(text, at, end, (keyAt, keyEnd, valueAt) =>
        typeAt(json, valueAt) === 'string'
          ? scanValue(text, valueAt, end)
          : walk(valueAt, members, stringAt(json, keyAt, keyEnd)),
      )
    }
    if (type === 'array') {
      const items = Array.isArray(inner) ? (inner as unknown as Parsed) : NOTHING
      return walkItems(text, at, end, (itemAt, index) => walk(itemAt, items, index))
    }
    const valueEnd = scanValue(text, at, end)
    if (type === 'number' && (typeof value === 'number' || value instanceof ExactNumber)) {
      const number = decimalOf(textOf(json, at, valueEnd))
      if (number !== value) holder[key] = number
    }
    return valueEnd
  }
  const root: Parsed = { value: parsed }
  walk(startOfText(json), root, 'value')
  return root.value as JsonValue
}

/** Holds the values that a repeated member hides. */
const NOTHING: Parsed = Object.freeze({})
