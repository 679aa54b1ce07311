import { get, operation, wholeList } from '../src/mapping/operation.ts'
import { oneOf, written } from '../src/mapping/reader.ts'
import { query, queryParameters, widened } from '../src/mapping/request.ts'
import { assumed } from '../src/mapping/shape.ts'
import { country } from './shapes/country.ts'
import { v1Paging } from './v1-paging.ts'

const sameName = 'the contract does not show legacy’s parameters; v1 has this one, and it passes under the same name'

export default operation('country-list', {
  says: 'v1 paginates the list and nests flags and tax, which were flat names; search also matches Turkish names.',
  legacy: get('/country/all'),
  v1: get('/api/v1/public/shared/countries'),
  request: queryParameters({
    sortBy: assumed(
      'v1 answers 422 to an unknown value, where legacy used its default order',
      query(oneOf(['orderNumber', 'name', 'code', 'id', 'isGuarantee'])),
    ),
    sortOrder: assumed(sameName, query(written('string'))),
    id: assumed(sameName, query(written('int'))),
    code: assumed(sameName, query(written('string'))),
    search: assumed(
      sameName,
      widened('it matches Turkish names too', { in: 'name', language: 'tr' }, query(written('string'))),
    ),
    isGuarantee: query(written('bool')),
  }),
  response: wholeList(country, v1Paging),
  effect: 'read',
  authorization: 'none',
  example: { request: { sortBy: 'name', sortOrder: 'asc', id: 57, code: 'DE', search: 'man', isGuarantee: true } },
})
