import type { Conversion } from '../../mapping/converter.ts'
import type { FilledSource, Promised, Rule } from '../../mapping/shape.ts'
import { hasEscape, stringAt } from '../json/walk-json.ts'
import type { ComposedPlan } from './composed-plan.ts'
import { type Key, nameStandsAt } from './key.ts'
import type { Piece } from './run-writer.ts'
import type { TimestampInPlace } from './timestamp-in-place.ts'

/**
 * A shape compiled for one direction: what to do with each member of the source. The source is the text that is read
 * (v1's answer or the legacy request), the target the text that is written.
 */
export interface ObjectPlan {
  /** The shape's name, for messages. */
  readonly name: string
  readonly members: readonly MemberPlan[]
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
  /** An object whose shape needs more than one pass. */
  | { readonly kind: 'composed'; readonly plan: ComposedPlan }
  /** `counted`: whether its rows need their number. */
  | { readonly kind: 'list'; readonly row: ValuePlan; readonly counted: boolean }

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
      readonly source: FilledSource | undefined
      readonly conversion: Conversion | undefined
      readonly slot: number
    }
)

/** The direction in which a shape is read. */
export type Direction = 'toLegacy' | 'toV1'

/** Finds the plan's member by the name in `json[start, end)`, which includes its quotes and may contain escapes. */
export function findMember(
  { members }: ObjectPlan,
  json: Uint8Array,
  start: number,
  end: number,
): MemberPlan | undefined {
  for (let index = 0; index < members.length; index++) {
    const member = members[index] as MemberPlan
    if (nameStandsAt(member.key, json, start, end)) return member
  }
  if (!hasEscape(json, start, end)) return undefined
  const written = stringAt(json, start, end)
  return members.find(({ name }) => name === written)
}

/** Thrown if v1's answer lacks something that the contract promises. */
export class PromiseError extends Error {
  override readonly name = 'PromiseError'

  /** `where` names the place in v1's answer, `what` the thing promised there. */
  constructor(where: string, what: string) {
    super(`${where}: no ${what}, which the contract promises`)
  }
}

/** Looks up values from outside the record, as JSON text. Undefined if a value is not available. */
export interface RewriteContext {
  /** Returns `take` of the record of the reference list `list` whose `match` is `key`. */
  reference?(list: string, match: string, key: string, take: string): Uint8Array | undefined
  /** Returns `take` of row `index` of the request's `list`, if that has `count` rows. */
  requestRow?(list: string, take: string, index: number, count: number): Uint8Array | undefined
}

export interface RewriteOptions {
  readonly context?: RewriteContext
  /** Collects the names of members that a closed shape leaves out. */
  readonly dropped?: Set<string>
  /** Called for every mapping line that takes effect. */
  readonly trace?: (rule: Rule) => void
}

/** Names the promised members that are missing. */
export function missingOf({ members }: ObjectPlan, found: number): string {
  return members
    .filter(({ promisedBit }) => (promisedBit & ~found) !== 0)
    .map(({ name }) => name)
    .join(', ')
}
