import { covers, moved, pathOf, type Segment, segmentsOf } from '../diff/path.ts'
import { type BodyLine, subjectOf } from './mapping-line.ts'

type Correspondence = Pick<BodyLine, 'legacy' | 'v1'>

/** Where the roots are when no line says so: docs/contract.md 8.1. */
const ROOTS: Readonly<Record<string, readonly Correspondence[]>> = {
  answer: [
    { legacy: '', v1: 'data' },
    { legacy: '[]', v1: 'items[]' },
    { legacy: 'data[]', v1: 'items[]' },
  ],
  error: [{ legacy: '', v1: '' }],
}

/**
 * Where in the v1 body a place of the legacy body comes from; null: from nowhere in it. A place that no line names comes
 * from where everything beneath it does (`[].rate` from `items[].rates`), else lies within the nearest one above it that is
 * named: objects whose members are not listed pass as they are.
 */
export function v1PathOf(lines: readonly BodyLine[], part: 'answer' | 'error', path: string): string | null {
  const exact = lines.find((line) => line.legacy === path)
  if (exact !== undefined) return exact.v1
  const beneath = lines.flatMap(({ legacy, v1 }) => (covers(path, legacy) && v1 !== null ? [v1] : []))
  if (beneath.length > 0) return commonPath(beneath, arraysIn(segmentsOf(path)))
  const roots = lines.some((line) => subjectOf(line) === 'envelope') ? [] : (ROOTS[part] ?? [])
  const above = nearest([...roots, ...lines], path)
  if (above === undefined) return path
  return above.v1 === null ? null : moved(path, above.legacy, above.v1)
}

/** Of those at or above a path the lowest one, and of several there the first. */
export function nearest<Line extends Correspondence & { readonly legacy: string }>(
  lines: readonly Line[],
  path: string,
): Line | undefined {
  return lines
    .filter(({ legacy }) => covers(legacy, path))
    .reduce<Line | undefined>(
      (best, line) => (best === undefined || line.legacy.length > best.legacy.length ? line : best),
      undefined,
    )
}

/** The lowest place above all of `paths`, in no more arrays than it may be in. */
function commonPath(paths: readonly string[], arrays: number): string {
  const [first = [], ...rest] = paths.map(segmentsOf)
  const differs = first.findIndex((segment, at) => rest.some((other) => at >= other.length || other[at] !== segment))
  const common = differs === -1 ? first : first.slice(0, differs)
  const inside = common.findIndex((segment, at) => segment === null && arraysIn(common.slice(0, at)) === arrays)
  return pathOf(inside === -1 ? common : common.slice(0, inside))
}

const arraysIn = (segments: readonly Segment[]): number => segments.filter((segment) => segment === null).length
