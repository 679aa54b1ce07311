import { z } from 'zod'
import { completeImport } from '../shipping/single-point-imports.ts'
import { wholeNumber } from '../validation/query-parameters.ts'
import { authorize } from './authorize.ts'
import type { LegacyOperation } from './operation.ts'
import { readBody } from './read-request.ts'

/** *Assumed*: the id may be sent as text. */
const body = z.object({
  id: z.preprocess((sent) => (typeof sent === 'number' ? String(sent) : sent), wholeNumber(1)),
})

/**
 * docs/contract.md 6.7: the id is in the body, and the answer is 204. *Assumed*: an import that is already completed is
 * not found, as for a shipment that uses it.
 */
export const completeSinglePointImport: LegacyOperation = {
  method: 'POST',
  path: '/api/single/point/import/complete',
  async answer(call) {
    const organizationId = authorize(call)
    completeImport(call.service, organizationId, (await readBody(call, body)).id)
    return { status: 204 }
  },
}
