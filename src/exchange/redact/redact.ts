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
import type { Reason, RedactedNames } from './redact-names.ts'

/** Returns the replacement of the value in `json[start, end)`, or undefined to keep it. */
export type Replace = (reason: Reason, json: Uint8Array, start: number, end: number) => Uint8Array | undefined

/**
 * Copies a JSON text and replaces the values of members of these names, at any depth. A secret is replaced whole. In a personal
 * object or array, every value is replaced that is not itself an object or array. Everything else stays byte for byte. Walks any
 * depth without recursion.
 * @throws JsonError
 */
export function redactJson(json: Uint8Array, names: RedactedNames, replace: Replace): Buffer {
  const text = viewOf(json)
  const source = bufferOf(json)
  const length = json.length
  const out = new ByteWriter(json.length)
  /** The end of the source that has been copied or left out. */
  let copied = 0
  /** For each container around `at`: whether it is an object. */
  const open: boolean[] = []
  /** With more containers than this around `at`, every value is personal. */
  let personalDepth = Number.POSITIVE_INFINITY
  let at = scanSpace(text, 0, length)
  /** Why the value at `at` is not kept. */
  let reason: Reason | undefined

  /** Goes on to the next value of the innermost container: past its key, if it has one. */
  const toValue = (inObject: boolean): void => {
    reason = open.length > personalDepth ? 'personal' : undefined
    if (!inObject) return
    if (byteAt(text, at, length) !== QUOTE) throw new JsonError(at)
    const keyEnd = scanString(text, at, length)
    reason = names.at(json, at, keyEnd) ?? reason
    at = scanColon(text, keyEnd, length)
  }

  for (;;) {
    const first = byteAt(text, at, length)
    const isObject = first === OPEN_OBJECT
    if ((isObject || first === OPEN_ARRAY) && reason !== 'secret') {
      if (reason === 'personal') personalDepth = Math.min(personalDepth, open.length)
      open.push(isObject)
      at = scanSpace(text, at + 1, length)
      if (byteAt(text, at, length) !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        toValue(isObject)
        continue
      }
    } else {
      const end = scanValue(text, at, length)
      const other = reason === undefined ? undefined : replace(reason, json, at, end)
      if (other !== undefined) {
        out.copy(source, text, copied, at)
        out.append(other)
        copied = end
      }
      at = end
    }
    // After a value, or in an empty container: close the containers that end here, and go to the next value.
    for (;;) {
      if (open.length === 0) {
        endOfText(json, at)
        out.copy(source, text, copied, json.length)
        return out.finish()
      }
      at = scanSpace(text, at, length)
      const inObject = open[open.length - 1] === true
      const next = byteAt(text, at, length)
      if (next !== COMMA && next !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) throw new JsonError(at)
      at++
      if (next === COMMA) {
        at = scanSpace(text, at, length)
        toValue(inObject)
        break
      }
      open.pop()
      if (open.length <= personalDepth) personalDepth = Number.POSITIVE_INFINITY
    }
  }
}
