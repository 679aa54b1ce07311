import type { Converter, Type } from './converter.ts'
import { asIs, type ContextRule, documented, type JoinPart, type Value } from './shape.ts'

// Lines of members that only legacy has, and that are filled from elsewhere.

/**
 * Fills a member from a list that legacy answers whole: `take` of the legacy record whose `match` equals this record's v1
 * member `sibling`. `list` is an operation's id. The member is `null` if the list or the record is not available.
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
 * Fills a member from the row at the same position in the request. The member is `null` if the numbers of rows differ.
 *
 * @example
 * id: fromRequestRow('packages', 'id'),         // row 2 of the answer gets packages[2].id of the request
 * piece: fromRequestRow('packages', 'piece', 'int')
 */
export function fromRequestRow(list: string, take: string, type?: Type): ContextRule {
  return { kind: 'context', source: { from: 'request-row', list, take }, value: asIs, type, basis: documented }
}

/**
 * Puts a text together from v1's values and texts. It is not sent in requests.
 *
 * @example
 * fullName: joined([{ path: 'firstName' }, { text: ' ' }, { path: 'lastName' }])
 */
export const joined = (parts: readonly JoinPart[]): ContextRule => ({
  kind: 'context',
  source: { from: 'join', parts },
  value: asIs,
  type: 'string',
  basis: documented,
})

/**
 * Shows the same value in every answer. It is not sent in requests.
 *
 * @example
 * currency: constant('TRY'),   // {"currency":"TRY"}
 * flags: constant([])          // {"flags":[]}
 */
export const constant = (value: unknown): ContextRule => ({
  kind: 'context',
  source: { from: 'constant', json: JSON.stringify(value) },
  value: asIs,
  type: undefined,
  basis: documented,
})
