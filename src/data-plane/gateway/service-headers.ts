import { isIPv4 } from 'node:net'
import { PURPOSE_HEADER } from '../../exchange/purpose.ts'
import type { Operation } from '../../mapping/operation.ts'
import { isTraceParent, isTraceState } from '../../observe/tracing/trace-context.ts'
import { endToEnd } from '../upstream/forward.ts'
import { SERVE } from './answering-side.ts'
import { addressesOf, normalized } from './client-address.ts'
import type { Call } from './gateway.ts'
import { holdsSealed } from './login/sealed-token.ts'
import type { LegacyRequest } from './request-head.ts'

type Headers = Record<string, string | string[]>

/** Headers that proxies set about a client. If trusted proxies are configured, these headers are kept only from them. */
const PROXY_HEADERS = /^(?:forwarded|x-real-ip|x-forwarded-.*)$/

/**
 * Returns the headers of a client's call as the legacy service gets them: end to end, and with what is known about the connection.
 * `Host`, `Authorization` and `X-Request-Id` are for whoever sends them, and `X-Gateway-Serve` is for the gateway. What a call is for that
 * is no client's, no client says.
 */
export function clientHeaders(request: LegacyRequest): Headers {
  const {
    host: _,
    expect: __,
    authorization: ___,
    'x-request-id': ____,
    'x-forwarded-for': _____,
    [PURPOSE_HEADER]: ______,
    [SERVE]: _______,
    ...others
  } = endToEnd(request.headers)
  if (request.viaTrustedProxy === false) {
    for (const name in others) if (PROXY_HEADERS.test(name)) delete others[name]
  }
  return { ...others, ...forwardedHeaders(request) }
}

/** Headers that ask for less than the whole answer, say how it may be packed, or are about a body or a trace. */
const NOT_ASKED_AGAIN = /^(?:if-.*|range|accept-language|accept-encoding|content-.*|traceparent|tracestate)$/

/**
 * Returns the headers with which the legacy service is asked the same again for a comparison: an answer may depend on any of them. One
 * that holds a token of the gateway is left out.
 */
export function headersToAskAgain(request: LegacyRequest): Headers {
  const headers = clientHeaders(request)
  for (const name in headers) {
    const value = headers[name] as string | string[]
    if (NOT_ASKED_AGAIN.test(name) || [value].flat().some(holdsSealed)) delete headers[name]
  }
  return headers
}

/**
 * Returns the headers that tell the legacy service about the client's own connection: the chain of addresses, up to the one at the
 * other end of the connection, and the scheme and host that the client used. A proxy in front of the gateway knows scheme and host
 * better, so its values are passed on unchanged, unless trusted proxies are configured and it is not one of them. They are never
 * joined with ours: with two values, it would be unclear which one counts.
 */
export function forwardedHeaders(request: LegacyRequest): Record<string, string> {
  const { 'x-forwarded-proto': proto, 'x-forwarded-host': forwardedHost } =
    request.viaTrustedProxy === false ? {} : request.headers
  const host = forwardedHost || request.headers.host
  const chain = forwardedFor(request)
  return {
    ...(chain !== undefined && { 'x-forwarded-for': chain }),
    'x-forwarded-proto': String(proto || (request.isEncrypted === true ? 'https' : 'http')),
    ...(host && { 'x-forwarded-host': String(host) }),
  }
}

/** The longest chain of addresses that is passed on, in characters. Proxies do not make longer ones. */
const MAX_FORWARDED = 1_024

/**
 * Returns the chain of addresses that a call came through, ending with the one at the other end of the connection. It is taken from
 * `X-Forwarded-For`, or else from `Forwarded`. It holds only addresses, in their plain form: a service that parses it fails with
 * anything else. Returns only the last address if trusted proxies are configured and it is not one of them, or if the chain is too
 * long. Undefined: no address is known. A call that is made because of a client's call has the chain of that one.
 */
function forwardedFor(request: LegacyRequest): string | undefined {
  if ('chain' in request) return request.chain
  const { headers, socketAddress, viaTrustedProxy } = request
  const last = isIPv4(socketAddress) ? socketAddress : normalized(socketAddress)
  if (viaTrustedProxy === false) return last
  const told = String(headers['x-forwarded-for'] ?? '')
  const chain = told === '' ? (headers.forwarded ?? '') : told
  if (chain === '' || chain.length > MAX_FORWARDED) return last
  // Most chains are one address.
  const before = isIPv4(told) ? told : addressesOf(chain, told === '').join(', ')
  if (before === '') return last
  return last === undefined ? before : `${before}, ${last}`
}

/**
 * Returns the headers of a v1 call: those of docs/contract.md 2.3 and 3.2, those of tracing, and what the call is for if it is no client's. No other header of the
 * client, such as cookies, conditions or ranges, reaches v1. An operation that needs no token is asked without one, so
 * that its answer is the same for all.
 */
export function v1Headers(
  { request, credentials, purpose }: Call,
  { authorization: needs }: Operation,
  hasBody: boolean,
): Record<string, string> {
  const { traceparent } = request.headers
  // Always sent, in the form of docs/contract.md 2.3. The client's own header, such as `de, en;q=0.9`, can be read in more than one
  // way, and v1's answer in one language is cached for all clients that ask for it.
  const headers: Record<string, string> = { 'x-request-id': request.requestId, 'accept-language': request.language }
  if (purpose !== undefined) headers[PURPOSE_HEADER] = purpose
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
