import type { Basis } from './basis.ts'
import type { Converter } from './converter.ts'
import type { Type } from './type.ts'

/** How a member's value is translated. */
export type Value =
  | { readonly kind: 'as-is' }
  | { readonly kind: 'converted'; readonly by: Converter }
  | { readonly kind: 'object'; readonly shape: Shape }
  | { readonly kind: 'list'; readonly shape: Shape }

/** A JSON type that v1 promises, and without which the answer is useless. It is checked: an answer without it is malformed. */
export type Promised = 'string' | 'object' | 'array'

/** A member that both sides have. */
export interface FieldRule {
  readonly kind: 'field'
  /** Its path in v1, names separated by dots. Undefined if it is the legacy one. */
  readonly v1: string | undefined
  readonly value: Value
  readonly promised: Promised | undefined
  /** For descriptions only; not checked. */
  readonly type: Type | undefined
  /** Whether null is valid too. */
  readonly nullable: boolean
  /**
   * The kind of the value, if the service makes up a new one in every write, such as the id of a record. Undefined: it does
   * not.
   */
  readonly givenByService?: string
  readonly basis: Basis
}

/** A member that only legacy has. It is `null` in a legacy answer, and not sent in a v1 request. */
export interface LostRule {
  readonly kind: 'lost'
  readonly reason: string
  /** Its type in legacy. */
  readonly type: Type | undefined
  readonly basis: Basis
}

/** A legacy member that is filled from outside its own record. It is not sent in a v1 request. */
export interface ContextRule {
  readonly kind: 'context'
  readonly source: ContextSource
  readonly value: Value
  readonly type: Type | undefined
  readonly basis: Basis
}

export type ContextSource =
  /** From the legacy record of a whole list (`list` is an operation's id) whose `match` equals the value of `sibling`. */
  | {
      readonly from: 'reference'
      readonly list: string
      readonly match: string
      /** A v1 member of the record to fill, not nested. */
      readonly sibling: string
      readonly take: string
    }
  /** From the row at the same position of a list in the request, if both lists have the same length. */
  | { readonly from: 'request-row'; readonly list: string; readonly take: string }

export type Rule = FieldRule | LostRule | ContextRule

/**
 * The members of an object: a table of legacy path ↔ v1 path, read in both directions. A closed shape passes only the
 * members of the table. An open one passes every other member untouched, except those under `v1Only`.
 */
export interface Shape {
  readonly name: string
  readonly rules: Readonly<Record<string, Rule>>
  readonly closed: boolean
  /** Members that only v1 has: v1 path → why legacy clients do not get it. */
  readonly v1Only: Readonly<Record<string, string>>
}
