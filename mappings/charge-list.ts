import { operation, passedThrough, post } from '../src/mapping/operation.ts'
import { chargePage } from './shapes/charge.ts'

export default operation('charge-list', {
  says: 'v1 has no equivalent. Only the legacy service itself answers it.',
  legacy: post('/api/transaction/charge/list'),
  v1: undefined,
  request: { kind: 'pass-through' },
  response: passedThrough(chargePage),
  effect: 'read',
  authorization: 'token',
  example: { request: { page: 1, perPage: 25 } },
})
