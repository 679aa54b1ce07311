import { operation, post, record } from '../src/mapping/operation.ts'
import { body } from '../src/mapping/request.ts'
import { packageRequest } from './shapes/package-request.ts'
import { packageShipment } from './shapes/package-shipment.ts'

export default operation('package', {
  says: 'Products send unitOfMeasureCode; 201; flags and tax of countries are objects; currency.updatedAt and orderData are gone.',
  legacy: post('/api/consignment/package/advance'),
  v1: post('/api/v1/shipment/shipments/packages'),
  request: body(packageRequest),
  response: record(packageShipment, { v1Status: 201 }),
  effect: 'write',
  authorization: 'token',
  errors: {
    SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE: {
      ownMessage: true,
      reason: 'legacy answered a completed import with a not-found message',
    },
  },
})
