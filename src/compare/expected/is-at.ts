import { isObject, type JsonValue } from '../diff/json-value.ts'
import type { Segment } from '../diff/path.ts'

/** Whether any value at this path, in any item of the arrays on the way, passes `test`. */
export function isAt(value: JsonValue, path: readonly Segment[], test: (value: JsonValue) => boolean): boolean {
  const [segment, ...rest] = path
  if (segment === undefined) return test(value)
  if (segment === null) return Array.isArray(value) && value.some((item: JsonValue) => isAt(item, rest, test))
  return isObject(value) && Object.hasOwn(value, segment) && isAt(value[segment] ?? null, rest, test)
}
