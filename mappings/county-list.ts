import { get, operation, wholeList } from '../src/mapping/operation.ts'
import { oneOf, written } from '../src/mapping/reader.ts'
import { query, queryParameters } from '../src/mapping/request.ts'
import { assumed, shape } from '../src/mapping/shape.ts'
import { v1Paging } from './v1-paging.ts'

/** The contract shows neither a county (docs/contract.md 13.2) nor any difference: v1's record passes unchanged. */
const county = shape('County', {})

export default operation('county-list', {
  says: 'v1 paginates the list. cityId is optional; ids, nameExact and namePrefix are new.',
  legacy: get('/county/all'),
  v1: get('/api/v1/public/shared/counties'),
  request: queryParameters({
    sortBy: assumed(
      'v1 answers 422 to an unknown value, where legacy used its default order; the contract shows only v1’s orderNumber',
      query(oneOf(['orderNumber', 'name', 'cityId', 'id'])),
    ),
    sortOrder: query(written('string')),
    cityId: query(written('int')),
  }),
  response: wholeList(county, v1Paging),
  effect: 'read',
  authorization: 'token',
  example: {
    request: { sortBy: 'name', sortOrder: 'desc', cityId: 34 },
    answer: [{ id: 460, name: 'Zeytinburnu', cityId: 34 }],
  },
})
