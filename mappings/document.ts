import { operation, post, record } from '../src/mapping/operation.ts'
import { body } from '../src/mapping/request.ts'
import { exampleAddress } from './shapes/address.ts'
import { documentRequest, documentShipment } from './shapes/document.ts'

export default operation('document', {
  says: 'Success is 201 with the shipment in data. A sender address of another organization is 400 BAD_REQUEST instead of 406.',
  legacy: post('/api/consignment/document'),
  v1: post('/api/v1/shipment/shipments/documents'),
  request: body(documentRequest),
  response: record(documentShipment, { v1Status: 201 }),
  effect: 'write',
  authorization: 'token',
  example: {
    request: {
      recipientAddress: exampleAddress,
      referenceNumbers: ['PO-1'],
      isRecipientCompany: false,
      senderAddressId: 1,
    },
  },
})
