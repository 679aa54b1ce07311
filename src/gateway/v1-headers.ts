import type { Operation } from '../mapping/operation.ts'
import { isTraceParent, isTraceState } from '../observe/tracing/trace-context.ts'
import type { Call } from './call.ts'
import type { LegacyRequest } from './legacy-request.ts'

/** A chain of addresses longer than this is not one that proxies made. */
const MAX_FORWARDED = 1_024

/**
 * The headers of a v1 call: those of docs/contract.md 2.3 and 3.2, and those that trace a call. Nothing else of the client's,
 * such as cookies, conditions or ranges, reaches v1. An operation that needs no token is asked without one, so that its answer
 * is the same for all.
 */
export function v1Headers(
  { request, credentials }: Call,
  { authorization: needs }: Operation,
  hasBody: boolean,
): Record<string, string> {
  const { traceparent } = request.headers
  // Always, and as docs/contract.md 2.3 has it: a header such as `de, en;q=0.9` can be read in more than one way, and what v1
  // answers in one language is kept for all who ask for it.
  const headers: Record<string, string> = { 'x-request-id': request.requestId, 'accept-language': request.language }
  if (hasBody) headers['content-type'] = 'application/json'
  if (credentials.v1 !== undefined && needs === 'token') headers.authorization = credentials.v1
  if (isTraceParent(traceparent)) {
    headers.traceparent = traceparent
    const { tracestate } = request.headers
    if (isTraceState(tracestate)) headers.tracestate = tracestate
  }
  headers['x-forwarded-for'] = forwardedFor(request)
  return headers
}

/**
 * The chain of addresses that a call came through, with whoever is at the other end of the connection: that one alone when
 * trusted proxies were named and it is none of them.
 */
export function forwardedFor({ headers, socketAddress, viaTrustedProxy }: LegacyRequest): string {
  const chain = viaTrustedProxy === false ? '' : String(headers['x-forwarded-for'] ?? '')
  return chain === '' || chain.length > MAX_FORWARDED ? socketAddress : `${chain}, ${socketAddress}`
}
