import { type Basis, documented } from './basis.ts'
import { type Converter, timestampConverter } from './converter.ts'
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

/** Names a shape and states its members by legacy path. */
export function shape(
  name: string,
  rules: Readonly<Record<string, Rule>>,
  options: { readonly closed?: boolean; readonly v1Only?: Readonly<Record<string, string>> } = {},
): Shape {
  return { name, rules, closed: options.closed ?? false, v1Only: options.v1Only ?? {} }
}

const asIs: Value = { kind: 'as-is' }

function field(v1: string | undefined, value: Value, type?: Type): FieldRule {
  return { kind: 'field', v1, value, promised: undefined, type, nullable: false, basis: documented }
}

/** The same path on both sides, the value copied. */
export const same = (type?: Type): FieldRule => field(undefined, asIs, type)

/** Another path in v1; the value, of this type, copied, or as `as` says. */
export const from = (v1: string, as?: Type | Value): FieldRule =>
  typeof as === 'object' ? field(v1, as) : field(v1, asIs, as)

/** A timestamp (general change 4), at the same path unless told. */
export const timestamp = (v1?: string): FieldRule =>
  field(v1, { kind: 'converted', by: timestampConverter }, 'timestamp')

/** An object with a table of its own, at the same path unless told. A value that is no object passes as it is. */
export const object = (of: Shape, v1?: string): FieldRule => field(v1, { kind: 'object', shape: of }, 'object')

/** A list of such objects, at the same path unless told. Items that are no objects pass as they are. */
export const list = (of: Shape, v1?: string): FieldRule => field(v1, { kind: 'list', shape: of }, 'array')

/** Says that v1's answer is malformed when this member is missing or of another type. */
export const promised = (type: Promised, rule: FieldRule): FieldRule => ({ ...rule, promised: type, type })

/** Says that null is as good as a value. */
export const orNull = (rule: FieldRule): FieldRule => ({ ...rule, nullable: true })

/** A member that v1 no longer has; `type` is what legacy has there. */
export const lost = (reason: string, type?: Type): LostRule => ({ kind: 'lost', reason, type, basis: documented })

/**
 * A member filled from a list that legacy answers whole; `match` and `take` are members of its legacy records. `null` when it
 * cannot be had.
 */
export function fromReference(
  source: { readonly list: string; readonly match: string; readonly sibling: string; readonly take: string },
  as: { readonly converted?: Converter; readonly type?: Type } = {},
): ContextRule {
  const value: Value = as.converted === undefined ? asIs : { kind: 'converted', by: as.converted }
  return { kind: 'context', source: { from: 'reference', ...source }, value, type: as.type, basis: documented }
}

/** A member filled from the request's row of the same position; `null` when the numbers of rows differ. */
export function fromRequestRow(list: string, take: string, type?: Type): ContextRule {
  return { kind: 'context', source: { from: 'request-row', list, take }, value: asIs, type, basis: documented }
}
