import { isUtf8 } from 'node:buffer'
import { JsonError, viewOf } from './json/json-bytes.ts'
import { endOfText, startOfText, typeAt, walkMembers } from './json/json-walk.ts'
import { scanValue } from './json/scan.ts'
import { isNameAt, readyKey } from './rewrite/key.ts'
import { PromiseError } from './rewrite/rewrite-options.ts'

const SUCCESS = readyKey('success')
const SMALL_T = 0x74

/**
 * Walks v1's success envelope, which is to be taken apart. `visit` is told where a member's name starts and ends, quotes
 * included, and where its value starts; it takes the member over by returning where that ends.
 * @throws JsonError, PromiseError when it is not what the contract promises.
 */
export function walkEnvelope(
  json: Uint8Array,
  visit: (keyAt: number, keyEnd: number, valueAt: number) => number | undefined,
): void {
  const start = startOfText(json)
  if (json.length === start || !isUtf8(json)) throw new JsonError(start)
  mustBe(json, start, 'object', 'the answer')
  const text = viewOf(json)
  const end = walkMembers(text, start, json.length, (keyAt, keyEnd, valueAt) => {
    const valueEnd = visit(keyAt, keyEnd, valueAt) ?? scanValue(text, valueAt, json.length)
    // Of what is JSON only true starts so.
    if (json[valueAt] !== SMALL_T && isNameAt(SUCCESS, json, keyAt, keyEnd)) {
      throw new PromiseError('the answer', 'success')
    }
    return valueEnd
  })
  endOfText(json, end)
}

/** @throws PromiseError when the value at `at`, which is at `where` in v1's answer, is of another type; or JsonError. */
export function mustBe(json: Uint8Array, at: number, type: 'object' | 'array', where: string): void {
  if (typeAt(json, at) === type) return
  scanValue(viewOf(json), at, json.length)
  throw new PromiseError(where, type)
}
