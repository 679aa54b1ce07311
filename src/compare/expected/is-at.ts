import { isObject, type JsonValue } from '../diff/json-value.ts'
import type { Segment } from '../diff/path.ts'

/**
 * Whether any value at this path passes `test`. Looks into every item of the arrays along the path.
 * @param from the index of the first segment that is left to follow.
 */
export function isAt(
  value: JsonValue,
  path: readonly Segment[],
  test: (value: JsonValue) => boolean,
  from = 0,
): boolean {
  const segment = path[from]
  if (segment === undefined) return test(value)
  if (segment === null) {
    return Array.isArray(value) && value.some((item: JsonValue) => isAt(item, path, test, from + 1))
  }
  return isObject(value) && Object.hasOwn(value, segment) && isAt(value[segment] ?? null, path, test, from + 1)
}
