import { assumed } from '../src/mapping/basis.ts'
import { get, operation, wholeList } from '../src/mapping/operation.ts'
import { oneOf, written } from '../src/mapping/reader.ts'
import { query, queryParameters } from '../src/mapping/request.ts'
import { shape } from '../src/mapping/shape.ts'
import { v1Paging } from './v1-paging.ts'

/** The record of a unit of measure is not known (docs/contract.md 13.2), nor any difference: it passes as v1 has it. */
const unitOfMeasure = shape('Unit of measure', {})

export default operation('unit-list', {
  says: 'Paginated; a sortBy that v1 does not know is 422.',
  legacy: get('/api/unit/of/measure/all'),
  v1: get('/api/v1/shared/units-of-measure'),
  request: queryParameters({
    sortBy: assumed(
      'legacy fell back to its default order where v1 answers 422; what v1 sorts by is not shown but for orderNumber',
      query(oneOf(['orderNumber', 'name', 'code', 'id'])),
    ),
    sortOrder: query(written('string')),
  }),
  response: wholeList(unitOfMeasure, v1Paging),
  effect: 'read',
  authorization: 'token',
  example: { request: { sortBy: 'code', sortOrder: 'asc' }, answer: [{ id: 1, code: 'C62', name: 'adet' }] },
})
