import { UNIDENTIFIED } from '../../observe/traffic.ts'
import type { Call } from '../call.ts'
import type { Notes } from '../notes.ts'
import { countedName } from './client-names.ts'
import type { KnownTokens } from './known-tokens.ts'

/** Returns the client that an answered call counts under, in metrics and on the dashboard. */
export type CountedClient = (call: Call, notes: Notes, status: number) => string

/**
 * Tells clients from garbage. A call counts under the client that its login or our own token names. Otherwise, unless it was
 * refused, it counts under the client whose login got the token, if this or another replica served that login, or else under the
 * hash of the token, if a service has accepted it, now or before. Everything else counts together: refused calls (401, 403, unknown
 * paths), tokens that no service has accepted, and calls without a token, wherever they come from.
 */
export function countedClients(tokens: KnownTokens): CountedClient {
  return (call, { loggedIn }, status) => {
    const { credentials, request } = call
    const named = loggedIn ?? credentials.client
    if (named !== undefined) return countedName(named)
    const { authorization } = request.headers
    if (authorization === undefined || isRefused(call, status)) return UNIDENTIFIED
    if (isVouchedFor(call, status)) return tokens.accepted(authorization).name
    return tokens.get(authorization)?.name ?? UNIDENTIFIED
  }
}

const isRefused = ({ operation }: Call, status: number): boolean =>
  status === 401 || status === 403 || (operation === undefined && status >= 400)

/**
 * Whether the answer shows that the token is valid: we issued it, or a call that needs one succeeded, answered by a service or from
 * a list that is cached for this token alone. OPTIONS needs no token.
 */
function isVouchedFor({ operation, credentials, request }: Call, status: number): boolean {
  if (credentials.isOurs) return true
  if (operation?.mapping.authorization !== 'token' || request.method === 'OPTIONS') return false
  return (status >= 200 && status < 300) || status === 304
}
