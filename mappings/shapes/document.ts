import { assumed } from '../../src/mapping/basis.ts'
import { list, lost, object, same, shape, timestamp } from '../../src/mapping/shape.ts'
import { address } from './address.ts'
import { importOfShipment, shipmentCurrency } from './shipment-parts.ts'

/** The contract, endpoint 5: the request body is listed whole, so that nothing else is sent. */
export const documentRequest = shape(
  'Document shipment request',
  {
    recipientAddress: same(),
    referenceNumbers: same(),
    isRecipientCompany: same(),
    taxIdentificationNumber: same(),
    senderAddressId: same(),
    id: same(),
  },
  { closed: true },
)

const closed = { closed: true }
const idName = shape('id and name', { id: same(), name: same() }, closed)
const idCodeName = shape('id, code and name', { id: same(), code: same(), name: same() }, closed)
const idSlugName = shape('id, slug and name', { id: same(), slug: same(), name: same() }, closed)

const party = shape(
  'Party of a document shipment',
  { id: same(), firstName: same(), lastName: same(), company: same(), country: object(idCodeName) },
  closed,
)

const row = shape(
  'Package of a document shipment',
  { id: same(), desi: same(), trackingNumber: same(), activityStatus: object(idSlugName) },
  closed,
)

const carrier = shape(
  'Carrier of a document shipment',
  { id: same(), name: same(), service: same(), slug: same() },
  closed,
)

const likeAPackage = 'the contract does not show what is in it; it is as in a package shipment'
const nullRather = 'legacy has a number here: a null that breaks is found, a price that is made up is not'

/** The contract, Legacy document shipment record: listed whole. */
export const documentShipment = shape(
  'Document shipment',
  {
    id: same(),
    type: object(idSlugName),
    status: object(idSlugName),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    trackingNumber: same(),
    barcode: same(),
    trackingUrl: same(),
    packages: list(row),
    recipientAddress: object(party),
    senderAddress: object(party),
    organization: object(idName),
    carrier: object(carrier),
    freightPrice: assumed(nullRather, lost('v1 does not return it')),
    peakPrice: assumed(nullRather, lost('v1 does not return it')),
    remoteAreaPrice: assumed(nullRather, lost('v1 does not return it')),
    referenceNumbers: same(),
    isGuarantee: same(),
    isOutsource: same(),
    products: same(),
    currency: assumed(likeAPackage, object(shipmentCurrency)),
    taxNumber: lost('v1 does not return it'),
    taxIdentificationNumber: same(),
    billingAddress: assumed(likeAPackage, object(address)),
    orderData: lost('v1 does not return it'),
    comment: same(),
    singlePointImport: assumed(likeAPackage, object(importOfShipment)),
    customsAccountNumber: same(),
  },
  closed,
)
