import { z } from 'zod'
import { type CountyRow, selectCounties } from '../store/counties.ts'
import { ids, pagination, sortOrder, text, wholeNumber } from '../validation/query-parameters.ts'
import { authorize } from './authorize.ts'
import type { Endpoint } from './endpoint.ts'
import { list } from './envelope.ts'
import { readQuery } from './read-request.ts'

/** docs/contract.md 4.10 and 4.11. *Assumed*: as for cities. */
const query = z.object({
  ...pagination({ perPage: 50 }),
  sortBy: z.enum(['orderNumber', 'name', 'cityId', 'id']).default('orderNumber'),
  sortOrder: sortOrder(),
  cityId: wholeNumber(1).optional(),
  ids: ids().optional(),
  nameExact: text(1, 255).optional(),
  namePrefix: text(1, 255).optional(),
})

/** *Assumed* (docs/contract.md 13.2). */
const item = z.object({
  id: z.int(),
  name: z.string(),
  cityId: z.int(),
})

/** docs/contract.md 4.11. */
export const listCounties: Endpoint = {
  method: 'GET',
  path: '/api/v1/public/shared/counties',
  says: 'Lists counties, the districts of the provinces of Turkey.',
  needsToken: true,
  query,
  item,
  answer(call) {
    authorize(call)
    const { page, perPage, sortBy, sortOrder, ...filter } = readQuery(call, query)
    const counties = selectCounties(call.service.db, filter, { page, perPage, sortBy, sortOrder })
    return list('İlçeler listelendi.', counties, { page, perPage }, presentCounty)
  },
}

function presentCounty({ id, name, cityId }: CountyRow): z.infer<typeof item> {
  return { id, name, cityId }
}
