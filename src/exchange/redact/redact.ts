import { scanValue, viewOf } from '../../engine/json/scan-json.ts'
import { endOfText, NO_KEY, startOfText, typeAt, walkTree } from '../../engine/json/walk-json.ts'
import { RunWriter } from '../../engine/rewrite/byte-writer.ts'
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
  const { length } = json
  const out = new RunWriter(json, text, length)
  /** The number of containers around the value. */
  let depth = 0
  /** With more containers than this around it, every value is personal. */
  let personalDepth = Number.POSITIVE_INFINITY
  out.resume(0)
  const end = walkTree(text, startOfText(json), length, {
    value(at, keyAt, keyEnd) {
      const reason =
        (keyAt === NO_KEY ? undefined : names.at(json, keyAt, keyEnd)) ??
        (depth > personalDepth ? 'personal' : undefined)
      const type = typeAt(json, at)
      if ((type === 'object' || type === 'array') && reason !== 'secret') {
        if (reason === 'personal') personalDepth = Math.min(personalDepth, depth)
        depth++
        return undefined
      }
      if (reason === undefined) return undefined
      const valueEnd = scanValue(text, at, length)
      const replacement = replace(reason, json, at, valueEnd)
      if (replacement !== undefined) {
        out.cut(at)
        out.append(replacement)
        out.resume(valueEnd)
      }
      return valueEnd
    },
    close() {
      depth--
      if (depth <= personalDepth) personalDepth = Number.POSITIVE_INFINITY
    },
  })
  endOfText(json, end)
  out.cut(length)
  return out.finish()
}
