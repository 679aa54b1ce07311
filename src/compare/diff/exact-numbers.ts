import { scanValue, viewOf } from '../../engine/json/scan-json.ts'
import { startOfText, stringAt, textOf, typeAt, walkItems, walkMembers } from '../../engine/json/walk-json.ts'
import { decimalOf, ExactNumber } from './decimal.ts'
import type { JsonValue } from './json-value.ts'

/** The values of a parsed object or array, by name or index. */
type Parsed = Record<string | number, JsonValue>

/**
 * Replaces each number of a parsed body that a double cannot fully represent by an exact one. A reviver would do the same, but
 * takes several times as long.
 * @param json the body, which `JSON.parse` accepted. @param parsed the result of `JSON.parse`; it is changed in place.
 */
export function withExactNumbers(json: Uint8Array, parsed: JsonValue): JsonValue {
  const text = viewOf(json)
  const end = json.length
  /** Walks the value at `at`, which is parsed as `holder[key]`. If a member is repeated, the last one is walked last, so it decides. */
  const walk = (at: number, holder: Parsed, key: string | number): number => {
    const value = Object.hasOwn(holder, key) ? holder[key] : undefined
    const type = typeAt(json, at)
    const inner = typeof value === 'object' && value !== null && !(value instanceof ExactNumber) ? value : NOTHING
    if (type === 'object') {
      const members = Array.isArray(inner) ? NOTHING : (inner as Parsed)
      return walkMembers(text, at, end, (keyAt, keyEnd, valueAt) =>
        typeAt(json, valueAt) === 'string'
          ? scanValue(text, valueAt, end)
          : walk(valueAt, members, stringAt(json, keyAt, keyEnd)),
      )
    }
    if (type === 'array') {
      const items = Array.isArray(inner) ? (inner as unknown as Parsed) : NOTHING
      return walkItems(text, at, end, (itemAt, index) => walk(itemAt, items, index))
    }
    const valueEnd = scanValue(text, at, end)
    if (type === 'number' && (typeof value === 'number' || value instanceof ExactNumber)) {
      const number = decimalOf(textOf(json, at, valueEnd))
      if (number !== value) holder[key] = number
    }
    return valueEnd
  }
  const root: Parsed = { value: parsed }
  walk(startOfText(json), root, 'value')
  return root.value as JsonValue
}

/** Holds the values that a repeated member hides. */
const NOTHING: Parsed = Object.freeze({})
