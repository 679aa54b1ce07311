import type { Converter, EnumValues, Type } from './converter.ts'
import { decimalConverter, enumConverter, timestampConverter } from './converter.ts'

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

/** One line of a shape. */
export type Rule = FieldRule | LostRule | ContextRule

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
  /**
   * Where its v1 path begins. Undefined: at this object. 0: at the row or record that this object is in; 1: at the row or record
   * around the list that holds that row; and so on.
   */
  readonly anchor?: number
  /** What legacy shows where v1 has null or no such member. Undefined: what v1 has. */
  readonly absent?: 'null' | 'missing'
  readonly basis: Basis
}

/** How a member's value is translated. */
export type Value =
  | { readonly kind: 'as-is' }
  | { readonly kind: 'converted'; readonly by: Converter }
  | { readonly kind: 'object'; readonly shape: Shape }
  | { readonly kind: 'list'; readonly shape: Shape }

/** A JSON type that v1 promises, and without which the answer is useless. It is checked: an answer without it is malformed. */
export type Promised = 'string' | 'object' | 'array'

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
  /** A text put together from values of v1 and texts. It is null if a value is missing or null. */
  | { readonly from: 'join'; readonly parts: readonly JoinPart[] }
  /** The same value in every answer, as JSON text. */
  | { readonly from: 'constant'; readonly json: string }

/** A source outside the record. */
export type FilledSource = ContextSource & { readonly from: 'reference' | 'request-row' }

/** Whether a value comes from outside the record. */
export const isFilled = (source: ContextSource): source is FilledSource =>
  source.from === 'reference' || source.from === 'request-row'

/** A part of a joined text: a text, or a v1 path with its anchor (see `FieldRule`). */
export type JoinPart = { readonly text: string } | { readonly path: string; readonly anchor?: number }

/**
 * Why a mapping line is as it is: the contract says so; we decided, with a reason; or the operator's MAPPING_FILE corrects it.
 * Side-by-side comparison confirms or refutes our decisions.
 */
export type Basis =
  | { readonly kind: 'documented' }
  | { readonly kind: 'assumed'; readonly reason: string }
  | CorrectedBasis

/** The line comes from MAPPING_FILE. */
export interface CorrectedBasis {
  readonly kind: 'corrected'
  readonly why: string | undefined
  readonly by: string | undefined
  /** The shipped line that it replaces, for people; undefined: the mapping had none of this path. */
  readonly replaces: string | undefined
}

/** The contract says so. The default basis of a line. */
export const documented: Basis = { kind: 'documented' }

/**
 * Marks a line as our own decision. Every explanation of the line shows the reason.
 *
 * @example
 * shipmentId: assumed('the contract does not show the request', from('carrierShipmentId')),
 * perPage: assumed('no limit is shown', query(integer(1, 5_000)))
 */
export function assumed<Line extends { readonly basis: Basis }>(reason: string, line: Line): Line {
  return { ...line, basis: { kind: 'assumed', reason } }
}

/**
 * Names a shape and states its members by legacy path. A `closed` shape passes only these members. `v1Only` names members
 * that only v1 has, each with why legacy clients do not get it.
 *
 * @example
 * shape('Invoice', { id: same('int'), 'currency.code': from('currencyCode', 'string') },
 *   { closed: true, v1Only: { organizationId: 'added in v1' } })
 */
export function shape(
  name: string,
  rules: Readonly<Record<string, Rule>>,
  options: { readonly closed?: boolean; readonly v1Only?: Readonly<Record<string, string>> } = {},
): Shape {
  return { name, rules, closed: options.closed ?? false, v1Only: options.v1Only ?? {} }
}

export const asIs: Value = { kind: 'as-is' }

function field(v1: string | undefined, value: Value, type?: Type): FieldRule {
  return { kind: 'field', v1, value, promised: undefined, type, nullable: false, basis: documented }
}

/**
 * Copies a member that has the same path on both sides. The type is for descriptions.
 *
 * @example
 * number: same('string'),            // {"number":"A-1"} on both sides
 * products: same(),                  // {"products":[…]} on both sides; the contract does not show the type
 */
export const same = (type?: Type): FieldRule => field(undefined, asIs, type)

/**
 * Copies a member that has another path in v1. The type is for descriptions.
 *
 * @example
 * isPayment: from('isPaid', 'bool'),   // v1's {"isPaid":true} becomes {"isPayment":true}
 * taxType: from('tax.type'),           // v1's {"tax":{"type":"IOSS"}} becomes {"taxType":"IOSS"}
 */
export const from = (v1: string, type?: Type): FieldRule => field(v1, asIs, type)

/**
 * Converts a value that the two sides write differently. `v1` is its path there, if different.
 *
 * @example
 * active: converted(yesNo),            // v1's {"active":true} becomes {"active":"Y"}
 * active: converted(yesNo, 'isActive') // v1's {"isActive":true} becomes {"active":"Y"}
 */
export const converted = (by: Converter, v1?: string): FieldRule =>
  field(v1, { kind: 'converted', by }, by.legacy?.type)

/**
 * Converts a timestamp (docs/contract.md 8.4). `v1` is its path there, if different.
 *
 * @example
 * dateAt: timestamp(),                      // v1's 2025-01-31T10:24:19.000Z becomes 2025-01-31T10:24:19+00:00
 * updatedAt: timestamp('rates.updatedAt')   // v1's {"rates":{"updatedAt":…}} becomes {"updatedAt":…}
 */
export const timestamp = (v1?: string): FieldRule => converted(timestampConverter, v1)

/**
 * Converts a text whose values have other names in v1. `values` maps each legacy name to v1's; an unlisted value passes
 * unchanged. `v1` is the member's path there, if different.
 *
 * @example
 * state: enumOf({ open: 'PENDING', paid: 'SETTLED' }),          // v1's {"state":"PENDING"} becomes {"state":"open"}
 * kind: enumOf({ letter: 'DOCUMENT', box: 'PACKAGE' }, 'type'), // v1's {"type":"PACKAGE"} becomes {"kind":"box"}
 * active: enumOf([[1, 'ACTIVE'], [0, 'PASSIVE']], 'status')     // v1's {"status":"ACTIVE"} becomes {"active":1}
 */
export const enumOf = (values: EnumValues, v1?: string): FieldRule => converted(enumConverter(values), v1)

/**
 * Converts a decimal with `scale` decimal places, which v1 counts in whole units of the last place. Exact for any number of
 * digits. `v1` is its path there, if different.
 *
 * @example
 * total: decimal(2),              // v1's {"total":12500} becomes {"total":125.00}
 * weight: decimal(3, 'grams')     // v1's {"grams":500} becomes {"weight":0.500}
 */
export const decimal = (scale: number, v1?: string): FieldRule => converted(decimalConverter(scale), v1)

/**
 * Translates an object by a shape of its own. A value that is not an object passes unchanged. `v1` is its path there, if
 * different.
 *
 * @example
 * status: object(idSlug),              // v1's {"status":{…}} becomes {"status":{…}}, translated by idSlug
 * recipient: object(address, 'to')     // v1's {"to":{…}} becomes {"recipient":{…}}
 */
export const object = (of: Shape, v1?: string): FieldRule => field(v1, { kind: 'object', shape: of }, 'object')

/**
 * Translates every object in a list by a shape. Items that are not objects pass unchanged. `v1` is the list's path there, if
 * different.
 *
 * @example
 * products: list(product),             // v1's {"products":[{…}]} becomes {"products":[{…}]}, each item translated by product
 * fees: list(fee, 'additionalFees')    // v1's {"additionalFees":[…]} becomes {"fees":[…]}
 */
export const list = (of: Shape, v1?: string): FieldRule => field(v1, { kind: 'list', shape: of }, 'array')

/**
 * Requires a member of v1's answer. If it is missing or of another type, the answer is malformed: a 500 rather than half an
 * answer.
 *
 * @example
 * token: promised('string', same()),            // v1's {} and {"token":1} become a 500
 * rows: promised('array', list(row, 'items'))   // v1's {"items":null} too
 */
export const promised = (type: Promised, rule: FieldRule): FieldRule => ({ ...rule, promised: type, type })

/**
 * Marks a member that may be null, for descriptions.
 *
 * @example
 * comment: orNull(same('string')),
 * billingAddress: orNull(object(address))
 */
export const orNull = (rule: FieldRule): FieldRule => ({ ...rule, nullable: true })

/**
 * Marks a value that the service makes up in every write, such as an id or a time: two copies of the service give different
 * ones (docs/decisions/0066). `what` names its kind, which tells apart values that could be equal. A line of a request that
 * is marked with the same kind takes such a value.
 *
 * @example
 * id: givenByService('order', same('int')),        // in the answer to a write
 * orderId: givenByService('order', same('int'))    // in the requests that use it
 */
export const givenByService = <Line extends { readonly givenByService?: string }>(what: string, line: Line): Line => ({
  ...line,
  givenByService: what,
})

/**
 * Marks a member that v1 no longer has: null in an answer, not sent in a request. `type` is its type in legacy.
 *
 * @example
 * orderData: lost('v1 does not return it'),               // {"orderData":null}
 * freightPrice: lost('v1 does not return it', 'number')   // {"freightPrice":null}
 */
export const lost = (reason: string, type?: Type): LostRule => ({ kind: 'lost', reason, type, basis: documented })

/**
 * Counts the v1 path of a line from the row or record that the object is in, rather than from the object. `levels` counts lists
 * outwards: 1 is the row or record around the list that holds the row.
 *
 * @example
 * name: inRow(from('regionName')),       // in the shape of `region`: v1's row has {"regionName":…} beside `region`
 * currency: inRow(from('currency'), 1)   // in a row of `packages`: the record around the list has {"currency":…}
 */
export const inRow = (rule: FieldRule, levels = 0): FieldRule => ({ ...rule, anchor: levels })

/**
 * States what legacy shows where v1 has null or no such member.
 *
 * @example
 * comment: ifAbsent('null', same('string')),      // v1's {} becomes {"comment":null}
 * comment: ifAbsent('missing', same('string'))    // v1's {"comment":null} becomes {}
 */
export const ifAbsent = (shows: 'null' | 'missing', rule: FieldRule): FieldRule => ({
  ...rule,
  absent: shows,
  nullable: shows === 'null',
})
