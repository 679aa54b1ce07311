import { operation, post, record } from '../src/mapping/operation.ts'
import { body } from '../src/mapping/request.ts'
import { promised, same, shape } from '../src/mapping/shape.ts'

/** The contract does not show the login's body (docs/contract.md 13.1): everything a client sends passes. */
const credentials = shape('Credentials', {})

const token = shape('Token', { token: promised('string', same()) })

export default operation('auth', {
  says: 'The token moves from the root to data.token. A missing field is 422 instead of 400.',
  legacy: post('/auth/application'),
  v1: post('/api/v1/auth/application'),
  request: body(credentials),
  response: record(token),
  effect: 'calculation',
  authorization: 'none',
  login: { client: 'clientId', secret: 'secretKey', token: 'token' },
  example: { request: { clientId: 'demo-client', secretKey: 'demo-secret' } },
})
