import { documentBody, readDocumentOrder } from '../orders/document-order.ts'
import { commonRules } from '../orders/shipment-rules.ts'
import { createShipment } from '../shipping/create-shipment.ts'
import { mustBeThere } from '../store/rows.ts'
import { findShipment } from '../store/shipments.ts'
import { authorize } from './authorize.ts'
import type { Endpoint } from './endpoint.ts'
import { record } from './envelope.ts'
import { presentShipment } from './present-shipment.ts'
import { readBody } from './read-request.ts'

/** docs/contract.md 4.5: always with carrier 1, and always one package of 0 x 0 x 0 cm and 0.5 kg. */
export const createDocumentShipment: Endpoint = {
  method: 'POST',
  path: '/api/v1/shipment/shipments/documents',
  says: 'Creates a document shipment and registers it with the carrier.',
  needsToken: true,
  body: documentBody,
  async answer(call) {
    const { db } = call.service
    const organizationId = authorize(call)
    const sent = await readBody(call, documentBody, commonRules(db))
    const id = createShipment(call.service, organizationId, sent.id ?? null, readDocumentOrder(sent))
    const shipment = mustBeThere(findShipment(db, organizationId, id))
    return record(201, 'Gönderi oluşturuldu.', presentShipment(shipment, call.language))
  },
}
