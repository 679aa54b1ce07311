import type { Conversion } from '../../mapping/converter.ts'
import type { Piece } from '../../mapping/piece.ts'
import type { ContextSource, Promised, Rule } from '../../mapping/shape.ts'
import type { Key } from './key.ts'
import type { TimestampInPlace } from './timestamp-in-place.ts'

/**
 * A shape compiled for one direction: what to do with each member of the source. The source is what is read (v1's answer,
 * or the legacy request), the target what is written.
 */
export interface ObjectPlan {
  /** The shape's name, for messages. */
  readonly name: string
  readonly members: readonly MemberPlan[]
  readonly byName: ReadonlyMap<string, MemberPlan>
  /** Which member was last seen first, as `next` of a member. */
  first: MemberPlan | undefined
  readonly unknown: 'copy' | 'drop'
  /** Members of the target that are written at the end. */
  readonly late: readonly LatePlan[]
  /** How many positions of values the walker has to remember for `late`. */
  readonly slots: number
  /** The bits of all members that must be there. */
  readonly promised: number
}

export interface MemberPlan {
  readonly name: string
  readonly key: Key
  /**
   * Which member was last seen behind this one. Texts of one source keep their order, so that a comparison with the key
   * expected there spares the look-up. It changes as texts are read, and never what is written.
   */
  next: MemberPlan | undefined
  /** The line that it comes from; undefined where a name is only kept free for the target. */
  readonly rule: Rule | undefined
  readonly action: Action
  readonly value: ValuePlan
  /** Kept, copied, not remembered: there is nothing to do about it. */
  readonly isPlain: boolean
  readonly promised: Promised | undefined
  /** One bit where `promised` is set, else 0. */
  readonly promisedBit: number
  /** Where the value's position is remembered; -1: nowhere. */
  readonly slot: number
}

export type Action =
  /** Same name in the target. */
  | { readonly do: 'keep' }
  | MovePlan
  /** An object whose members go into the object around it; what it does not know stays behind in it. */
  | { readonly do: 'lift'; readonly inner: ObjectPlan }
  /** Written later, from its slot. */
  | { readonly do: 'gather' }
  | { readonly do: 'drop' }

/** `open` is written in place of the key and its colon, `close` behind the value. */
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

/** A member of the target that is written at the end of its object; `key` is its name as it is written, with its colon. */
export type LatePlan = { readonly key: Piece } & (
  | /** An object put together from members found in several places; left out when none of them came. */ {
      readonly kind: 'gathered'
      readonly members: readonly LatePlan[]
    }
  | /** A value that was passed by, at the position in its slot. */ {
      readonly kind: 'remembered'
      readonly slot: number
      readonly value: ValuePlan
    }
  | /** A value that the record does not have: from the context, or null. `slot`: where the sibling is that it goes by. */ {
      readonly kind: 'added'
      readonly rule: Rule
      readonly source: ContextSource | undefined
      readonly conversion: Conversion | undefined
      readonly slot: number
    }
)

/** Which way a shape is read. */
export type Direction = 'toLegacy' | 'toV1'
