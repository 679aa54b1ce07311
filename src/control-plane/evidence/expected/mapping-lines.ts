import type { LineBasis } from '../../../common/line-basis.ts'
import type { Where } from '../diff/difference.ts'
import { isObject, type JsonValue } from '../diff/json-value.ts'
import { covers, isAt, itemsPath, memberPath, moved, pathOf, type Segment, segmentsOf } from '../diff/path.ts'

/** The parts of a mapping line that the comparison needs; the lines that explain an operation fit this type. */
export interface MappingLine extends LineBasis {
  /** `answer`: the body of a success; `error`: the body of an error. Lines of other parts do not describe answers. */
  readonly part: string
  /** From the root of the legacy body, which is `""`; null: legacy does not have it. */
  readonly legacy: string | null
  /** From the root of the v1 body; null: v1 does not have it. */
  readonly v1: string | null
  readonly change: string
}

/** A line about a place in a legacy body. */
export interface BodyLine extends MappingLine {
  readonly legacy: string
}

/**
 * The subject of a line. `field`: a member with its value. `envelope`: where a body, or an array in it, comes from.
 * `others`: the members of an object that no line lists.
 */
type Subject = 'field' | 'envelope' | 'others'

const OTHERS = new Set(['left out', 'passed on'])

export function subjectOf({ change }: MappingLine): Subject {
  if (change === 'envelope') return 'envelope'
  return OTHERS.has(change) ? 'others' : 'field'
}

/** Selects the lines about places in the legacy body of a part; a status is not a place. */
export function bodyLinesOf(lines: readonly MappingLine[], part: string): readonly BodyLine[] {
  return lines.filter(
    (line): line is BodyLine => line.part === part && line.legacy !== null && line.change !== 'status',
  )
}

/** Finds the line with the lowest legacy path at or above `path`; if several have it, the first. */
function nearest<Line extends { readonly legacy: string }>(lines: readonly Line[], path: string): Line | undefined {
  return lines
    .filter(({ legacy }) => covers(legacy, path))
    .reduce<Line | undefined>(
      (best, line) => (best === undefined || line.legacy.length > best.legacy.length ? line : best),
      undefined,
    )
}

/** The mapping lines about one body, looked up by place. */
interface LinesAbout {
  /**
   * Returns the lines that a place falls under: the line of its own field, or of the field that holds it; else the lines of the
   * fields beneath it; else the line about unlisted members, or about the body. An item falls under the same lines as its array.
   */
  at(path: string): readonly BodyLine[]
  /** Whether other fields are listed within this one; then the line says where the object is, not what is in it. */
  isContainer(line: BodyLine): boolean
}

export function linesAbout(lines: readonly BodyLine[]): LinesAbout {
  const fields = lines.filter((line) => subjectOf(line) === 'field')
  const containers = new Set(
    fields.filter((line) => fields.some(({ legacy }) => legacy !== line.legacy && covers(line.legacy, legacy))),
  )
  const leaves = fields.filter((line) => !containers.has(line))
  const envelopes = lines.filter((line) => subjectOf(line) === 'envelope')
  // At the same place, a line about an object's unlisted members says more than its envelope.
  const wholes = [...lines.filter((line) => subjectOf(line) === 'others'), ...envelopes]
  const at = remembered((path: string): readonly BodyLine[] => {
    const isHere = ({ legacy }: BodyLine): boolean => legacy === path
    const line = fields.find(isHere) ?? envelopes.find(isHere) ?? nearest(leaves, path)
    if (line !== undefined) return [line]
    // A missing item says nothing about its members: it concerns the array.
    if (path.endsWith(ITEMS)) return at(path.slice(0, -ITEMS.length))
    const beneath = path === '' ? [] : fields.filter(({ legacy }) => covers(path, legacy))
    if (beneath.length > 0) return beneath
    const around = nearest(
      wholes.filter((line) => !isHere(line)),
      path,
    )
    return around === undefined ? [] : [around]
  })
  return { at, isContainer: (line) => containers.has(line) }
}

const ITEMS = itemsPath('')

/** The most paths that are remembered, enough for the classes that are kept per operation, and the longest of them. */
const MOST = 2_000
const LONGEST = 200

/** Remembers the results of `find` by path. Memory is bounded, because paths come from the services' answers. */
function remembered<T>(find: (path: string) => T): (path: string) => T {
  const results = new Map<string, T>()
  return (path) => {
    const before = results.get(path)
    if (before !== undefined) return before
    const result = find(path)
    if (path.length > LONGEST) return result
    if (results.size >= MOST) results.clear()
    results.set(path, result)
    return result
  }
}

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

/** An assumed mapping line, which answers confirm or refute. */
export interface Assumption {
  readonly part: 'answer' | 'error'
  readonly line: BodyLine
  /** Whether the control's body has the value that the line describes; null does not count, because it would prove nothing. */
  isIn(control: JsonValue): boolean
  /** Whether a difference, if it counts, refutes the line. */
  isRefutedBy(difference: Where): boolean
}

/** Returns the assumption that an assumed line makes. */
export function assumptionOf(part: 'answer' | 'error', line: BodyLine, lines: LinesAbout): Assumption {
  const segments = segmentsOf(line.legacy)
  const isUnlisted = (name: string): boolean => lines.at(memberPath(line.legacy, name)).includes(line)
  const hasSubject = (value: JsonValue): boolean =>
    subjectOf(line) === 'others'
      ? isObject(value) && Object.keys(value).some((name) => value[name] !== null && isUnlisted(name))
      : value !== null
  return {
    part,
    line,
    isIn: (control) => isAt(control, segments, hasSubject),
    isRefutedBy: (difference) =>
      difference.part === part &&
      // A line about a container only assumes its place, not the number, identity or order of its items.
      (!lines.isContainer(line) || isOfItself(difference, line)) &&
      lines.at(difference.path).includes(line),
  }
}

const isOfItself = ({ kind, path }: Where, { legacy }: BodyLine): boolean =>
  path === legacy && kind !== 'order' && kind !== 'length'
