import type { Operation } from '../mapping/operation.ts'
import { isTraceParent, isTraceState } from '../observe/tracing/trace-context.ts'
import type { Call } from './call.ts'
import { forwardedFor } from './forwarded-headers.ts'
import { holdsSealed } from './login/find-sealed.ts'

/**
 * Returns the headers of a v1 call: those of docs/contract.md 2.3 and 3.2, and those of tracing. No other header of the
 * client, such as cookies, conditions or ranges, reaches v1. An operation that needs no token is asked without one, so
 * that its answer is the same for all.
 */
export function v1Headers(
  { request, credentials }: Call,
  { authorization: needs }: Operation,
  hasBody: boolean,
): Record<string, string> {
  const { traceparent } = request.headers
  // Always sent, in the form of docs/contract.md 2.3. The client's own header, such as `de, en;q=0.9`, can be read in more than one
  // way, and v1's answer in one language is cached for all clients that ask for it.
  const headers: Record<string, string> = { 'x-request-id': request.requestId, 'accept-language': request.language }
  if (hasBody) headers['content-type'] = 'application/json'
  if (credentials.v1 !== undefined && needs === 'token') headers.authorization = credentials.v1
  if (isTraceParent(traceparent)) {
    headers.traceparent = traceparent
    const { tracestate } = request.headers
    if (isTraceState(tracestate) && !holdsSealed(tracestate)) headers.tracestate = tracestate
  }
  const chain = forwardedFor(request)
  if (chain !== undefined) headers['x-forwarded-for'] = chain
  return headers
}
