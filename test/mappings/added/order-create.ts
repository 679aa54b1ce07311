import { operation, post, record } from '../../../src/mapping/operation.ts'
import { body } from '../../../src/mapping/request.ts'
import { newOrder, order } from './shapes/order.ts'

export default operation('order-create', {
  says: 'Amounts are in minor units, states have other names; 201 in place of 200.',
  legacy: post('/api/order'),
  v1: post('/api/v1/sales/orders'),
  request: body(newOrder),
  response: record(order, { v1Status: 201 }),
  effect: 'write',
  authorization: 'token',
})
