import { organizationOfToken } from '../store/tokens.ts'
import type { Call } from './endpoint.ts'
import { unauthorized } from './v1-error.ts'

/**
 * The id of the organization whose token the request carries as `Authorization: Bearer <ACCESS_TOKEN>` (contract,
 * Authentication 2). Throws the 401 otherwise. *Assumed*: asked before validation, so that a stranger learns nothing.
 */
export function authorize({ service, request }: Call): number {
  const [, token] = /^Bearer (\S+)$/.exec(request.header('Authorization') ?? '') ?? []
  const organizationId = token && organizationOfToken(service.db, token, 'v1', service.now())
  if (!organizationId) throw unauthorized()
  return organizationId
}
