import { LRUCache } from 'lru-cache'
import { UNIDENTIFIED } from '../../observe/traffic.ts'
import type { Call } from '../call.ts'
import type { Notes } from '../notes.ts'
import { hashOf } from './client-of.ts'

/** Whom a call counts under in metrics and on the dashboard, once it has been answered with a status. */
export type CountedClient = (call: Call, notes: Notes, status: number) => string

/** Of tokens that a service accepted, some thousands; characters. */
const REMEMBERED = 4_000_000

/**
 * Tells clients from garbage. A client is whom a login or a token of ours names; else the hash of a token that a service has
 * accepted, this time or before. All else counts together: refused calls (401, 403, paths that nobody knows), tokens that no
 * service has seen, calls without one, wherever they come from.
 */
export function countedClients(): CountedClient {
  /** Clients by their header, so that a call looks it up once. */
  const accepted = new LRUCache<string, string>({
    maxSize: REMEMBERED,
    sizeCalculation: (client, header) => header.length + client.length,
  })
  return (call, { loggedIn }, status) => {
    const { credentials, request } = call
    const named = loggedIn ?? credentials.client
    if (named !== undefined) return named
    const { authorization } = request.headers
    if (authorization === undefined || isRefused(call, status)) return UNIDENTIFIED
    const known = accepted.get(authorization)
    if (known !== undefined) return known
    if (!isVouchedFor(call, status)) return UNIDENTIFIED
    const client = hashOf(authorization)
    accepted.set(authorization, client)
    return client
  }
}

const isRefused = ({ operation }: Call, status: number): boolean =>
  status === 401 || status === 403 || (operation === undefined && status >= 400)

/**
 * Whether the answer shows that the token is one: we made it, or a success that is not to be had without one came from a service,
 * or from a list that is kept for this token alone. An OPTIONS is answered to anybody.
 */
function isVouchedFor({ operation, credentials, request }: Call, status: number): boolean {
  if (credentials.isOurs) return true
  if (operation?.mapping.authorization !== 'token' || request.method === 'OPTIONS') return false
  return (status >= 200 && status < 300) || status === 304
}
