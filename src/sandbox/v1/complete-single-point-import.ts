import { z } from 'zod'
import { completeImport } from '../shipping/single-point-imports.ts'
import { wholeNumber } from '../validation/query-parameters.ts'
import { authorize } from './authorize.ts'
import type { Endpoint } from './endpoint.ts'
import { done } from './envelope.ts'
import { readParams } from './read-request.ts'

const params = z.object({ id: wholeNumber(1) })

/**
 * docs/contract.md 4.7. Ignores the body. *Assumed*: completing an import again gives the same 400 as a shipment that
 * uses a completed import; an id that is not a positive integer is a violation of `id`.
 */
export const completeSinglePointImport: Endpoint = {
  method: 'POST',
  path: '/api/v1/shipment/single-point-imports/{id}/complete',
  says: 'Completes a single point import.',
  needsToken: true,
  params,
  answer(call) {
    const organizationId = authorize(call)
    completeImport(call.service, organizationId, readParams(call, params).id)
    return done('Tek noktadan ithalat tamamlandı.')
  },
}
