import { ByteWriter } from '../byte-writer.ts'
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
} from '../json-scan.ts'
import { endOfText } from '../json-walk.ts'
import type { NameSet } from './redact-names.ts'

/** What is written in place of the value in `json[start, end)`; undefined: it stays. */
export type Replace = (json: Uint8Array, start: number, end: number) => Uint8Array | undefined

/**
 * A copy of a JSON text in which the members of these names, at any depth, have another value; what is within such a value
 * goes with it. Everything else stays byte for byte. Walks any depth without recursion.
 * @throws JsonError
 */
export function redactJson(json: Uint8Array, names: NameSet, replace: Replace): Buffer {
  const source = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  const view = new DataView(json.buffer, json.byteOffset, json.byteLength)
  const out = new ByteWriter(json.length)
  /** Up to here the source is copied, or left out. */
  let copied = 0
  /** Of each container that is open around `at`: whether it is an object. */
  const open: boolean[] = []
  let at = skipSpace(json, 0)

  /** Walks the key at `at`, and its value too where that is replaced, which is what it returns. */
  const member = (): boolean => {
    if (json[at] !== QUOTE) throw new JsonError(at)
    const keyEnd = skipString(json, at)
    const isNamed = names.standsAt(json, view, at, keyEnd)
    at = skipColon(json, keyEnd)
    if (!isNamed) return false
    const end = skipValue(json, at)
    const other = replace(json, at, end)
    if (other !== undefined) {
      out.copy(source, copied, at)
      out.write(other)
      copied = end
    }
    at = end
    return true
  }

  for (;;) {
    // `at` is at a value.
    const first = json[at]
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      const isObject = first === OPEN_OBJECT
      open.push(isObject)
      at = skipSpace(json, at + 1)
      const isEmpty = json[at] === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)
      if (!isEmpty && !(isObject && member())) continue
      if (isEmpty) {
        open.pop()
        at++
      }
    } else {
      at = skipValue(json, at)
    }
    // Behind a value: close what ends here, and go to the next.
    let isWalked = true
    while (isWalked) {
      if (open.length === 0) {
        endOfText(json, at)
        out.copy(source, copied, source.length)
        return out.finish()
      }
      at = skipSpace(json, at)
      const inObject = open[open.length - 1] === true
      if (json[at] === COMMA) {
        at = skipSpace(json, at + 1)
        isWalked = inObject && member()
      } else if (json[at] === (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        open.pop()
        at++
      } else {
        throw new JsonError(at)
      }
    }
  }
}
