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
