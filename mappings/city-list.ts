import { assumed } from '../src/mapping/basis.ts'
import { get, operation, wholeList } from '../src/mapping/operation.ts'
import { oneOf, written } from '../src/mapping/reader.ts'
import { query, queryParameters } from '../src/mapping/request.ts'
import { shape } from '../src/mapping/shape.ts'
import { v1Paging } from './v1-paging.ts'

/** The record of a city is not known (docs/contract.md 13.2), nor any difference: it passes as v1 has it. */
const city = shape('City', {})

export default operation('city-list', {
  says: 'Paginated; countryId and countryCode are optional; ids, nameExact and namePrefix added.',
  legacy: get('/city/all'),
  v1: get('/api/v1/public/shared/cities'),
  request: queryParameters({
    sortBy: assumed(
      'legacy fell back to its default order where v1 answers 422; what v1 sorts by is not shown but for orderNumber',
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
