import type { JoinPart, Rule } from './shape.ts'

/** Where v1 has an object: its path, and those of the row or record that it is in and of all rows and records around, innermost first. */
export interface V1Place {
  readonly here: string
  readonly rows: readonly string[]
}

/** The place of a record or row at a path; empty for the root. @param around the place of the object whose list the row is in. */
export const rowAt = (here: string, around?: V1Place): V1Place => ({ here, rows: [here, ...(around?.rows ?? [])] })

/** Joins the path of an object and that of a member of it. */
export const beneath = (place: string, path: string): string => (place === '' ? path : `${place}.${path}`)

/**
 * Returns the v1 path of a line of an object, from the root of the places.
 *
 * @example
 * v1PathOf('name', inRow(from('regionName')), { here: 'items[].region', rows: ['items[]'] })   // 'items[].regionName'
 */
export function v1PathOf(legacy: string, rule: Rule & { readonly kind: 'field' }, place: V1Place): string {
  return fromAnchor(rule.v1 ?? legacy, rule.anchor, place)
}

/** Returns the v1 path of a part of a joined text, from the root of the places. */
export const partPath = (part: Exclude<JoinPart, { readonly text: string }>, place: V1Place): string =>
  fromAnchor(part.path, part.anchor, place)

const fromAnchor = (path: string, anchor: number | undefined, { here, rows }: V1Place): string =>
  beneath(anchor === undefined ? here : (rows[anchor] ?? ''), path)

/** Returns the place of a line's object, or of a row of its list, which v1 has at `v1Path`. Undefined for any other line. */
export function placeWithin(rule: Rule, v1Path: string, place: V1Place): V1Place | undefined {
  if (rule.kind !== 'field') return undefined
  if (rule.value.kind === 'object') return { here: v1Path, rows: place.rows }
  return rule.value.kind === 'list' ? rowAt(`${v1Path}[]`, place) : undefined
}
