import type { Conversion } from '../../mapping/converter.ts'
import type { Piece } from '../../mapping/piece.ts'
import type { ContextSource, Promised, Rule } from '../../mapping/shape.ts'
import type { Key } from './key.ts'
import type { TimestampInPlace } from './timestamp-in-place.ts'

/**
 * A shape compiled for one direction: what to do with each member of the source. The source is the text that is read
 * (v1's answer or the legacy request), the target the text that is written.
 */
export interface ObjectPlan {
  /** The shape's name, for messages. */
  readonly name: string
  readonly members: readonly MemberPlan[]
  readonly byName: ReadonlyMap<string, MemberPlan>
  /** The member that came first in the last text. See `next` of a member. */
  first: MemberPlan | undefined
  readonly unknown: 'copy' | 'drop'
  /** Members of the target that are written at the end of the object. */
  readonly late: readonly LatePlan[]
  /** How many positions of values the rewriter remembers for `late`. */
  readonly slots: number
  /** The bits of all promised members. */
  readonly promised: number
}

export interface MemberPlan {
  readonly name: string
  readonly key: Key
  /**
   * The member that last followed this one. Texts from one source keep their order, so comparing with the expected key
   * usually saves the look-up. It changes with every text read, but never affects what is written.
   */
  next: MemberPlan | undefined
  /** Its line in the shape. Undefined if the name is only reserved for the target. */
  readonly rule: Rule | undefined
  readonly action: Action
  readonly value: ValuePlan
  /** Whether it is copied unchanged: nothing to rename, convert, check or remember. */
  readonly isPlain: boolean
  readonly promised: Promised | undefined
  /** One bit if `promised` is set, else 0. */
  readonly promisedBit: number
  /** The slot for the value's position. -1 if it is not remembered. */
  readonly slot: number
}

export type Action =
  /** Same name in the target. */
  | { readonly do: 'keep' }
  | MovePlan
  /** Lifts mapped members into the parent. Unknown members stay in the object. */
  | { readonly do: 'lift'; readonly inner: ObjectPlan }
  /** Written later, from its slot. */
  | { readonly do: 'gather' }
  | { readonly do: 'drop' }

/** Writes `open` in place of the key and its colon, and `close` after the value. */
export interface MovePlan {
  readonly do: 'move'
  readonly open: Piece
  readonly close: Piece | undefined
}

export type ValuePlan =
  | { readonly kind: 'copy' }
  | { readonly kind: 'convert'; readonly conversion: Conversion }
  | { readonly kind: 'timestamp'; readonly inPlace: TimestampInPlace }
  | { readonly kind: 'object'; readonly plan: ObjectPlan }
  | { readonly kind: 'list'; readonly plan: ObjectPlan; readonly counted: boolean }

/** A member of the target that is written at the end of its object. `key` is its name in quotes, with its colon. */
export type LatePlan = { readonly key: Piece } & (
  | /** An object gathered from members in several places. Left out if none of them came. */ {
      readonly kind: 'gathered'
      readonly members: readonly LatePlan[]
    }
  | /** A value of the source, at the position in its slot. */ {
      readonly kind: 'remembered'
      readonly slot: number
      readonly value: ValuePlan
    }
  | /** A value that the record does not have: from the context, or null. `slot` is that of the sibling it is looked up by. */ {
      readonly kind: 'added'
      readonly rule: Rule
      readonly source: ContextSource | undefined
      readonly conversion: Conversion | undefined
      readonly slot: number
    }
)

/** The direction in which a shape is read. */
export type Direction = 'toLegacy' | 'toV1'
