import { operation, post, record } from '../src/mapping/operation.ts'
import { body } from '../src/mapping/request.ts'
import { exampleAddress } from './shapes/address.ts'
import { packageRequest } from './shapes/package-request.ts'
import { packageShipment } from './shapes/package-shipment.ts'

export default operation('package', {
  says: 'Products send unitOfMeasureCode. Success is 201; countries nest flags and tax; currency.updatedAt and orderData are gone.',
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
  example: {
    request: {
      recipientAddress: exampleAddress,
      packages: [{ length: 30, size: 20, height: 10, weight: 2, piece: 1 }],
      products: [
        {
          hsCode: '620520',
          description: 'Gömlek',
          piece: 3,
          unitPrice: 12.35,
          unitOfMeasure: { code: 'C62', name: 'Adet' },
          originCountryCode: 'TR',
        },
      ],
      description: 'Tekstil',
      carrierId: 2,
      currencyId: 1,
      exportCodeId: 1,
      referenceNumbers: ['PO-1'],
      deliveryTaxType: 1,
      previousTaxStatus: 0,
      isRecipientCompany: false,
      isDiffBillingAddress: false,
      senderAddressId: 1,
      customsAccountNumber: 'CA-1',
      customsAccountZipCode: '50667',
    },
  },
})
