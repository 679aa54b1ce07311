import { noContent, operation, post } from '../src/mapping/operation.ts'
import { body } from '../src/mapping/request.ts'
import { shape } from '../src/mapping/shape.ts'

/** The contract does not show the request (docs/contract.md 13.1): everything a client sends passes. */
const destination = shape('Destination', {})

export default operation('validate-destination', {
  says: 'Success is 200 with {success, message} instead of 204. An unsuitable destination is 422 with a message for each field.',
  legacy: post('/api/calculate/price/country/validate'),
  v1: post('/api/v1/shipment/price-calculations/validate-destination'),
  request: body(destination),
  response: noContent(204, { v1Status: 200 }),
  effect: 'calculation',
  authorization: 'token',
  example: { request: { countryId: 57, city: 'Köln', zipCode: '50667' } },
})
