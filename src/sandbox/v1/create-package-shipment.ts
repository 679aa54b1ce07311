import { packageShipmentBody } from '../orders/package-shipment-body.ts'
import { packageRules } from '../orders/package-shipment-rules.ts'
import { readPackageOrder } from '../orders/read-package-order.ts'
import { createShipment } from '../shipping/create-shipment.ts'
import { mustBeThere } from '../store/rows.ts'
import { findShipment } from '../store/shipments.ts'
import { authorize } from './authorize.ts'
import type { Endpoint } from './endpoint.ts'
import { record } from './envelope.ts'
import { presentShipment } from './present-shipment.ts'
import { readBody } from './read-request.ts'

/** docs/contract.md 4.4. */
export const createPackageShipment: Endpoint = {
  method: 'POST',
  path: '/api/v1/shipment/shipments/packages',
  says: 'Creates a package shipment and registers it with the carrier.',
  needsToken: true,
  body: packageShipmentBody,
  async answer(call) {
    const { db } = call.service
    const organizationId = authorize(call)
    const sent = await readBody(call, packageShipmentBody, packageRules(db))
    const id = createShipment(call.service, organizationId, sent.id ?? null, readPackageOrder(db, sent))
    const shipment = mustBeThere(findShipment(db, organizationId, id))
    return record(201, 'Gönderi oluşturuldu.', presentShipment(shipment, call.language))
  },
}
