import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Call } from '../call.ts'

/**
 * Who calls, as far as can be told before anybody is asked: the client id in our token, else the hash of the `Authorization`
 * header, else the peer's address. It decides who answers, and is nobody's name: `countedClients` says whom a call counts under.
 */
export function clientOf({ credentials, request }: Pick<Call, 'credentials' | 'request'>): string {
  if (credentials.client !== undefined) return credentials.client
  const { authorization } = request.headers
  return authorization === undefined ? request.peer : hashOf(authorization)
}

/** What stands for a token that names nobody. */
export const hashOf = (authorization: string): string => hashes.memo(authorization)

/** A client sends the same header with every call: some thousands of them are remembered, 4 MB at most. */
const hashes = new LRUCache<string, string, void>({
  maxSize: 4_000_000,
  sizeCalculation: (hashed, header) => header.length + hashed.length,
  memoMethod: (header) => hash('sha256', header, 'base64url').slice(0, 22),
})
