import { readPackageOrder } from '../orders/read-package-order.ts'
import { createShipment } from '../shipping/create-shipment.ts'
import { findRatesTime } from '../store/references.ts'
import { mustBeThere } from '../store/rows.ts'
import { findShipment } from '../store/shipments.ts'
import { authorize } from './authorize.ts'
import { type LegacyOperation, ok } from './operation.ts'
import { legacyPackageBody, legacyPackageRules, readPackageBody } from './package-shipment-body.ts'
import { presentPackageShipment } from './present-package-shipment.ts'
import { readBody } from './read-request.ts'

/** docs/contract.md 6.5: 200 and the record itself. */
export const createPackageShipment: LegacyOperation = {
  method: 'POST',
  path: '/api/consignment/package/advance',
  async answer(call) {
    const { db } = call.service
    const organizationId = authorize(call)
    const sent = readPackageBody(await readBody(call, legacyPackageBody, legacyPackageRules(db)))
    const id = createShipment(call.service, organizationId, sent.id ?? null, readPackageOrder(db, sent))
    const shipment = mustBeThere(findShipment(db, organizationId, id))
    const ratesTime = mustBeThere(findRatesTime(db, sent.currencyId))
    return ok(presentPackageShipment(shipment, ratesTime, call.language))
  },
}
