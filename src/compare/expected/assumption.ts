import type { Where } from '../diff/difference.ts'
import { isObject, type JsonValue } from '../diff/json-value.ts'
import { memberPath, segmentsOf } from '../diff/path.ts'
import { isAt } from './is-at.ts'
import { type BodyLine, type LinesAbout, subjectOf } from './mapping-lines.ts'

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
