import { z } from 'zod'
import { issueToken } from '../store/tokens.ts'
import { credentialsInvalid } from './legacy-error.ts'
import { type LegacyOperation, ok } from './operation.ts'
import { readBody } from './read-request.ts'

/** *Assumed*: the members have the names of v1; an empty string and null count as missing. */
const body = z.object({
  clientId: z.string().min(1),
  secretKey: z.string().min(1),
})

/** docs/contract.md 3.4: the token is a root member. */
export const issueApplicationToken: LegacyOperation = {
  method: 'POST',
  path: '/auth/application',
  async answer(call) {
    const credentials = await readBody(call, body)
    const { db, now } = call.service
    const token = issueToken(db, credentials, 'legacy', now())
    if (token === undefined) throw credentialsInvalid(call.language)
    return ok({ token })
  },
}
