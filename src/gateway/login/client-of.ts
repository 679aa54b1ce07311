import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Call } from '../gateway.ts'

/** Who calls: the client id in our token, else the hash of the `Authorization` header, else the peer's address. */
export function clientOf({ credentials, request }: Call): string {
  if (credentials.client !== undefined) return credentials.client
  const { authorization } = request.headers
  if (authorization === undefined) return request.peer
  return hashes.memo(authorization)
}

/** A client sends the same header with every call: some thousands of them are remembered, 4 MB at most. */
const hashes = new LRUCache<string, string, void>({
  maxSize: 4_000_000,
  sizeCalculation: (hashed, header) => header.length + hashed.length,
  memoMethod: (header) => hash('sha256', header, 'base64url').slice(0, 22),
})
