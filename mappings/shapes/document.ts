import { assumed, givenByService, list, lost, object, orNull, same, shape, timestamp } from '../../src/mapping/shape.ts'
import { address, requestAddress } from './address.ts'
import { importOfShipment, shipmentCurrency } from './shipment-parts.ts'

/** docs/contract.md 4.5 lists the request body completely, so nothing else is sent. */
export const documentRequest = shape(
  'Document shipment request',
  {
    recipientAddress: object(requestAddress),
    referenceNumbers: same('array of string'),
    isRecipientCompany: same('bool'),
    taxIdentificationNumber: same('string'),
    senderAddressId: same('int'),
    id: givenByService('shipment', same('int')),
  },
  { closed: true },
)

const closed = { closed: true }
const idName = shape('id and name', { id: same('int'), name: same('string') }, closed)
const idCodeName = shape('id, code and name', { id: same('int'), code: same('string'), name: same('string') }, closed)
const idSlugName = shape('id, slug and name', { id: same('int'), slug: same('string'), name: same('string') }, closed)

const party = shape(
  'Party of a document shipment',
  {
    id: givenByService('address', same('int')),
    firstName: same('string'),
    lastName: same('string'),
    company: same('string'),
    country: object(idCodeName),
  },
  closed,
)

const row = shape(
  'Package of a document shipment',
  {
    id: givenByService('package', same('int')),
    desi: same('number'),
    trackingNumber: givenByService('tracking number', same('string')),
    activityStatus: object(idSlugName),
  },
  closed,
)

const carrier = shape(
  'Carrier of a document shipment',
  { id: same('int'), name: same('string'), service: same('string'), slug: same('string') },
  closed,
)

const likeAPackage = 'the contract does not show its members; they are those of a package shipment'
const nullRather = 'legacy has a number here: a null that breaks a client is noticed, an invented price is not'

/** docs/contract.md 7.3 lists the record completely. */
export const documentShipment = shape(
  'Document shipment',
  {
    id: givenByService('shipment', same('int')),
    type: object(idSlugName),
    status: object(idSlugName),
    createdAt: givenByService('time', timestamp()),
    updatedAt: givenByService('time', timestamp()),
    trackingNumber: givenByService('tracking number', same('string')),
    barcode: givenByService('barcode', same('string')),
    trackingUrl: givenByService('tracking page', same('string')),
    packages: list(row),
    recipientAddress: object(party),
    senderAddress: object(party),
    organization: object(idName),
    carrier: object(carrier),
    freightPrice: assumed(nullRather, lost('v1 does not return it', 'number')),
    peakPrice: assumed(nullRather, lost('v1 does not return it', 'number')),
    remoteAreaPrice: assumed(nullRather, lost('v1 does not return it', 'number')),
    referenceNumbers: same('array of string'),
    isGuarantee: same('bool'),
    isOutsource: same('bool'),
    products: same('array'),
    currency: assumed(likeAPackage, orNull(object(shipmentCurrency))),
    taxNumber: lost('v1 does not return it'),
    taxIdentificationNumber: orNull(same('string')),
    billingAddress: assumed(likeAPackage, orNull(object(address))),
    orderData: lost('v1 does not return it'),
    comment: orNull(same('string')),
    singlePointImport: assumed(likeAPackage, orNull(object(importOfShipment))),
    customsAccountNumber: orNull(same('string')),
  },
  closed,
)
