import { z } from 'zod'
import { type CityRow, selectCities } from '../store/cities.ts'
import { ids, pagination, sortOrder, text, wholeNumber } from '../validation/query-parameters.ts'
import { authorize } from './authorize.ts'
import type { Endpoint } from './endpoint.ts'
import { list } from './envelope.ts'
import { readQuery } from './read-request.ts'

/**
 * docs/contract.md 4.10 and 4.11. *Assumed*: sorted like the country list; the maximum lengths are those of the country
 * list's code and search; the form of `ids`; names are compared case-insensitively.
 */
const query = z.object({
  ...pagination({ perPage: 50 }),
  sortBy: z.enum(['orderNumber', 'name', 'countryCode', 'id']).default('orderNumber'),
  sortOrder: sortOrder(),
  countryId: wholeNumber(1).optional(),
  countryCode: text(1, 8).optional(),
  ids: ids().optional(),
  nameExact: text(1, 255).optional(),
  namePrefix: text(1, 255).optional(),
})

/** *Assumed* (docs/contract.md 13.2). */
const item = z.object({
  id: z.int(),
  name: z.string(),
  countryId: z.int(),
  countryCode: z.string(),
})

/** docs/contract.md 4.10. */
export const listCities: Endpoint = {
  method: 'GET',
  path: '/api/v1/public/shared/cities',
  says: 'Lists cities; those of Turkey are its provinces.',
  needsToken: true,
  query,
  item,
  answer(call) {
    authorize(call)
    const { page, perPage, sortBy, sortOrder, ...filter } = readQuery(call, query)
    const cities = selectCities(call.service.db, filter, { page, perPage, sortBy, sortOrder })
    return list('Şehirler listelendi.', cities, { page, perPage }, presentCity)
  },
}

function presentCity({ id, name, countryId, countryCode }: CityRow): z.infer<typeof item> {
  return { id, name, countryId, countryCode }
}
