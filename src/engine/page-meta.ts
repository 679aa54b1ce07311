import { viewOf } from './json/json-bytes.ts'
import { textOf, typeAt, walkMembers } from './json/json-walk.ts'
import { scanValue } from './json/scan.ts'
import { isNameAt, readyKey } from './rewrite/key.ts'
import { PromiseError } from './rewrite/rewrite-options.ts'

/** The counts of a v1 page: whole numbers, not negative. */
export interface PageMeta {
  readonly page: number
  readonly perPage: number
  readonly total: number
  readonly pageCount: number
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
