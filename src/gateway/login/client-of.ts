import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Call } from '../call.ts'

/**
 * Returns the client that makes a call, from what is known before any service is asked: the client id in our token, otherwise the
 * hash of the `Authorization` header, otherwise the peer's address. It decides only which side answers; `countedClients` says which
 * client a call counts under.
 */
export function clientOf({ credentials, request }: Pick<Call, 'credentials' | 'request'>): string {
  if (credentials.client !== undefined) return credentials.client
  const { authorization } = request.headers
  return authorization === undefined ? request.peer : hashOf(authorization)
}

/** Returns what tells callers apart before any service is asked. It may be a token in plain text, so it must not be stored. */
export const callerKey = ({ credentials, request }: Pick<Call, 'credentials' | 'request'>): string =>
  credentials.client ?? request.headers.authorization ?? ''

/** Returns the hash that stands for an `Authorization` header: of a token without a client id, and in the keys of cached lists. 132 bits. */
export const hashOf = (authorization: string): string => hashes.memo(authorization)

/** Clients send the same header with every call. The hashes of some thousands are remembered, 4 MB at most. */
const hashes = new LRUCache<string, string, void>({
  maxSize: 4_000_000,
  sizeCalculation: (hashed, header) => header.length + hashed.length,
  memoMethod: (header) => hash('sha256', header, 'base64url').slice(0, 22),
})
