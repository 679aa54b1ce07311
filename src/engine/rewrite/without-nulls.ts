import {
  byteAt,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  JsonError,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  viewOf,
} from '../json/json-bytes.ts'
import { endOfText, startOfText, typeAt } from '../json/json-walk.ts'
import { scanColon, scanSpace, scanValue } from '../json/scan.ts'
import { scanString } from '../json/scan-string.ts'
import { RunWriter } from './run-writer.ts'

/**
 * Copies a JSON text without the members that are null, at any depth. Null items of arrays stay.
 * @throws JsonError
 */
export function withoutNulls(json: Uint8Array): Buffer {
  const text = viewOf(json)
  const end = json.length
  const out = new RunWriter(json, text, end)
  /** The containers around the current one. For an object: whether a member has been written. For an array: undefined. */
  const outer: (boolean | undefined)[] = []
  let inObject = false
  let before = startOfText(json)
  let at = before
  out.resume(at)

  /** Walks the key at `at` to its value. Walks a null value too, leaves the member out, and returns false. */
  const member = (): boolean => {
    if (byteAt(text, at, end) !== QUOTE) throw new JsonError(at)
    const valueAt = scanColon(text, scanString(text, at, end), end)
    const isNull = typeAt(json, valueAt) === 'null'
    if (isNull) out.cut(before)
    else out.keepMember(at)
    at = isNull ? scanValue(text, valueAt, end) : valueAt
    return !isNull
  }

  const enter = (): void => {
    outer.push(inObject ? out.hasMember : undefined)
    inObject = byteAt(text, at, end) === OPEN_OBJECT
    out.hasMember = false
    before = at + 1
    at = scanSpace(text, before, end)
  }

  const leave = (): void => {
    if (byteAt(text, at, end) !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) throw new JsonError(at)
    out.resume(at)
    at++
    const hadMember = outer.pop()
    inObject = hadMember !== undefined
    out.hasMember = hadMember ?? false
  }

  for (;;) {
    // `at` is at a value.
    let isDone = false
    if (byteAt(text, at, end) === OPEN_OBJECT || byteAt(text, at, end) === OPEN_ARRAY) {
      enter()
      if (byteAt(text, at, end) === (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        leave()
        isDone = true
      }
    } else {
      at = scanValue(text, at, end)
      isDone = true
    }
    // After a value: close the containers that end here, and go to the next value.
    for (;;) {
      if (isDone) {
        before = at
        if (outer.length === 0) {
          out.cut(at)
          endOfText(json, at)
          return out.finish()
        }
        at = scanSpace(text, at, end)
        if (byteAt(text, at, end) !== COMMA) {
          leave()
          continue
        }
        at = scanSpace(text, at + 1, end)
      }
      isDone = inObject && !member()
      if (!isDone) break
    }
  }
}
