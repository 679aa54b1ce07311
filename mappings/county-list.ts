import { assumed } from '../src/mapping/basis.ts'
import { get, operation, wholeList } from '../src/mapping/operation.ts'
import { oneOf, written } from '../src/mapping/reader.ts'
import { query, queryParameters } from '../src/mapping/request.ts'
import { shape } from '../src/mapping/shape.ts'
import { v1Paging } from './v1-paging.ts'

/** The record of a county is not known (docs/contract.md 13.2), nor any difference: it passes as v1 has it. */
const county = shape('County', {})

export default operation('county-list', {
  says: 'Paginated; cityId is optional; ids, nameExact and namePrefix added.',
  legacy: get('/county/all'),
  v1: get('/api/v1/public/shared/counties'),
  request: queryParameters({
    sortBy: assumed(
      'legacy fell back to its default order where v1 answers 422; what v1 sorts by is not shown but for orderNumber',
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
