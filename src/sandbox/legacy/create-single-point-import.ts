import { z } from 'zod'
import { importRules } from '../orders/import-rules.ts'
import { createImport } from '../shipping/single-point-imports.ts'
import { findLocatedAddress } from '../store/shipments.ts'
import { recordId, text } from '../validation/body-fields.ts'
import { authorize } from './authorize.ts'
import { type LegacyOperation, ok } from './operation.ts'
import { presentAddress } from './present-address.ts'
import { readBody } from './read-request.ts'
import { legacyTimestamp } from './timestamp.ts'

/** `shipmentId` is called carrierShipmentId in v1. *Assumed*: the rest is as in v1. */
const body = z.object({
  name: text(255),
  shipmentId: text(64),
  senderAddressId: recordId().nullish(),
})

/**
 * docs/contract.md 6.6: 200 and the record itself, with senderAddress and createdAt, which v1's answer does not have. A
 * name already in use is a 400, a charge that fails a 500.
 */
export const createSinglePointImport: LegacyOperation = {
  method: 'POST',
  path: '/api/single/point/import',
  async answer(call) {
    const { service, language } = call
    const organizationId = authorize(call)
    const sent = await readBody(call, body, importRules(service.db, organizationId))
    const { name, shipmentId, senderAddressId } = sent
    const created = createImport(service, organizationId, { name, carrierShipmentId: shipmentId, senderAddressId })
    return ok({
      id: created.id,
      name,
      shipmentId,
      senderAddress: presentAddress(findLocatedAddress(service.db, created.senderAddressId), language),
      createdAt: legacyTimestamp(created.createdAt),
    })
  },
}
