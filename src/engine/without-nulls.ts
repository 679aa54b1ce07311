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
} from './json-scan.ts'
import { endOfText, startOfText, typeAt } from './json-walk.ts'
import { RunWriter } from './run-writer.ts'

/**
 * A copy of a JSON text without the members that are null, at any depth. Items of arrays keep their places, null or not.
 * @throws JsonError
 */
export function withoutNulls(json: Uint8Array): Buffer {
  const out = new RunWriter(json, json.length)
  /** The containers that are open around `at`: for an object whether a member is written, for an array undefined. */
  const outer: (boolean | undefined)[] = []
  let inObject = false
  let before = startOfText(json)
  let at = before
  out.resume(at)

  /** Walks a key that stands at `at` to its value; a null value is walked too, and left out. */
  const member = (): boolean => {
    if (json[at] !== QUOTE) throw new JsonError(at)
    const valueAt = skipColon(json, skipString(json, at))
    const isNull = typeAt(json, valueAt) === 'null'
    if (isNull) out.cut(before)
    else out.keepMember(at)
    at = isNull ? skipValue(json, valueAt) : valueAt
    return !isNull
  }

  const enter = (): void => {
    outer.push(inObject ? out.hasMember : undefined)
    inObject = json[at] === OPEN_OBJECT
    out.hasMember = false
    before = at + 1
    at = skipSpace(json, before)
  }

  const leave = (): void => {
    if (json[at] !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) throw new JsonError(at)
    out.resume(at)
    at++
    const hadMember = outer.pop()
    inObject = hadMember !== undefined
    out.hasMember = hadMember ?? false
  }

  for (;;) {
    // `at` is at a value, or in an object at a key or at its end.
    let isDone = false
    if (json[at] === OPEN_OBJECT || json[at] === OPEN_ARRAY) {
      enter()
      if (json[at] === (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        leave()
        isDone = true
      }
    } else {
      at = skipValue(json, at)
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
        at = skipSpace(json, at)
        if (json[at] !== COMMA) {
          leave()
          continue
        }
        at = skipSpace(json, at + 1)
      }
      isDone = inObject && !member()
      if (!isDone) break
    }
  }
}
