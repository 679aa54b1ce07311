/** What the comparison needs to know of a line of a mapping; the lines that explain an operation are such lines. */
export interface MappingLine {
  /** Of a body of a success (`answer`) or an error (`error`); lines of other parts say nothing of an answer. */
  readonly part: string
  /** From the root of the legacy body, `""` being the root; null: legacy does not have it. */
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
 * What a line is about. A `field`: a member with its value. The `envelope`: where a body, or an array in it, comes from. The
 * `others`: those members of an object that no line lists.
 */
export type Subject = 'field' | 'envelope' | 'others'

const OTHERS = new Set(['left out', 'passed on'])

export function subjectOf({ change }: MappingLine): Subject {
  if (change === 'envelope') return 'envelope'
  return OTHERS.has(change) ? 'others' : 'field'
}

/** The lines about places in the legacy bodies of a part; statuses are not places. */
export function bodyLinesOf(lines: readonly MappingLine[], part: string): readonly BodyLine[] {
  return lines.filter(
    (line): line is BodyLine => line.part === part && line.legacy !== null && line.change !== 'status',
  )
}
