import { scanValue, viewOf } from '../json/scan-json.ts'
import { endOfText, NO_KEY, startOfText, typeAt, walkTree } from '../json/walk-json.ts'
import { RunWriter } from './run-writer.ts'

/**
 * Copies a JSON text without the members that are null, at any depth. Null items of arrays stay.
 * @throws JsonError
 */
export function withoutNulls(json: Uint8Array): Buffer {
  const text = viewOf(json)
  const out = new RunWriter(json, text, json.length)
  /** For each container around the value: whether the one around it has a member. */
  const outer: boolean[] = []
  const start = startOfText(json)
  out.resume(start)
  const end = walkTree(text, start, json.length, {
    value(at, keyAt, _keyEnd, before) {
      const type = typeAt(json, at)
      if (keyAt !== NO_KEY) {
        if (type === 'null') {
          out.cut(before)
          return scanValue(text, at, json.length)
        }
        out.keepMember(keyAt)
      }
      if (type === 'object' || type === 'array') {
        outer.push(out.hasMember)
        out.hasMember = false
      }
      return undefined
    },
    close(at) {
      out.resume(at)
      out.hasMember = outer.pop() ?? false
    },
  })
  out.cut(end)
  endOfText(json, end)
  return out.finish()
}
