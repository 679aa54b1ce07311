import type { Conversion } from '../../mapping/converter.ts'
import type { FilledSource, Promised, Rule } from '../../mapping/shape.ts'
import type { Key } from './key.ts'
import type { ValuePlan } from './rewrite-plan.ts'
import type { Piece } from './run-writer.ts'

/**
 * A record, or a row of a list, with all objects within it, compiled for one direction: for shapes whose lines reach beyond their
 * own object, or read one member several times. The source is indexed first; then the target is written member by member.
 */
export interface ComposedPlan {
  readonly source: SourceNode
  readonly target: TargetPlan
  readonly promises: readonly PromisePlan[]
  /** Lines without a target, for the trace. */
  readonly sourceOnly: readonly { readonly rule: Rule; readonly source: SourceNode }[]
}

/** A member of the source that lines lead to, and where the text being read has it. The root is the record or row. */
export interface SourceNode {
  readonly name: string
  readonly key: Key
  readonly children: SourceNode[]
  /** The first item, if the value is a list. */
  item: SourceNode | undefined
  /** The children that have children or an item. */
  inner: readonly SourceNode[]
  /** Why it is not passed on under its own name: a line takes it, or it is left out, because only v1 has it. Undefined: it is. */
  consumed: 'taken' | 'left out' | undefined
  /** Whether something within it is consumed. */
  isPartlyConsumed: boolean
  /** Whether a line takes something within it. Then it is not passed on once nothing is left in it. */
  isTakenApart: boolean
  /** What happens to members that no node names. */
  others: 'passed on' | 'left out' | 'ignored'
  /** The child that came first in the last text. */
  first: SourceNode | undefined
  /** The sibling that last followed this one. It only saves look-ups, as in `MemberPlan`. */
  next: SourceNode | undefined
  /** Where the key starts. NOT_THERE if it has none of its own, as the members of a null. */
  keyAt: number
  /** Where the value starts and ends. `start` is NOT_THERE if there is none. */
  start: number
  end: number
  /** Start of the key and end of the value of each member that no node names. */
  readonly unlisted: number[]
}

export const NOT_THERE = -1

/** A member of the target: the first of `values` that the source gives; else an object of `members`. */
export interface TargetPlan {
  readonly key: Piece
  /** The line, if the member is a copy of one that has the same name, key included. */
  readonly copied: { readonly rule: Rule; readonly source: SourceNode } | undefined
  readonly values: readonly TargetValue[]
  readonly members: readonly TargetPlan[]
  /** The objects of the source that become this object. The first that exists counts. */
  readonly pairs: readonly PairPlan[]
  /**
   * The nodes by which an object exists though none of its pairs is an object: those outside of them. Of each list, all must have
   * a value.
   */
  readonly outside: readonly (readonly SourceNode[])[]
  /** The nodes within its pairs whose values go elsewhere: an object that only they leave empty is not written. */
  readonly movedAway: readonly SourceNode[]
}

/** An object of the source, and whether its unlisted members pass. */
export interface PairPlan {
  readonly source: SourceNode
  readonly rule: Rule | undefined
  readonly isOpen: boolean
  /** Members of the source that are not passed on, because the target has others of their names. */
  readonly withheld: ReadonlySet<SourceNode>
  readonly absent: 'null' | 'missing' | undefined
}

export type TargetValue =
  | {
      readonly kind: 'taken'
      readonly rule: Rule
      readonly source: SourceNode
      readonly value: ValuePlan
      readonly absent: 'null' | 'missing' | undefined
    }
  /** Filled from the context, or null. */
  | {
      readonly kind: 'filled'
      readonly rule: Rule
      readonly from: FilledSource | undefined
      readonly conversion: Conversion | undefined
      readonly sibling: SourceNode | undefined
    }
  | { readonly kind: 'constant'; readonly rule: Rule; readonly json: Piece }
  /** A text put together from values, and from texts as they stand between the quotes of a JSON string. */
  | { readonly kind: 'joined'; readonly rule: Rule; readonly parts: readonly (SourceNode | Piece)[] }

export interface PromisePlan {
  readonly source: SourceNode
  readonly promised: Promised
  /** The promise holds only if this is an object; undefined: always. */
  readonly within: SourceNode | undefined
  /** The shape, and the member's path in it. */
  readonly shape: string
  readonly path: string
}
