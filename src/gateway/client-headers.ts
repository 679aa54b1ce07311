import { endToEnd } from '../upstream/end-to-end.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import type { LegacyRequest } from './legacy-request.ts'
import { holdsSealed } from './login/find-sealed.ts'

type Headers = Record<string, string | string[]>

/** Headers that proxies set about a client. If trusted proxies are configured, these headers are kept only from them. */
const PROXY_HEADERS = /^(?:forwarded|x-real-ip|x-forwarded-.*)$/

/**
 * Returns the headers of a client's call as the legacy service gets them: end to end, and with what is known about the connection.
 * `Host`, `Authorization` and `X-Request-Id` are for whoever sends them.
 */
export function clientHeaders(request: LegacyRequest): Headers {
  const { host: _, expect: __, authorization: ___, 'x-request-id': ____, ...others } = endToEnd(request.headers)
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
