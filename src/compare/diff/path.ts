/**
 * Paths into a JSON body, from its root: `data[].priceTry`, `[].rate`, and `""` for the root itself. `[]` stands for every
 * item of an array. A member whose name could be taken for something else, because it is empty or holds a dot, a bracket,
 * a quote, white space or what cannot be seen, is written as a JSON string in brackets: `data["a.b"].c`. So every path
 * means one place, and every place has one path.
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

/** The segments of a path, outermost first. */
export function segmentsOf(path: string): readonly Segment[] {
  return Array.from(path.matchAll(SEGMENT), ([segment]) => {
    if (segment === '[]') return null
    return segment.startsWith('[') ? (JSON.parse(segment.slice(1, -1)) as string) : segment
  })
}

/** The path that has these segments. */
export function pathOf(segments: readonly Segment[]): string {
  return segments.reduce<string>((path, name) => (name === null ? itemsPath(path) : memberPath(path, name)), '')
}

/** Whether `path` is `above` or anything beneath it: `[].rate` covers `[].rate.x` and `[].rate[]`, not `[].rates`. */
export function covers(above: string, path: string): boolean {
  if (!path.startsWith(above)) return false
  const next = path[above.length]
  return above === '' || next === undefined || next === '.' || next === '['
}

/** `path`, which `from` covers, as it is called when `from` is called `to`. */
export function moved(path: string, from: string, to: string): string {
  const rest = path.slice(from.length)
  if (to === '') return rest.replace(/^\./, '')
  return from === '' && rest !== '' && !rest.startsWith('[') ? `${to}.${rest}` : `${to}${rest}`
}
