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
 * A copy of a JSON text without the members that are null, at any depth. Items of arrays keep their places, null or not.
 * @throws JsonError
 */
export function withoutNulls(json: Uint8Array): Buffer {
  const text = viewOf(json)
  const end = json.length
  const out = new RunWriter(json, text, end)
  /** The containers that are open around `at`: for an object whether a member is written, for an array undefined. */
  const outer: (boolean | undefined)[] = []
  let inObject = false
  let before = startOfText(json)
  let at = before
  out.resume(at)

  /** Walks a key that stands at `at` to its value; a null value is walked too, and left out. */
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
    // `at` is at a value, or in an object at a key or at its end.
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
    // Behind a value: close what ends here, and go to what comes next.
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
