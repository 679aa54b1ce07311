import { hash } from 'node:crypto'
import type { Segment } from '../../../common/json-path.ts'
import { isObject, type JsonValue } from './json-value.ts'

export {
  covers,
  isWhole,
  itemsPath,
  memberPath,
  moved,
  pathOf,
  type Segment,
  segmentsOf,
} from '../../../common/json-path.ts'

/** Longer paths are cut; bytes. */
const MAX_BYTES = 512
const KEPT_BYTES = 480

/** Returns a path as it is kept and shown: a long one is cut, and a hash tells it from others with the same beginning. */
export function boundedPath(path: string): string {
  if (path.length * 3 <= MAX_BYTES || Buffer.byteLength(path) <= MAX_BYTES) return path
  const start = Buffer.from(path)
    .subarray(0, KEPT_BYTES)
    .toString()
    .replace(/\ufffd+$/, '')
  return `${start}…#${hash('sha256', path, 'hex').slice(0, 8)}`
}

const CUT = /…#[0-9a-f]{8}$/

/** Whether a path may have been cut, so that the names at its end are unknown. */
export const isCut = (path: string): boolean => CUT.test(path)

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
