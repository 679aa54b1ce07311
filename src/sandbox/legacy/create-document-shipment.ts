import { documentBody, readDocumentOrder } from '../orders/document-order.ts'
import { commonRules } from '../orders/shipment-rules.ts'
import { createShipment } from '../shipping/create-shipment.ts'
import { mustBeThere } from '../store/rows.ts'
import { findShipment } from '../store/shipments.ts'
import { authorize } from './authorize.ts'
import { type LegacyOperation, ok } from './operation.ts'
import { presentDocument } from './present-document.ts'
import { readBody } from './read-request.ts'

/**
 * docs/contract.md 6.4: 200 and the record itself. *Assumed*: in addition to the members named there and
 * senderAddressId, it takes the id of a draft, like v1.
 */
export const createDocumentShipment: LegacyOperation = {
  method: 'POST',
  path: '/api/consignment/document',
  async answer(call) {
    const { db } = call.service
    const organizationId = authorize(call)
    const sent = await readBody(call, documentBody, commonRules(db))
    const id = createShipment(call.service, organizationId, sent.id ?? null, readDocumentOrder(sent))
    return ok(presentDocument(mustBeThere(findShipment(db, organizationId, id)), call.language))
  },
}
