import { covers, itemsPath } from '../diff/path.ts'
import { remembered } from './remembered.ts'

/** The parts of a mapping line that the comparison needs; the lines that explain an operation fit this type. */
export interface MappingLine {
  /** `answer`: the body of a success; `error`: the body of an error. Lines of other parts do not describe answers. */
  readonly part: string
  /** From the root of the legacy body, which is `""`; null: legacy does not have it. */
  readonly legacy: string | null
  /** From the root of the v1 body; null: v1 does not have it. */
  readonly v1: string | null
  readonly change: string
  readonly basis: 'documented' | 'assumed' | 'lost'
  readonly reason: string | null
}

/** A line about a place in a legacy body. */
export interface BodyLine extends MappingLine {
  readonly legacy: string
}

/**
 * The subject of a line. `field`: a member with its value. `envelope`: where a body, or an array in it, comes from.
 * `others`: the members of an object that no line lists.
 */
export type Subject = 'field' | 'envelope' | 'others'

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
export function nearest<Line extends { readonly legacy: string }>(
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

/** The mapping lines about one body, looked up by place. */
export interface LinesAbout {
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
    const one = fields.find(isHere) ?? envelopes.find(isHere) ?? nearest(leaves, path)
    if (one !== undefined) return [one]
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
