import { operation, post, record } from '../src/mapping/operation.ts'
import { body } from '../src/mapping/request.ts'
import { singlePointImport, singlePointImportRequest } from './shapes/single-point-import.ts'

export default operation('import-create', {
  says: 'carrierShipmentId replaces shipmentId. Success is 201, a used name 422, a failed charge 400; senderAddress and createdAt are gone.',
  legacy: post('/api/single/point/import'),
  v1: post('/api/v1/shipment/single-point-imports'),
  request: body(singlePointImportRequest),
  response: record(singlePointImport, { v1Status: 201 }),
  effect: 'write',
  authorization: 'token',
  errors: {
    SINGLE_POINT_IMPORT_CHARGE_FAILED: {
      status: 500,
      reason: 'legacy answered a failed charge with 500',
    },
  },
  example: { request: { name: 'Tek nokta 1', shipmentId: 'GCCN-1' } },
})
