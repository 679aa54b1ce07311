import { assumed, from, givenByService, lost, same, shape } from '../../src/mapping/shape.ts'

/** The contract does not show the request (docs/contract.md 13.1): it passes, with the carrier's shipment id under v1's name. */
export const singlePointImportRequest = shape('Single point import request', {
  name: same('string'),
  shipmentId: assumed(
    'the contract says that the name changed, but does not show the request',
    from('carrierShipmentId', 'string'),
  ),
})

/** docs/contract.md 5.8 and 6.6. Open: other members pass. */
export const singlePointImport = shape('Single point import', {
  id: givenByService('import', same('int')),
  name: same('string'),
  shipmentId: from('carrierShipmentId', 'string'),
  senderAddress: lost('v1 does not return it'),
  createdAt: lost('v1 does not return it'),
})
