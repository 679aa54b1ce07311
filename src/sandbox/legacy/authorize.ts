import { organizationOfCall } from '../bearer-token.ts'
import type { Call } from '../service.ts'
import { unauthorized } from './legacy-error.ts'

/**
 * The id of the organization whose token the request carries (docs/contract.md 3.4); tokens of v1 are not good here.
 * Throws the 401 otherwise. *Assumed*: asked before validation, so that a stranger learns nothing.
 */
export function authorize(call: Call): number {
  const organizationId = organizationOfCall(call, 'legacy')
  if (organizationId === undefined) throw unauthorized(call.language)
  return organizationId
}
