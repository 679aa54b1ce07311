import { isUtf8 } from 'node:buffer'
import { JsonError, viewOf } from './json/json-bytes.ts'
import { endOfText, startOfText, typeAt, walkMembers } from './json/json-walk.ts'
import { scanValue } from './json/scan.ts'
import { whyNotJson } from './json/why-not-json.ts'
import { isNameAt, readyKey } from './rewrite/key.ts'
import { PromiseError } from './rewrite/rewrite-options.ts'

const SUCCESS = readyKey('success')
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

/**
 * Checks the type of the value at `at`. `where` names its place in v1's answer.
 * @throws PromiseError if it has another type, JsonError if it is not JSON.
 */
export function mustBe(json: Uint8Array, at: number, type: 'object' | 'array', where: string): void {
  if (typeAt(json, at) === type) return
  scanValue(viewOf(json), at, json.length)
  throw new PromiseError(where, type)
}
