import { get, operation, wholeList } from '../src/mapping/operation.ts'
import { oneOf, written } from '../src/mapping/reader.ts'
import { query, queryParameters } from '../src/mapping/request.ts'
import { assumed, shape } from '../src/mapping/shape.ts'
import { v1Paging } from './v1-paging.ts'

/** The contract shows neither a city (docs/contract.md 13.2) nor any difference: v1's record passes unchanged. */
const city = shape('City', {})

export default operation('city-list', {
  says: 'v1 paginates the list. countryId and countryCode are optional; ids, nameExact and namePrefix are new.',
  legacy: get('/city/all'),
  v1: get('/api/v1/public/shared/cities'),
  request: queryParameters({
    sortBy: assumed(
      'v1 answers 422 to an unknown value, where legacy used its default order; the contract shows only v1’s orderNumber',
      query(oneOf(['orderNumber', 'name', 'countryCode', 'id'])),
    ),
    sortOrder: query(written('string')),
    countryId: query(written('int')),
    countryCode: query(written('string')),
  }),
  response: wholeList(city, v1Paging),
  effect: 'read',
  authorization: 'token',
  example: {
    request: { sortBy: 'name', sortOrder: 'asc', countryId: 57, countryCode: 'DE' },
    answer: [{ id: 3247449, name: 'Aachen', countryId: 57, countryCode: 'DE' }],
  },
})
