import { enumConverter } from '../../../src/mapping/converter.ts'
import { get, operation, post, wholeList } from '../../../src/mapping/operation.ts'
import { convertedBy } from '../../../src/mapping/reader.ts'
import { bodyParameters, query } from '../../../src/mapping/request.ts'
import { line } from './shapes/order.ts'
import { states } from './shapes/states.ts'

export default operation('order-line-list', {
  says: 'Paginated, and a GET.',
  legacy: post('/api/order/line/list'),
  v1: get('/api/v1/sales/lines'),
  request: bodyParameters(
    { state: query(convertedBy(enumConverter(states)), 'status') },
    { emptyBody: 'an empty object' },
  ),
  response: wholeList(line, { page: 'page', perPage: 'size', mostPerPage: 2 }),
  effect: 'read',
  authorization: 'token',
})
