import { hash } from 'node:crypto'
import { isObject, type JsonValue } from './json-value.ts'

/**
 * Paths into a JSON body, from its root: `data[].priceTry`, `[].rate`, and `""` for the root itself. `[]` stands for every
 * item of an array. A member name that is empty or holds a dot, a bracket, a quote, white space or an invisible character
 * is written as a JSON string in brackets: `data["a.b"].c`. So each path means one place, and each place has one path.
 */

/** A member's name; null: the items of an array. */
export type Segment = string | null

const PLAIN_NAME = /^[^.[\]"\s\p{C}]+$/u
const SEGMENT = /\[\]|\["(?:[^"\\]|\\.)*"\]|[^.[]+/g

export function memberPath(path: string, name: string): string {
  if (!PLAIN_NAME.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}

export const itemsPath = (path: string): string => `${path}[]`

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

/** Splits a path into segments, outermost first. */
export function segmentsOf(path: string): readonly Segment[] {
  return Array.from(path.matchAll(SEGMENT), ([segment]) => {
    if (segment === '[]') return null
    return segment.startsWith('[') ? (JSON.parse(segment.slice(1, -1)) as string) : segment
  })
}

/** Joins segments into a path. */
export function pathOf(segments: readonly Segment[]): string {
  return segments.reduce<string>((path, name) => (name === null ? itemsPath(path) : memberPath(path, name)), '')
}

/** Whether `path` is `above` or anything beneath it: `[].rate` covers `[].rate.x` and `[].rate[]`, not `[].rates`. */
export function covers(above: string, path: string): boolean {
  return path.startsWith(above) && isWhole(path, above.length)
}

/** Whether the first `end` characters of a path name a place, rather than a part of a name: such a place covers the path. */
export function isWhole(path: string, end: number): boolean {
  const next = path[end]
  return end === 0 || next === undefined || next === '.' || next === '['
}

/** Replaces the prefix `from` of `path` with `to`. `from` must cover `path`. */
export function moved(path: string, from: string, to: string): string {
  const rest = path.slice(from.length)
  if (to === '') return rest.replace(/^\./, '')
  return from === '' && rest !== '' && !rest.startsWith('[') ? `${to}.${rest}` : `${to}${rest}`
}

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
