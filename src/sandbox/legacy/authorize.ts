import { organizationOfCall } from '../bearer-token.ts'
import type { Call } from '../service.ts'
import { unauthorized } from './legacy-error.ts'

/**
 * Returns the id of the organization whose token the request carries (docs/contract.md 3.4). Otherwise throws the 401,
 * also for a token of v1. *Assumed*: authorization comes before validation, so that strangers learn nothing.
 */
export function authorize(call: Call): number {
  const organizationId = organizationOfCall(call, 'legacy')
  if (organizationId === undefined) throw unauthorized(call.language)
  return organizationId
}
