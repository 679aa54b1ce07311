import type { IgnoreRule } from './ignore-rule.ts'
import { similarTo } from './similar.ts'

/** A place in a legacy answer, with indices as `[]`. */
export interface Place {
  readonly path: string
  /** Whether an object stands there whose members are all known. */
  readonly isClosed: boolean
}

/** Returns the places in the answers of an operation that its mapping knows. */
export type PlacesOf = (operation: string) => readonly Place[]

/**
 * Finds a path that an ignore rule mistypes: no member of an object whose members are all known, and similar to one that is. Another
 * unknown member is no mistake, since the legacy service may have members that no mapping knows.
 */
export function unknownMember(
  { operation, path, kind }: IgnoreRule,
  index: number,
  ids: readonly string[],
  placesOf: PlacesOf,
): readonly string[] {
  if (path === '' || kind === 'header') return []
  const places = ids.filter((id) => operation === '*' || operation === id).flatMap(placesOf)
  const known = [...new Set(places.map((place) => place.path))]
  if (known.some((place) => place === path || place.startsWith(`${path}.`) || place.startsWith(`${path}[`))) return []
  const parent = path.slice(0, Math.max(path.lastIndexOf('.'), 0))
  if (!places.some((place) => place.isClosed && place.path === parent)) return []
  const within = parent === '' ? 0 : parent.length + 1
  const siblings = known.filter((place) => place.startsWith(path.slice(0, within)))
  const similar = similarTo(
    path.slice(within),
    siblings.map((place) => place.slice(within)),
  )
  if (similar.length === 0) return []
  const names = similar.map((name) => path.slice(0, within) + name)
  return [`ignore.${index}.path: no member ${path}; similar: ${names.join(', ')}`]
}
