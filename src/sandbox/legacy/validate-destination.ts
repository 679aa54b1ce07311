import { destination, destinationRules } from '../orders/destination.ts'
import { authorize } from './authorize.ts'
import type { LegacyOperation } from './operation.ts'
import { readBody } from './read-request.ts'

/** docs/contract.md 6.3: 204 for a suitable destination. *Assumed*: otherwise a 400 that names the fields, as in v1. */
export const validateDestination: LegacyOperation = {
  method: 'POST',
  path: '/api/calculate/price/country/validate',
  async answer(call) {
    authorize(call)
    await readBody(call, destination, destinationRules(call.service.db))
    return { status: 204 }
  },
}
