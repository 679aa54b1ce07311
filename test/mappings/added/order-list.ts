import { decimalConverter, enumConverter } from '../../../src/mapping/converter.ts'
import { get, operation, page, post } from '../../../src/mapping/operation.ts'
import { calendarDate, convertedBy, integer } from '../../../src/mapping/reader.ts'
import { bodyParameters, query, stitched } from '../../../src/mapping/request.ts'
import { from, same, shape } from '../../../src/mapping/shape.ts'
import { order } from './shapes/order.ts'
import { states } from './shapes/states.ts'

const counts = shape('Counts', { count: from('total', 'int'), page: same('int') }, { closed: true })

export default operation('order-list', {
  says: 'A GET; states and amounts of the filters are v1’s.',
  legacy: post('/api/order/list'),
  v1: get('/api/v1/sales/orders'),
  request: bodyParameters(
    {
      page: query(integer(1, 1_000)),
      perPage: query(integer(1, 1_000)),
      state: query(convertedBy(enumConverter(states)), 'status'),
      'total.from': query(convertedBy(decimalConverter(2)), 'leastMinor'),
      placedFrom: query(calendarDate(), 'createdFrom'),
    },
    {
      emptyBody: 'an empty object',
      stitching: stitched({ paging: { page: 'page', perPage: 'perPage', mostPerPage: 200 }, defaultPerPage: 10 }),
    },
  ),
  response: page({ rows: ['orders', order], meta: ['counts', counts] }),
  effect: 'read',
  authorization: 'token',
  example: { request: { page: 1, perPage: 10, state: 'paid', total: { from: 12.5 } } },
})
