import { from, givenByService, list, lost, object, same, shape } from '../../src/mapping/shape.ts'
import { requestAddress } from './address.ts'

const measures = shape('Package of a request', {
  length: same('number'),
  size: same('number'),
  height: same('number'),
  weight: same('number'),
  piece: same('int'),
})

const product = shape('Product of a request', {
  hsCode: same('string'),
  description: same('string'),
  piece: same('int'),
  unitPrice: same('number'),
  'unitOfMeasure.code': from('unitOfMeasureCode', 'string'),
  'unitOfMeasure.name': lost('v1 takes only the code'),
  originCountryCode: same('string'),
})

const place = shape('County or city of a request', { id: same('int'), name: same('string') })

const newSenderAddress = shape('New sender address', {
  title: same('string'),
  county: object(place),
  city: object(place),
  address1: same('string'),
  address2: same('string'),
  firstName: same('string'),
  lastName: same('string'),
  company: same('string'),
  phone: same('string'),
  zipCode: same('string'),
  email: same('string'),
  taxType: same('int'),
  tcNo: same('string'),
  taxNumber: same('string'),
})

/** docs/contract.md 4.4 lists the request body completely, so nothing else is sent. */
export const packageRequest = shape(
  'Package shipment request',
  {
    recipientAddress: object(requestAddress),
    packages: list(measures),
    description: same('string'),
    carrierId: same('int'),
    currencyId: same('int'),
    exportCodeId: same('int'),
    products: list(product),
    referenceNumbers: same('array of string'),
    taxNumber: same('string'),
    deliveryTaxType: same('int'),
    previousTaxStatus: same('int'),
    freight: same('number'),
    discount: same('number'),
    other: same('number'),
    isRecipientCompany: same('bool'),
    taxIdentificationNumber: same('string'),
    isDiffBillingAddress: same('bool'),
    billingAddress: object(requestAddress),
    senderAddressId: same('int'),
    newSenderAddress: object(newSenderAddress),
    singlePointImportId: givenByService('import', same('int')),
    customsAccountNumber: same('string'),
    customsAccountZipCode: same('string'),
    comment: same('string'),
    id: givenByService('shipment', same('int')),
  },
  { closed: true },
)
