import { assumed } from '../../src/mapping/basis.ts'
import { from, lost, same, shape } from '../../src/mapping/shape.ts'

/** The contract does not show the request: all that a client sends passes, the carrier's shipment number under v1's name. */
export const singlePointImportRequest = shape('Single point import request', {
  name: same('string'),
  shipmentId: assumed(
    'the contract says that the name is replaced, but does not show the request',
    from('carrierShipmentId', 'string'),
  ),
})

/** The contract, Single point import, and `POST /api/single/point/import` under Endpoint mapping. Open: the rest passes. */
export const singlePointImport = shape('Single point import', {
  id: same('int'),
  name: same('string'),
  shipmentId: from('carrierShipmentId', 'string'),
  senderAddress: lost('v1 does not return it'),
  createdAt: lost('v1 does not return it'),
})
