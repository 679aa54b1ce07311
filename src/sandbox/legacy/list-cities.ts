import { z } from 'zod'
import { selectCities } from '../store/cities.ts'
import { text, wholeNumber } from '../validation/query-parameters.ts'
import { authorize } from './authorize.ts'
import { type LegacyOperation, ok } from './operation.ts'
import { wholeList } from './pagination.ts'
import { readQuery } from './read-request.ts'
import { referenceOrder } from './reference-order.ts'

/** docs/contract.md 6.11: v1 added ids, nameExact and namePrefix, so legacy does not know them. */
const query = z.object({
  ...referenceOrder(['name', 'countryCode', 'id']),
  countryId: wholeNumber(1).optional(),
  countryCode: text(1, 8).optional(),
})

/**
 * docs/contract.md 6.11: not paginated. v1 made countryId and countryCode optional. What legacy does without them is
 * not documented; *assumed*: it answers the cities of all countries too.
 */
export const listCities: LegacyOperation = {
  method: 'GET',
  path: '/city/all',
  answer(call) {
    authorize(call)
    const { sortBy, sortOrder, ...filter } = readQuery(call, query)
    const { rows } = selectCities(call.service.db, filter, { ...wholeList, sortBy, sortOrder })
    return ok(rows.map(({ id, name, countryId, countryCode }) => ({ id, name, countryId, countryCode })))
  },
}
