import { z } from 'zod'
import { selectCounties } from '../store/counties.ts'
import { wholeNumber } from '../validation/query-parameters.ts'
import { authorize } from './authorize.ts'
import { type LegacyOperation, ok } from './operation.ts'
import { wholeList } from './pagination.ts'
import { readQuery } from './read-request.ts'
import { referenceOrder } from './reference-order.ts'

/** docs/contract.md 6.12: v1 added ids, nameExact and namePrefix, so legacy does not know them. */
const query = z.object({
  ...referenceOrder(['name', 'cityId', 'id']),
  cityId: wholeNumber(1).optional(),
})

/** docs/contract.md 6.12: not paginated. *Assumed*: without cityId, it answers all counties, as in v1. */
export const listCounties: LegacyOperation = {
  method: 'GET',
  path: '/county/all',
  answer(call) {
    authorize(call)
    const { sortBy, sortOrder, ...filter } = readQuery(call, query)
    const { rows } = selectCounties(call.service.db, filter, { ...wholeList, sortBy, sortOrder })
    return ok(rows.map(({ id, name, cityId }) => ({ id, name, cityId })))
  },
}
