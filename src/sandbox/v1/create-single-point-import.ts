import { z } from 'zod'
import { importRules } from '../orders/import-rules.ts'
import { createImport } from '../shipping/single-point-imports.ts'
import { recordId, text } from '../validation/body-fields.ts'
import { authorize } from './authorize.ts'
import type { Endpoint } from './endpoint.ts'
import { record } from './envelope.ts'
import { readBody } from './read-request.ts'

/** *Assumed*: the members (docs/contract.md 13.1). Without a sender address, the organization's first is used. */
const body = z.object({
  name: text(255),
  carrierShipmentId: text(64),
  senderAddressId: recordId().nullish(),
})

/** docs/contract.md 4.6. *Assumed*: an import whose charge fails is not stored, and its name stays unused. */
export const createSinglePointImport: Endpoint = {
  method: 'POST',
  path: '/api/v1/shipment/single-point-imports',
  says: 'Creates a single point import.',
  needsToken: true,
  body,
  async answer(call) {
    const { service } = call
    const organizationId = authorize(call)
    const sent = await readBody(call, body, importRules(service.db, organizationId))
    const { id, name, carrierShipmentId } = createImport(service, organizationId, sent)
    return record(201, 'Tek noktadan ithalat oluşturuldu.', { id, name, carrierShipmentId })
  },
}
