import { z } from 'zod'
import { selectCountries } from '../store/countries.ts'
import { flag, text, wholeNumber } from '../validation/query-parameters.ts'
import { type LegacyOperation, ok } from './operation.ts'
import { wholeList } from './pagination.ts'
import { presentCountry } from './present-country.ts'
import { readQuery } from './read-request.ts'
import { referenceOrder } from './reference-order.ts'

/** *Assumed*: the parameters of v1, except for paging. */
const query = z.object({
  ...referenceOrder(['name', 'code', 'id', 'isGuarantee']),
  id: wholeNumber(1).optional(),
  code: text(1, 8).optional(),
  search: text(1, 255).optional(),
  isGuarantee: flag().optional(),
})

/**
 * docs/contract.md 6.10: not paginated, and the search ignores Turkish names. *Assumed*: as in v1, no token is needed,
 * and names follow Accept-Language.
 */
export const listCountries: LegacyOperation = {
  method: 'GET',
  path: '/country/all',
  answer(call) {
    const { sortBy, sortOrder, ...filter } = readQuery(call, query)
    const request = { ...wholeList, sortBy, sortOrder }
    const { rows } = selectCountries(call.service.db, { ...filter, searchesTurkishNames: false }, request)
    return ok(rows.map((row) => presentCountry(row, call.language)))
  },
}
