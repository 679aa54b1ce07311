import { noContent, operation, post } from '../src/mapping/operation.ts'
import { positiveId } from '../src/mapping/reader.ts'
import { bodyParameters, segment } from '../src/mapping/request.ts'
import { assumed, givenByService } from '../src/mapping/shape.ts'

export default operation('import-complete', {
  says: 'The import id moves from the body into the path. Success is 200 with {success, message} instead of 204.',
  legacy: post('/api/single/point/import/complete'),
  v1: post('/api/v1/shipment/single-point-imports/{id}/complete'),
  request: bodyParameters({
    id: assumed(
      'the contract does not name the member; only a positive whole number may fill a path',
      givenByService('import', segment(positiveId)),
    ),
  }),
  response: noContent(204, { v1Status: 200 }),
  effect: 'write',
  authorization: 'token',
  errors: {
    SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE: {
      ownMessage: true,
      reason: 'legacy answers a not-found message, as the contract says of a shipment that uses a completed import',
      basis: 'assumed',
    },
  },
  example: { request: { id: 1 } },
})
