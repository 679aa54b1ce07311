import { decimalOf, ExactNumber } from './decimal.ts'

/** JSON as it is compared: a number is a double where that is the whole truth, and exact otherwise. */
export type JsonValue = null | boolean | string | number | ExactNumber | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [name: string]: JsonValue
}

export type JsonType = 'null' | 'boolean' | 'string' | 'number' | 'array' | 'object'

/** A body as JSON; undefined: it is none, or it is nested too deep. */
export type ReadBody =
  | { readonly json: JsonValue; readonly unread?: undefined }
  | { readonly json?: undefined; readonly unread: 'not JSON' | 'too deep' }

/** Deeper bodies are compared as bytes, so that whatever walks a JsonValue may do so by recursion. */
const MAX_DEPTH = 500

/** JSON is UTF-8 (RFC 8259, section 8.1); a byte order mark is not for us to forgive, `JSON.parse` does not either. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** `JSON.parse` as Node has it: the third argument holds a primitive as it was written. */
const parse = JSON.parse as (
  text: string,
  reviver?: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => JsonValue

/** Reads a body. Member names are plain names, `__proto__` too; of a member that comes twice the last one counts. */
export function readBody(body: Uint8Array): ReadBody {
  const { depth, isExact } = scan(body)
  if (depth > MAX_DEPTH) return { unread: 'too deep' }
  try {
    const text = decoder.decode(body)
    // Asking for the source of every number takes several times as long.
    return { json: isExact ? parse(text) : parse(text, exactly) }
  } catch {
    return { unread: 'not JSON' }
  }
}

function exactly(_: string, value: unknown, context: { readonly source?: string }): unknown {
  return typeof value === 'number' && context.source !== undefined ? decimalOf(context.source) : value
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const POINT = 0x2e
/** The longest number, sign aside, that a double is sure to hold, exponents aside. */
const SHORT = 15

/** Of what is JSON: how deep objects and arrays are within each other, and whether doubles hold all its numbers exactly. */
function scan(json: Uint8Array): { readonly depth: number; readonly isExact: boolean } {
  let depth = 0
  let deepest = 0
  let digits = 0
  let isExact = true
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number
    if ((byte >= 0x30 && byte <= 0x39) || byte === POINT) {
      if (++digits > SHORT) isExact = false
      continue
    }
    // The letter e, large or small.
    if (digits > 0 && (byte | 0x20) === 0x65) isExact = false
    digits = 0
    if (byte === QUOTE) at = endOfText(json, at)
    // A bracket and a brace differ in this bit alone.
    else if ((byte | 0x20) === 0x7b) deepest = Math.max(deepest, ++depth)
    else if ((byte | 0x20) === 0x7d) depth--
  }
  return { depth: deepest, isExact }
}

/** The position of the quote that ends the text whose first one is at `at`. */
function endOfText(json: Uint8Array, at: number): number {
  for (at++; at < json.length && json[at] !== QUOTE; at++) if (json[at] === BACKSLASH) at++
  return at
}

export function typeOf(value: JsonValue): JsonType {
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value as 'boolean' | 'string' | 'number'
  if (value instanceof ExactNumber) return 'number'
  return Array.isArray(value) ? 'array' : 'object'
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== undefined && typeOf(value) === 'object'

/** JSON text in which equal values are equal texts: members by name, no white space, numbers by their decimal value. */
export function canonicalText(value: JsonValue): string {
  if (value instanceof ExactNumber) return value.text
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] ?? null)}`)
  return `{${members.join(',')}}`
}
