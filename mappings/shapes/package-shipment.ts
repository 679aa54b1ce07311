import { givenByService, list, lost, object, orNull, same, shape, timestamp } from '../../src/mapping/shape.ts'
import { address } from './address.ts'
import { coded, importOfShipment, shipmentCurrency, state } from './shipment-parts.ts'

const carrier = shape('Carrier of a package shipment', {
  id: same('int'),
  slug: same('string'),
  name: same('string'),
  service: same('string'),
  logoUrl: same('string'),
})

/** docs/contract.md 5.6. */
const row = shape('Package of a package shipment', {
  id: givenByService('package', same('int')),
  desi: same('number'),
  size: same('number'),
  height: same('number'),
  length: same('number'),
  weight: same('number'),
  trackingNumber: givenByService('tracking number', same('string')),
  activityStatus: object(state),
})

/** docs/contract.md 5.7. */
const product = shape('Product of a package shipment', {
  id: givenByService('product', same('int')),
  hsCode: same('string'),
  description: same('string'),
  piece: same('int'),
  unitPrice: same('number'),
  unitOfMeasure: object(coded),
  originCountry: object(coded),
})

/**
 * docs/contract.md 5.4, with v1's changes undone. Open: other members are the same on both sides. Members that a request may
 * leave out can be null: docs/contract.md 7.3 says so of the document's record, which v1 answers as the same Shipment.
 */
export const packageShipment = shape('Package shipment', {
  id: givenByService('shipment', same('int')),
  barcode: givenByService('barcode', same('string')),
  trackingNumber: givenByService('tracking number', same('string')),
  trackingUrl: givenByService('tracking page', same('string')),
  description: orNull(same('string')),
  comment: orNull(same('string')),
  type: object(state),
  status: object(state),
  activityStatus: object(state),
  currency: orNull(object(shipmentCurrency)),
  exportCode: orNull(object(coded)),
  carrier: object(carrier),
  organization: object(shape('Organization of a package shipment', { id: same('int'), name: same('string') })),
  singlePointImport: orNull(object(importOfShipment)),
  recipientAddress: object(address),
  senderAddress: object(address),
  billingAddress: orNull(object(address)),
  referenceNumbers: same('array of string'),
  taxIdentificationNumber: orNull(same('string')),
  deliveryTaxType: orNull(same('int')),
  previousTaxStatus: orNull(same('int')),
  isGuarantee: same('bool'),
  isOutsource: same('bool'),
  customsAccountNumber: orNull(same('string')),
  customsAccountZipCode: orNull(same('string')),
  packages: list(row),
  products: list(product),
  createdAt: givenByService('time', timestamp()),
  updatedAt: givenByService('time', timestamp()),
  orderData: lost('v1 does not return it'),
})
