import { documented } from './basis.ts'
import type { Converter } from './converter.ts'
import { decimalConverter } from './decimal-converter.ts'
import { enumConverter } from './enum-converter.ts'
import type { ContextRule, FieldRule, LostRule, Promised, Rule, Shape, Value } from './rule.ts'
import { timestampConverter } from './timestamp-converter.ts'
import type { Type } from './type.ts'

export type * from './rule.ts'

/**
 * Names a shape and states its members by legacy path. `closed`: only these members are passed on. `v1Only`: what v1 has
 * besides, and why legacy clients do not get it.
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

const asIs: Value = { kind: 'as-is' }

function field(v1: string | undefined, value: Value, type?: Type): FieldRule {
  return { kind: 'field', v1, value, promised: undefined, type, nullable: false, basis: documented }
}

/**
 * The same path on both sides, the value copied. The type is for descriptions.
 *
 * @example
 * number: same('string'),            // {"number":"A-1"} on both sides
 * 'size.width': same(),              // a member of an object, of a type that the contract does not show
 */
export const same = (type?: Type): FieldRule => field(undefined, asIs, type)

/**
 * Another path in v1. The value, of this type, is copied.
 *
 * @example
 * isPayment: from('isPaid', 'bool'),   // v1's {"isPaid":true} is {"isPayment":true}
 * taxType: from('tax.type'),           // v1's {"tax":{"type":"IOSS"}} is {"taxType":"IOSS"}
 */
export const from = (v1: string, type?: Type): FieldRule => field(v1, asIs, type)

/**
 * A value that the two sides write differently, at the same path unless told.
 *
 * @example
 * active: converted(yesNo),            // v1's {"active":true} is {"active":"Y"}
 * active: converted(yesNo, 'isActive') // v1's {"isActive":true} is {"active":"Y"}
 */
export const converted = (by: Converter, v1?: string): FieldRule =>
  field(v1, { kind: 'converted', by }, by.legacy?.type)

/**
 * A timestamp (docs/contract.md 8.4), at the same path unless told.
 *
 * @example
 * dateAt: timestamp(),                   // v1's 2025-01-31T10:24:19.000Z is 2025-01-31T10:24:19+00:00
 * updatedAt: timestamp('rates.updatedAt')
 */
export const timestamp = (v1?: string): FieldRule => converted(timestampConverter, v1)

/**
 * A text whose values have other names in v1, each legacy value with v1's, at the same path unless told. A value that is not
 * listed passes as it is.
 *
 * @example
 * state: enumOf({ open: 'PENDING', paid: 'SETTLED' }),          // v1's {"state":"PENDING"} is {"state":"open"}
 * kind: enumOf({ letter: 'DOCUMENT', box: 'PACKAGE' }, 'type')  // v1's {"type":"PACKAGE"} is {"kind":"box"}
 */
export const enumOf = (values: Readonly<Record<string, string>>, v1?: string): FieldRule =>
  converted(enumConverter(values), v1)

/**
 * A decimal with `scale` digits behind the point, which v1 counts in whole units of the last of them, at the same path unless
 * told. Exact for any number of digits.
 *
 * @example
 * total: decimal(2),              // v1's {"total":12500} is {"total":125.00}
 * weight: decimal(3, 'grams')     // v1's {"grams":500} is {"weight":0.500}
 */
export const decimal = (scale: number, v1?: string): FieldRule => converted(decimalConverter(scale), v1)

/**
 * An object with a table of its own, at the same path unless told. A value that is no object passes as it is.
 *
 * @example
 * status: object(idSlug),              // v1's {"status":{…}} is {"status":{…}}, its members as the table idSlug says
 * recipient: object(address, 'to')     // v1's {"to":{…}} is {"recipient":{…}}
 */
export const object = (of: Shape, v1?: string): FieldRule => field(v1, { kind: 'object', shape: of }, 'object')

/**
 * A list of such objects, at the same path unless told. Items that are no objects pass as they are.
 *
 * @example
 * products: list(product),             // every item as the table product says
 * fees: list(fee, 'additionalFees')    // v1's {"additionalFees":[…]} is {"fees":[…]}
 */
export const list = (of: Shape, v1?: string): FieldRule => field(v1, { kind: 'list', shape: of }, 'array')

/**
 * Says that v1's answer is malformed when this member is missing or of another type: a 500 rather than half an answer.
 *
 * @example
 * token: promised('string', same()),
 * rows: promised('array', list(row, 'items'))
 */
export const promised = (type: Promised, rule: FieldRule): FieldRule => ({ ...rule, promised: type, type })

/**
 * Says that null is as good as a value, for descriptions.
 *
 * @example
 * comment: orNull(same('string')),
 * billingAddress: orNull(object(address))
 */
export const orNull = (rule: FieldRule): FieldRule => ({ ...rule, nullable: true })

/**
 * A member that v1 no longer has: null in an answer, not sent in a request. `type` is what legacy has there.
 *
 * @example
 * orderData: lost('v1 does not return it'),
 * freightPrice: lost('v1 does not return it', 'number')
 */
export const lost = (reason: string, type?: Type): LostRule => ({ kind: 'lost', reason, type, basis: documented })

/**
 * A member filled from a list that legacy answers whole, an operation's id; `match` and `take` are members of its legacy
 * records, `sibling` a v1 member of this record. `null` when it cannot be had.
 *
 * @example
 * colorName: fromReference({ list: 'color-list', match: 'code', sibling: 'colorCode', take: 'name' }),
 * since: fromReference({ list: 'color-list', match: 'code', sibling: 'colorCode', take: 'since' }, { type: 'timestamp' })
 */
export function fromReference(
  source: { readonly list: string; readonly match: string; readonly sibling: string; readonly take: string },
  as: { readonly converted?: Converter; readonly type?: Type } = {},
): ContextRule {
  const value: Value = as.converted === undefined ? asIs : { kind: 'converted', by: as.converted }
  const type = as.type ?? as.converted?.legacy?.type
  return { kind: 'context', source: { from: 'reference', ...source }, value, type, basis: documented }
}

/**
 * A member filled from the request's row of the same position; `null` when the numbers of rows differ.
 *
 * @example
 * id: fromRequestRow('packages', 'id'),         // packages[2].id of the answer is packages[2].id of the request
 * piece: fromRequestRow('packages', 'piece', 'int')
 */
export function fromRequestRow(list: string, take: string, type?: Type): ContextRule {
  return { kind: 'context', source: { from: 'request-row', list, take }, value: asIs, type, basis: documented }
}
