import { from, list, lost, object, same, shape, timestamp } from '../../src/mapping/shape.ts'
import { address } from './address.ts'
import { importOfShipment, shipmentCurrency } from './shipment-parts.ts'

/** The contract, Shipment, with what v1 changed undone. Open: what is not named here is the same on both sides. */
export const packageShipment = shape('Package shipment', {
  id: same(),
  currency: object(shipmentCurrency),
  singlePointImport: object(importOfShipment),
  recipientAddress: object(address),
  senderAddress: object(address),
  billingAddress: object(address),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  orderData: lost('v1 does not return it'),
})

const product = shape('Product of a request', {
  'unitOfMeasure.code': from('unitOfMeasureCode'),
  'unitOfMeasure.name': lost('v1 takes the code alone'),
})

/** The contract, endpoint 4: the request body is listed whole, so that nothing else is sent. */
export const packageRequest = shape(
  'Package shipment request',
  {
    recipientAddress: same(),
    packages: same(),
    description: same(),
    carrierId: same(),
    currencyId: same(),
    exportCodeId: same(),
    products: list(product),
    referenceNumbers: same(),
    taxNumber: same(),
    deliveryTaxType: same(),
    previousTaxStatus: same(),
    freight: same(),
    discount: same(),
    other: same(),
    isRecipientCompany: same(),
    taxIdentificationNumber: same(),
    isDiffBillingAddress: same(),
    billingAddress: same(),
    senderAddressId: same(),
    newSenderAddress: same(),
    singlePointImportId: same(),
    customsAccountNumber: same(),
    customsAccountZipCode: same(),
    comment: same(),
    id: same(),
  },
  { closed: true },
)
