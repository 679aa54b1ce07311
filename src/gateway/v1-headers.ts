import type { Operation } from '../mapping/operation.ts'
import type { LegacyRequest } from './legacy-request.ts'

/** W3C Trace Context, section 3.2: version, trace id, parent id, flags. */
const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/
/** A chain of addresses longer than this is not one that proxies made. */
const MAX_FORWARDED = 1_024

/**
 * The headers of a v1 call: those that the contract knows, and those that trace a call. Nothing else of the client's, such
 * as cookies, conditions or ranges, reaches v1. An operation that needs no token is asked without one, so that its answer
 * is the same for all.
 */
export function v1Headers(
  request: LegacyRequest,
  { authorization: needs }: Operation,
  hasBody: boolean,
): Record<string, string> {
  const {
    authorization,
    traceparent,
    'accept-language': acceptLanguage,
    'x-forwarded-for': forwarded,
  } = request.headers
  const headers: Record<string, string> = { 'x-request-id': request.requestId }
  if (hasBody) headers['content-type'] = 'application/json'
  if (acceptLanguage !== undefined) headers['accept-language'] = acceptLanguage
  if (authorization !== undefined && needs === 'token') headers.authorization = authorization
  if (typeof traceparent === 'string' && TRACEPARENT.test(traceparent)) headers.traceparent = traceparent
  const chain = String(forwarded ?? '')
  headers['x-forwarded-for'] = chain === '' || chain.length > MAX_FORWARDED ? request.peer : `${chain}, ${request.peer}`
  return headers
}
