import { z } from 'zod'
import { issueToken } from '../store/tokens.ts'
import type { Endpoint } from './endpoint.ts'
import { record } from './envelope.ts'
import { readBody } from './read-request.ts'
import { credentialsInvalid } from './v1-error.ts'

/** *Assumed*: the member names (docs/contract.md 13.1); an empty string and null count as missing. */
const body = z.object({
  clientId: z.string().min(1),
  secretKey: z.string().min(1),
})

/** docs/contract.md 4.1. *Assumed*: status 200. */
export const issueApplicationToken: Endpoint = {
  method: 'POST',
  path: '/api/v1/auth/application',
  says: 'Exchanges the client id and secret key for a token.',
  needsToken: false,
  body,
  async answer(call) {
    const credentials = await readBody(call, body)
    const { db, now } = call.service
    const token = issueToken(db, credentials, 'v1', now())
    if (token === undefined) throw credentialsInvalid()
    return record(200, 'Erişim anahtarı oluşturuldu.', { token })
  },
}
