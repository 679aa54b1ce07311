import { segmentsOf } from '../diff/path.ts'

/** Returns how alike the last names of two paths are, 0 to 1; the name around it counts a little. */
export function nearness(legacy: string, v1: string): number {
  const [inner, outer] = namesOf(legacy)
  const [otherInner, otherOuter] = namesOf(v1)
  return likeness(inner, otherInner) + likeness(`${outer}${inner}`, `${otherOuter}${otherInner}`) / 10
}

function namesOf(path: string): readonly [inner: string, outer: string] {
  const names = segmentsOf(path).flatMap((name) => (name === null ? [] : [name.toLowerCase()]))
  return [names.at(-1) ?? '', names.at(-2) ?? '']
}

/** Returns the share of pairs of letters that two names have in common (Dice, 1945). */
function likeness(one: string, other: string): number {
  if (one === other) return 1
  const [pairs, others] = [pairsIn(one), pairsIn(other)]
  const common = [...pairs].filter((pair) => others.has(pair)).length
  return pairs.size + others.size === 0 ? 0 : (2 * common) / (pairs.size + others.size)
}

const pairsIn = (name: string): ReadonlySet<string> =>
  new Set(Array.from({ length: Math.max(0, name.length - 1) }, (_, at) => name.slice(at, at + 2)))
