import { destination, destinationRules } from '../orders/destination.ts'
import { authorize } from './authorize.ts'
import type { Endpoint } from './endpoint.ts'
import { done } from './envelope.ts'
import { readBody } from './read-request.ts'

/** docs/contract.md 4.3. */
export const validateDestination: Endpoint = {
  method: 'POST',
  path: '/api/v1/shipment/price-calculations/validate-destination',
  says: 'Says whether carriers serve a destination.',
  needsToken: true,
  body: destination,
  async answer(call) {
    authorize(call)
    await readBody(call, destination, destinationRules(call.service.db))
    return done('Varış noktası uygun.')
  },
}
