import {
  bufferOf,
  byteAt,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  JsonError,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  viewOf,
} from '../../engine/json/json-bytes.ts'
import { endOfText } from '../../engine/json/json-walk.ts'
import { scanColon, scanSpace, scanValue } from '../../engine/json/scan.ts'
import { scanString } from '../../engine/json/scan-string.ts'
import { ByteWriter } from '../../engine/rewrite/byte-writer.ts'
import type { NameSet } from './redact-names.ts'

/** Returns the replacement of the value in `json[start, end)`, or undefined to keep it. */
export type Replace = (json: Uint8Array, start: number, end: number) => Uint8Array | undefined

/**
 * Copies a JSON text and replaces the values of members of these names, at any depth and whole. Everything else stays
 * byte for byte. Walks any depth without recursion.
 * @throws JsonError
 */
export function redactJson(json: Uint8Array, names: NameSet, replace: Replace): Buffer {
  const text = viewOf(json)
  const source = bufferOf(json)
  const length = json.length
  const out = new ByteWriter(json.length)
  /** The end of the source that has been copied or left out. */
  let copied = 0
  /** For each container around `at`: whether it is an object. */
  const open: boolean[] = []
  let at = scanSpace(text, 0, length)

  /** Walks the key at `at`. If the name matches, walks the value too and returns true. */
  const member = (): boolean => {
    if (byteAt(text, at, length) !== QUOTE) throw new JsonError(at)
    const keyEnd = scanString(text, at, length)
    const isNamed = names.standsAt(json, at, keyEnd)
    at = scanColon(text, keyEnd, length)
    if (!isNamed) return false
    const end = scanValue(text, at, length)
    const other = replace(json, at, end)
    if (other !== undefined) {
      out.copy(source, text, copied, at)
      out.append(other)
      copied = end
    }
    at = end
    return true
  }

  for (;;) {
    // `at` is at a value.
    const first = byteAt(text, at, length)
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      const isObject = first === OPEN_OBJECT
      open.push(isObject)
      at = scanSpace(text, at + 1, length)
      const isEmpty = byteAt(text, at, length) === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)
      if (!isEmpty && !(isObject && member())) continue
      if (isEmpty) {
        open.pop()
        at++
      }
    } else {
      at = scanValue(text, at, length)
    }
    // After a value: close the containers that end here, and go to the next value.
    let isWalked = true
    while (isWalked) {
      if (open.length === 0) {
        endOfText(json, at)
        out.copy(source, text, copied, json.length)
        return out.finish()
      }
      at = scanSpace(text, at, length)
      const inObject = open[open.length - 1] === true
      if (byteAt(text, at, length) === COMMA) {
        at = scanSpace(text, at + 1, length)
        isWalked = inObject && member()
      } else if (byteAt(text, at, length) === (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        open.pop()
        at++
      } else {
        throw new JsonError(at)
      }
    }
  }
}
