import type { Where } from '../diff/difference.ts'
import { isObject, type JsonValue } from '../diff/json-value.ts'
import { memberPath, type Segment, segmentsOf } from '../diff/path.ts'
import type { LinesAbout } from './lines-about.ts'
import { type BodyLine, subjectOf } from './mapping-line.ts'

/** A line of a mapping that we decided: answers confirm or refute it. */
export interface Assumption {
  readonly part: 'answer' | 'error'
  readonly line: BodyLine
  /** Whether the control's body has what the line is about, and not as null, which would prove nothing. */
  isIn(control: JsonValue): boolean
  /** Whether a difference says that the line is wrong, if it counts. */
  isRefutedBy(difference: Where): boolean
}

/** What a line that is assumed says of a body. */
export function assumptionOf(part: 'answer' | 'error', line: BodyLine, lines: LinesAbout): Assumption {
  const segments = segmentsOf(line.legacy)
  const isUnlisted = (name: string): boolean => lines.at(memberPath(line.legacy, name)).includes(line)
  const isThere = (value: JsonValue): boolean =>
    subjectOf(line) === 'others'
      ? isObject(value) && Object.keys(value).some((name) => value[name] !== null && isUnlisted(name))
      : value !== null
  return {
    part,
    line,
    isIn: (control) => isAt(control, segments, isThere),
    isRefutedBy: ({ part: there, kind, path }) =>
      there === part &&
      // That the place of a list is assumed does not say how many items it has, which ones, or in which order.
      (!lines.isContainer(line) || (path === line.legacy && kind !== 'order' && kind !== 'length')) &&
      lines.at(path).includes(line),
  }
}

/** Whether a value at this path, in any item of the arrays on the way, is as `isRight` says. */
function isAt(value: JsonValue, path: readonly Segment[], isRight: (value: JsonValue) => boolean): boolean {
  const [segment, ...rest] = path
  if (segment === undefined) return isRight(value)
  if (segment === null) return Array.isArray(value) && value.some((item: JsonValue) => isAt(item, rest, isRight))
  return isObject(value) && Object.hasOwn(value, segment) && isAt(value[segment] ?? null, rest, isRight)
}
