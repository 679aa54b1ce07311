import { isUtf8 } from 'node:buffer'
import { JsonError, scanValue, viewOf } from './json/scan-json.ts'
import { endOfText, startOfText, textOf, typeAt, walkMembers, whyNotJson } from './json/walk-json.ts'
import { isNameAt, readyKey } from './rewrite/key.ts'
import { PromiseError } from './rewrite/plan.ts'

const SUCCESS = readyKey('success')
export const ITEMS = readyKey('items')
const META = readyKey('meta')
const SMALL_T = 0x74

/**
 * Walks v1's success envelope. Calls `visit` for each member with the start and end of its name, quotes included, and
 * the start of its value. To handle the member, `visit` returns the end of the value; to skip it, undefined.
 * @throws JsonError that says what the text is instead, PromiseError if the envelope is not what the contract promises.
 */
export function walkEnvelope(
  json: Uint8Array,
  visit: (keyAt: number, keyEnd: number, valueAt: number) => number | undefined,
): void {
  try {
    walkMembersOf(json, visit)
  } catch (error) {
    // Only here the whole text is known.
    throw error instanceof JsonError ? new JsonError(error.position, whyNotJson(json, error.position)) : error
  }
}

function walkMembersOf(
  json: Uint8Array,
  visit: (keyAt: number, keyEnd: number, valueAt: number) => number | undefined,
): void {
  const start = startOfText(json)
  if (json.length === start || !isUtf8(json)) throw new JsonError(start)
  mustBe(json, start, 'object', 'the answer')
  const text = viewOf(json)
  const end = walkMembers(text, start, json.length, (keyAt, keyEnd, valueAt) => {
    const valueEnd = visit(keyAt, keyEnd, valueAt) ?? scanValue(text, valueAt, json.length)
    // In JSON, only `true` starts with a t.
    if (json[valueAt] !== SMALL_T && isNameAt(SUCCESS, json, keyAt, keyEnd)) {
      throw new PromiseError('the answer', 'success')
    }
    return valueEnd
  })
  endOfText(json, end)
}

/** The counts of a v1 page: whole numbers, not negative. */
export interface PageMeta {
  readonly page: number
  readonly perPage: number
  readonly total: number
  readonly pageCount: number
}

/**
 * Walks a v1 page. Calls `write` with the start of the array of rows; it returns the end of the array and the number of rows
 * written. Of two such arrays, the last one counts. Throws like `rewriteRecord`.
 */
export function walkPage(
  json: Uint8Array,
  write: (at: number) => { readonly end: number; readonly written: number },
): { readonly count: number; readonly meta: PageMeta } {
  let count: number | undefined
  let meta: PageMeta | undefined
  walkEnvelope(json, (keyAt, keyEnd, at) => {
    if (isNameAt(ITEMS, json, keyAt, keyEnd)) {
      mustBe(json, at, 'array', ITEMS.name)
      const { end, written } = write(at)
      count = written
      return end
    }
    if (!isNameAt(META, json, keyAt, keyEnd)) return undefined
    mustBe(json, at, 'object', META.name)
    const read = readMeta(json, at)
    meta = read.meta
    return read.end
  })
  if (count === undefined) throw new PromiseError('the answer', ITEMS.name)
  if (meta === undefined) throw new PromiseError('the answer', META.name)
  return { count, meta }
}

/**
 * Checks the type of the value at `at`. `where` names its place in v1's answer.
 * @throws PromiseError if it has another type, JsonError if it is not JSON.
 */
export function mustBe(json: Uint8Array, at: number, type: 'object' | 'array', where: string): void {
  if (typeAt(json, at) === type) return
  scanValue(viewOf(json), at, json.length)
  throw new PromiseError(where, type)
}

const NAMES = ['page', 'perPage', 'total', 'pageCount'] as const
const COUNTS = NAMES.map((name) => ({ name, key: readyKey(name) }))

/**
 * Reads the counts from the object at `at`, `meta` of v1's answer. `end` is the end of the object. Of a duplicate member, the
 * last one counts.
 * @throws JsonError, PromiseError
 */
export function readMeta(json: Uint8Array, at: number): { readonly meta: PageMeta; readonly end: number } {
  const text = viewOf(json)
  const meta = { page: Number.NaN, perPage: Number.NaN, total: Number.NaN, pageCount: Number.NaN }
  const end = walkMembers(text, at, json.length, (keyAt, keyEnd, valueAt) => {
    const valueEnd = scanValue(text, valueAt, json.length)
    for (const { name, key } of COUNTS) {
      if (isNameAt(key, json, keyAt, keyEnd)) meta[name] = numberAt(json, valueAt, valueEnd)
    }
    return valueEnd
  })
  for (const name of NAMES) {
    if (!Number.isSafeInteger(meta[name]) || meta[name] < 0) throw new PromiseError(`meta.${name}`, 'count')
  }
  return { meta, end }
}

/** Any whole number of up to this many digits is a safe integer. */
const SAFE_DIGITS = 15

/** Returns the number in `json[start, end)`, or NaN for another value. */
function numberAt(json: Uint8Array, start: number, end: number): number {
  if (typeAt(json, start) !== 'number') return Number.NaN
  let count = 0
  for (let at = start; at < end; at++) {
    const digit = (json[at] as number) - ZERO
    // 25 may also be written 25.0 or 2.5e1.
    if (digit < 0 || digit > 9 || at - start === SAFE_DIGITS) return Number(textOf(json, start, end))
    count = count * 10 + digit
  }
  return count
}

const ZERO = 0x30
