import { isUtf8 } from 'node:buffer'
import { JsonError, scanValue, viewOf } from './json/scan-json.ts'
import { endOfText, skipValue, startOfText, textOf, typeAt, walkMembers, whyNotJson } from './json/walk-json.ts'
import { isNameAt, readyKey } from './rewrite/key.ts'
import { PromiseError } from './rewrite/rewrite-plan.ts'

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
 * Walks a v1 page. Calls `write` with the start of the array of rows; it returns the end of the array and whatever it wrote. Of two
 * such arrays, the last one counts. Throws like `rewriteRecord`.
 */
export function walkPage<Written extends { readonly end: number }>(
  json: Uint8Array,
  write: (at: number) => Written,
): { readonly written: Written; readonly meta: PageMeta } {
  let written: Written | undefined
  let meta: PageMeta | undefined
  walkEnvelope(json, (keyAt, keyEnd, at) => {
    if (isNameAt(ITEMS, json, keyAt, keyEnd)) {
      mustBe(json, at, 'array', ITEMS.name)
      written = write(at)
      return written.end
    }
    if (!isNameAt(META, json, keyAt, keyEnd)) return undefined
    mustBe(json, at, 'object', META.name)
    const end = skipValue(json, at)
    meta = metaOf(textOf(json, at, end))
    return end
  })
  if (written === undefined) throw new PromiseError('the answer', ITEMS.name)
  if (meta === undefined) throw new PromiseError('the answer', META.name)
  return { written, meta }
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

const COUNTS = ['page', 'perPage', 'total', 'pageCount'] as const

/** Reads the counts from the text of `meta`. Of a duplicate member, the last one counts. */
function metaOf(text: string): PageMeta {
  const meta = JSON.parse(text) as PageMeta
  for (const name of COUNTS) {
    if (!Number.isSafeInteger(meta[name]) || meta[name] < 0) throw new PromiseError(`meta.${name}`, 'count')
  }
  return meta
}
