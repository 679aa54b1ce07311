import type { Call } from './service.ts'
import { type Face, organizationOfToken } from './store/tokens.ts'

/**
 * Returns the id of the organization whose token the request carries as `Authorization: Bearer <ACCESS_TOKEN>`
 * (docs/contract.md 3.2 and 3.4). Undefined if the token is missing, unknown, expired or for the other face.
 */
export function organizationOfCall({ service, request }: Call, face: Face): number | undefined {
  const [, token] = /^Bearer (\S+)$/.exec(request.header('Authorization') ?? '') ?? []
  return token === undefined ? undefined : organizationOfToken(service.db, token, face, service.now())
}
