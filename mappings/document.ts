import { operation, post, record } from '../src/mapping/operation.ts'
import { body } from '../src/mapping/request.ts'
import { exampleAddress } from './shapes/address.ts'
import { documentRequest, documentShipment } from './shapes/document.ts'

export default operation('document', {
  says: '201 and the shipment in data in place of 200 and the record; a sender address of someone else is 400 BAD_REQUEST.',
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
