import { hash } from 'node:crypto'
import type { Call } from './gateway.ts'

/** Who calls: the client id in our token, else the hash of the `Authorization` header, else the peer's address. */
export function clientOf({ credentials, request }: Call): string {
  if (credentials.client !== undefined) return credentials.client
  const { authorization } = request.headers
  if (authorization === undefined) return request.peer
  return hash('sha256', authorization, 'base64url').slice(0, 22)
}
