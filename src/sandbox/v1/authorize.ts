import { organizationOfCall } from '../bearer-token.ts'
import type { Call } from './endpoint.ts'
import { unauthorized } from './v1-error.ts'

/**
 * Returns the id of the organization whose token the request carries as `Authorization: Bearer <ACCESS_TOKEN>`
 * (docs/contract.md 3.2). Otherwise throws the 401. *Assumed*: authorization comes before validation, so that
 * strangers learn nothing.
 */
export function authorize(call: Call): number {
  const organizationId = organizationOfCall(call, 'v1')
  if (organizationId === undefined) throw unauthorized()
  return organizationId
}
