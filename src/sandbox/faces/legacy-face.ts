import type { Message } from '../service.ts'
import { errorMessages, unexpectedMessage } from '../service-error.ts'
import { asParameters } from '../validation/query-parameters.ts'
import { parseObject } from '../validation/read-object.ts'
import type { Face } from './build-face.ts'

/** *Assumed*: a missing body and an empty array (which PHP writes for an empty object) mean no filters. */
const noFilters = /^(?:[ \t\r\n]*\[[ \t\r\n]*\][ \t\r\n]*)?$/

/**
 * Errors for which legacy has another message: it tells nothing about its own errors, and a completed import is not found
 * (docs/contract.md 6.5 and 6.6).
 */
const legacyMessages: Readonly<Record<string, Message>> = {
  DEPENDENCY_UNAVAILABLE: unexpectedMessage,
  SINGLE_POINT_IMPORT_CHARGE_FAILED: unexpectedMessage,
  SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE: errorMessages.SINGLE_POINT_IMPORT_IS_NOT_FOUND,
}

/** The deprecated interface: records and lists without an envelope, errors without a code, and all of them translated. */
export const legacyFace: Face = {
  name: 'legacy',
  skipsByteOrderMark: false,
  // HEAD is answered like GET, without the body.
  allow: (method) => (method === 'GET' ? 'GET, HEAD' : method),
  /** Ignores empty parameters, which v1 refuses (docs/contract.md 8.5). *Assumed*: of a repeated one, the last value counts. */
  readQuery: (parameters) => Object.fromEntries(Array.from(parameters).filter(([, value]) => value !== '')),
  readFilters(text) {
    const sent = parseObject(noFilters.test(text) ? '{}' : text)
    return sent && asParameters(sent)
  },
  /** *Assumed*: as in v1, an empty list has lastPage 0, and a page past the end has no rows. */
  write(outcome) {
    if (outcome.kind === 'done') return { status: 204 }
    if (outcome.kind === 'record') return { status: 200, body: outcome.recordIn('legacy') }
    const { paging } = outcome
    const items = outcome.itemsIn('legacy')
    if (paging === undefined) return { status: 200, body: items }
    const { page, perPage, total } = paging
    const pagination = { count: total, page, perPage, lastPage: Math.ceil(total / perPage) }
    return { status: 200, body: { data: items, pagination } }
  },
  writeError({ code, text, details: { params, violations } }, language) {
    return {
      message: (legacyMessages[code] ?? text)[language],
      ...(params && { params }),
      ...(violations && {
        violations: violations.map(({ path, message }) => ({ propertyPath: path, message })),
      }),
    }
  },
}
