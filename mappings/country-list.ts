import { assumed } from '../src/mapping/basis.ts'
import { get, operation, wholeList } from '../src/mapping/operation.ts'
import { oneOf, written } from '../src/mapping/reader.ts'
import { query, queryParameters } from '../src/mapping/request.ts'
import { country } from './shapes/country.ts'
import { v1Paging } from './v1-paging.ts'

const sameName = 'legacy’s parameters are not shown; v1 has this one, and it passes under its name'

export default operation('country-list', {
  says: 'Paginated, flags.w20/w40 and tax.type/maxValidPrice in place of flat names; search also matches Turkish names.',
  legacy: get('/country/all'),
  v1: get('/api/v1/public/shared/countries'),
  request: queryParameters({
    sortBy: assumed(
      'legacy fell back to its default order where v1 answers 422',
      query(oneOf(['orderNumber', 'name', 'code', 'id', 'isGuarantee'])),
    ),
    sortOrder: assumed(sameName, query(written('string'))),
    id: assumed(sameName, query(written('int'))),
    code: assumed(sameName, query(written('string'))),
    search: assumed(sameName, query(written('string'))),
    isGuarantee: query(written('bool')),
  }),
  response: wholeList(country, v1Paging),
  effect: 'read',
  authorization: 'none',
  example: { request: { sortBy: 'name', sortOrder: 'asc', id: 57, code: 'DE', search: 'man', isGuarantee: true } },
})
