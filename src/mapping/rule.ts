import type { Basis } from './basis.ts'
import type { Converter } from './converter.ts'
import type { Type } from './type.ts'

/** What a member's value is, where it is not simply copied. */
export type Value =
  | { readonly kind: 'as-is' }
  | { readonly kind: 'converted'; readonly by: Converter }
  | { readonly kind: 'object'; readonly shape: Shape }
  | { readonly kind: 'list'; readonly shape: Shape }

/** A JSON type that v1 promised and without which the answer is of no use: checked, and a malformed answer otherwise. */
export type Promised = 'string' | 'object' | 'array'

/** A member that both sides have. */
export interface FieldRule {
  readonly kind: 'field'
  /** Its path on the v1 side, dots between names; undefined: as in legacy. */
  readonly v1: string | undefined
  readonly value: Value
  readonly promised: Promised | undefined
  /** For descriptions: nothing checks it. */
  readonly type: Type | undefined
  /** Whether null is as good as a value of the type. */
  readonly nullable: boolean
  readonly basis: Basis
}

/** A member that only legacy has: `null` in a legacy answer, not sent in a v1 request. */
export interface LostRule {
  readonly kind: 'lost'
  readonly reason: string
  /** What legacy has, or had, there. */
  readonly type: Type | undefined
  readonly basis: Basis
}

/** A legacy member that is filled from somewhere else than the record it stands in. Not sent in a v1 request. */
export interface ContextRule {
  readonly kind: 'context'
  readonly source: ContextSource
  readonly value: Value
  readonly type: Type | undefined
  readonly basis: Basis
}

export type ContextSource =
  /** From the legacy record of a whole list (an operation's id) whose `match` equals the value of `sibling`. */
  | {
      readonly from: 'reference'
      readonly list: string
      readonly match: string
      /** A v1 member of the same record, not nested. */
      readonly sibling: string
      readonly take: string
    }
  /** From the row at the same place of a list in the request, when both lists have the same length. */
  | { readonly from: 'request-row'; readonly list: string; readonly take: string }

export type Rule = FieldRule | LostRule | ContextRule

/**
 * A table of legacy path ↔ v1 path, read in both directions. In a closed shape only the members of the table are passed
 * on; in an open one every other member passes untouched, those under `v1Only` aside.
 */
export interface Shape {
  readonly name: string
  readonly rules: Readonly<Record<string, Rule>>
  readonly closed: boolean
  /** v1 path → why legacy clients do not get it. */
  readonly v1Only: Readonly<Record<string, string>>
}
