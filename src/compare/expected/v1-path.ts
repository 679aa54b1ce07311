import type { Where } from '../diff/difference.ts'
import { covers, itemsPath, moved, pathOf, type Segment, segmentsOf } from '../diff/path.ts'
import { type BodyLine, nearest, subjectOf } from './mapping-lines.ts'

const ITEMS = itemsPath('')

type Correspondence = Pick<BodyLine, 'legacy' | 'v1'>

/** Where v1 has the roots of legacy bodies if no line says so: docs/contract.md 8.1. */
const ROOTS: Readonly<Record<string, readonly Correspondence[]>> = {
  answer: [
    { legacy: '', v1: 'data' },
    { legacy: '[]', v1: 'items[]' },
    { legacy: 'data[]', v1: 'items[]' },
  ],
  error: [{ legacy: '', v1: '' }],
}

/**
 * Returns the place in the v1 body that a place of the legacy body comes from; null: v1 has none. A place without a line
 * comes from where all lines beneath it come from (`[].rate` from `items[].rates`). Without lines beneath, it lies within
 * the nearest place above that has a line, because objects whose members are not listed pass unchanged. A member without any line
 * that only legacy has is not in v1: otherwise it would have passed.
 */
export function v1PathOf(
  lines: readonly BodyLine[],
  { part, kind, path }: Pick<Where, 'kind' | 'path'> & { readonly part: 'answer' | 'error' },
): string | null {
  const exact = lines.find((line) => line.legacy === path)
  if (exact !== undefined) return exact.v1
  const beneath = lines.flatMap(({ legacy, v1 }) => (covers(path, legacy) && v1 !== null ? [v1] : []))
  if (beneath.length > 0) return commonPath(beneath, arraysIn(segmentsOf(path)))
  if (kind === 'missing' && path !== '' && !path.endsWith(ITEMS)) return null
  const roots = lines.some((line) => subjectOf(line) === 'envelope') ? [] : (ROOTS[part] ?? [])
  const above = nearest<Correspondence>([...roots, ...lines], path)
  if (above === undefined) return path
  return above.v1 === null ? null : moved(path, above.legacy, above.v1)
}

/** Returns the lowest place above all `paths` that lies within at most this many arrays. */
function commonPath(paths: readonly string[], arrays: number): string {
  const [first = [], ...rest] = paths.map(segmentsOf)
  const differs = first.findIndex((segment, at) => rest.some((other) => at >= other.length || other[at] !== segment))
  const common = differs === -1 ? first : first.slice(0, differs)
  const inside = common.findIndex((segment, at) => segment === null && arraysIn(common.slice(0, at)) === arrays)
  return pathOf(inside === -1 ? common : common.slice(0, inside))
}

const arraysIn = (segments: readonly Segment[]): number => segments.filter((segment) => segment === null).length
