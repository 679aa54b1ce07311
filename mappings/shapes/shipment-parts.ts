import { assumed } from '../../src/mapping/basis.ts'
import { from, fromReference, same, shape } from '../../src/mapping/shape.ts'

/** The contract, POST /api/consignment/package/advance: `currency.updatedAt` is not returned by v1. */
export const shipmentCurrency = shape('Currency of a shipment', {
  id: same('int'),
  code: same('string'),
  name: same('string'),
  updatedAt: assumed(
    'the time of the same currency’s rates in the currency list; null when that cannot be had within 250 ms',
    fromReference({ list: 'currency-list', match: 'code', sibling: 'code', take: 'updatedAt' }, { type: 'timestamp' }),
  ),
})

/** The contract, the same row: `singlePointImport.carrierShipmentId` replaces `singlePointImport.shipmentId`. */
export const importOfShipment = shape('Single point import of a shipment', {
  id: same('int'),
  name: same('string'),
  shipmentId: from('carrierShipmentId', 'string'),
})

/** The contract, Shipment and Package (response): `type`, `status` and `activityStatus`. */
export const state = shape('State of a package shipment', {
  id: same('int'),
  slug: same('string'),
  name: same('string'),
})

/** The contract, Shipment and Product (response): `exportCode`, `unitOfMeasure`, `originCountry`. */
export const coded = shape('Coded name of a package shipment', {
  id: same('int'),
  code: same('string'),
  name: same('string'),
})
