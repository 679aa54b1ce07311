import { bareList, operation, post } from '../src/mapping/operation.ts'
import { body } from '../src/mapping/request.ts'
import { priceRequest, quote } from './shapes/price.ts'

export default operation('price', {
  says: 'Quotes in items; fuelSurcharge; package rows without id, piece and perimeter; fees are {slug, name, amount}.',
  legacy: post('/api/calculate/price'),
  v1: post('/api/v1/shipment/price-calculations'),
  request: body(priceRequest, { nulls: 'not sent' }),
  response: bareList(quote),
  effect: 'calculation',
  authorization: 'token',
})
