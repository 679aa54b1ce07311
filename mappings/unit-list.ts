import { get, operation, wholeList } from '../src/mapping/operation.ts'
import { oneOf, written } from '../src/mapping/reader.ts'
import { query, queryParameters } from '../src/mapping/request.ts'
import { assumed, shape } from '../src/mapping/shape.ts'
import { v1Paging } from './v1-paging.ts'

/** The contract shows neither a unit (docs/contract.md 13.2) nor any difference: v1's record passes unchanged. */
const unitOfMeasure = shape('Unit of measure', {})

export default operation('unit-list', {
  says: 'v1 paginates the list, and answers 422 to an unknown sortBy.',
  legacy: get('/api/unit/of/measure/all'),
  v1: get('/api/v1/shared/units-of-measure'),
  request: queryParameters({
    sortBy: assumed(
      'v1 answers 422 to an unknown value, where legacy used its default order; the contract shows only v1’s orderNumber',
      query(oneOf(['orderNumber', 'name', 'code', 'id'])),
    ),
    sortOrder: query(written('string')),
  }),
  response: wholeList(unitOfMeasure, v1Paging),
  effect: 'read',
  authorization: 'token',
  example: { request: { sortBy: 'code', sortOrder: 'asc' }, answer: [{ id: 1, code: 'C62', name: 'adet' }] },
})
