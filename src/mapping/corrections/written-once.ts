import { pathOf, type Segment } from '../../common/json-path.ts'
import type { Shape } from '../shape.ts'
import type { Context } from './place-lines.ts'

/** A line of a request, with its paths from the roots of the bodies. */
interface Target {
  readonly legacy: readonly Segment[]
  readonly v1: readonly Segment[]
  readonly isObject: boolean
  readonly isCorrected: boolean
}

/** Refuses lines of a request's body that write what another line writes too, or a part of it. Returns the shape. */
export function writtenOnce(shape: Shape, { refuse }: Context): Shape {
  const targets = targetsOf(shape, [], [], [[]])
  for (const [index, target] of targets.entries()) {
    const other = targets.find(
      (one, at) =>
        one !== target &&
        startsWith(target.v1, one.v1) &&
        (one.v1.length < target.v1.length || at < index) &&
        // What an object or a list holds is within it on both sides.
        !(startsWith(target.legacy, one.legacy) && (one.isObject || target.v1[one.v1.length] === null)),
    )
    if (other === undefined) continue
    for (const [line, second] of [[target, other] as const, [other, target] as const])
      if (line.isCorrected)
        refuse(
          pathOf(line.legacy),
          `to: ${pathOf(second.legacy)} fills v1's ${pathOf(second.v1)} too; drop one of them`,
        )
  }
  return shape
}

const startsWith = (path: readonly Segment[], start: readonly Segment[]): boolean =>
  start.every((name, at) => path[at] === name)

function targetsOf(
  { rules }: Shape,
  legacy: readonly Segment[],
  v1: readonly Segment[],
  rows: readonly (readonly Segment[])[],
): readonly Target[] {
  return Object.entries(rules).flatMap(([member, rule]) => {
    if (rule.kind !== 'field') return []
    const { value, anchor, basis } = rule
    const start = anchor === undefined ? v1 : (rows.at(-1 - anchor) ?? v1)
    const here = { legacy: [...legacy, ...member.split('.')], v1: [...start, ...(rule.v1 ?? member).split('.')] }
    const target = { ...here, isObject: value.kind === 'object', isCorrected: basis.kind === 'corrected' }
    if (value.kind === 'object') return [target, ...targetsOf(value.shape, here.legacy, here.v1, rows)]
    if (value.kind !== 'list') return [target]
    const items = [...here.v1, null]
    return [target, ...targetsOf(value.shape, [...here.legacy, null], items, [...rows, items])]
  })
}
