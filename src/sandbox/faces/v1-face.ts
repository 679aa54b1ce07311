import { parseObject } from '../validation/read-object.ts'
import { type Face, operationsOf } from './build-face.ts'
import { describeV1Face } from './describe-v1-face.ts'

/** The current interface. Every answer, except the description, is an envelope of docs/contract.md 2.4 or 9.1. */
export const v1Face: Face = {
  name: 'v1',
  skipsByteOrderMark: true,
  allow: (method) => method,
  /** *Assumed*: a repeated parameter is a violation. Its value is a list here, which no schema of a parameter accepts. */
  readQuery(parameters) {
    const values = new Map<string, string | string[]>()
    for (const [name, value] of parameters) values.set(name, values.has(name) ? [value] : value)
    return Object.fromEntries(values)
  },
  readFilters: parseObject,
  /**
   * *Assumed*: status 200 where the contract says nothing (docs/contract.md 13.1); `pageCount` of an empty list is 0; a page
   * past the end has no items.
   */
  write(outcome, message) {
    const envelope = { success: true, message }
    if (outcome.kind === 'done') return { status: 200, body: envelope }
    if (outcome.kind === 'record') {
      return { status: outcome.isNew ? 201 : 200, body: { ...envelope, data: outcome.recordIn('v1') } }
    }
    const { paging } = outcome
    const items = outcome.itemsIn('v1')
    if (paging === undefined) return { status: 200, body: { ...envelope, items } }
    const { page, perPage, total } = paging
    return {
      status: 200,
      body: { ...envelope, items, meta: { page, perPage, total, pageCount: Math.ceil(total / perPage) } },
    }
  },
  writeError({ code, text, details: { params, violations } }, language) {
    return {
      success: false,
      code,
      message: text[violations === undefined ? 'tr' : language],
      ...(params && { params }),
      ...(violations && { errors: violations }),
    }
  },
  description: { path: '/openapi.json', make: () => describeV1Face(operationsOf('v1')) },
}
