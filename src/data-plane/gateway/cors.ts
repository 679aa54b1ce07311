import type { LegacyRequest } from './request-head.ts'

type AnswerHeaders = Record<string, string | string[]>

/** Lets pages of other origins call the gateway from a browser (the Fetch standard, section 3.3). */
export interface Cors {
  /**
   * Adds CORS headers to those of an answer, whose names are in lower case. An answer that has its own keeps them: when
   * the legacy service answers, it decides.
   */
  addTo(headers: AnswerHeaders, origin: string | undefined): void
  /**
   * Returns the headers that allow the call after a preflight; undefined if this is not a preflight, or its origin is
   * not allowed.
   */
  preflight(request: LegacyRequest, methods: string): AnswerHeaders | undefined
}

/** Headers that a page may read beyond the safelisted ones: all that the gateway itself sets. */
const EXPOSED = [
  ...['Allow', 'Deprecation', 'ETag', 'Link', 'Retry-After', 'Sunset', 'WWW-Authenticate'],
  ...['X-Gateway-Answered-By', 'X-Gateway-Brownout', 'X-Gateway-Code', 'X-Gateway-Dropped', 'X-Gateway-Error'],
  ...['X-Gateway-Outcome', 'X-Gateway-Params-Left-Out', 'X-Gateway-Violations-Left-Out', 'X-Request-Id'],
].join(', ')

/** Names of headers, separated by commas (RFC 9110 section 5.6.2). */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?: *, *[\w!#$%&'*+.^`|~-]+){0,49}$/

/** Headers that a page may send if its preflight does not list valid names. */
const ALLOWED = [
  ...['Authorization', 'Content-Type', 'Accept-Language', 'If-None-Match'],
  ...['X-Gateway-Serve', 'X-Request-Id', 'X-Requested-With', 'traceparent', 'tracestate'],
].join(', ')

/** How long a browser may cache a preflight, in seconds. Chromium caches it no longer than this. */
const MAX_AGE = '7200'

/**
 * Allows some origins, compared as written, or all. Does not allow the browser's credentials: the token is in a header.
 */
export function corsFor(origins: '*' | readonly string[]): Cors {
  const allowed = new Set(origins)
  /** The value of Access-Control-Allow-Origin. */
  const allow = (origin: string | undefined): string | undefined => {
    if (origins === '*') return '*'
    return origin !== undefined && allowed.has(origin) ? origin : undefined
  }
  const addVary = (headers: AnswerHeaders): void => {
    if (origins !== '*') headers.vary = varyWithOrigin(headers.vary)
  }
  return {
    addTo(headers, origin) {
      if (hasCorsHeaders(headers)) return
      addVary(headers)
      const allowOrigin = allow(origin)
      if (allowOrigin === undefined) return
      headers['access-control-allow-origin'] = allowOrigin
      headers['access-control-expose-headers'] = EXPOSED
    },
    preflight({ method, headers: { origin, ...requestHeaders } }, methods) {
      const allowOrigin = allow(origin)
      const isPreflight = method === 'OPTIONS' && requestHeaders['access-control-request-method'] !== undefined
      if (!isPreflight || origin === undefined || allowOrigin === undefined) return undefined
      const requested = requestHeaders['access-control-request-headers']
      const headers: AnswerHeaders = {
        'access-control-allow-origin': allowOrigin,
        'access-control-allow-methods': methods,
        // Allows any header that a page adds, such as its own tracing: v1 gets only those of `v1Headers`.
        'access-control-allow-headers': requested !== undefined && HEADER_NAMES.test(requested) ? requested : ALLOWED,
        'access-control-max-age': MAX_AGE,
      }
      addVary(headers)
      return headers
    },
  }
}

/** Whether an answer has CORS headers of its own. These are never mixed with ours. */
export function hasCorsHeaders(headers: Readonly<AnswerHeaders>): boolean {
  for (const name in headers) if (name.startsWith('access-control-')) return true
  return false
}

/** Returns `Vary` with `Origin` in it (RFC 9110 section 12.5.5). */
function varyWithOrigin(vary: string | string[] | undefined): string {
  const fields = [vary ?? []].flat().join(', ')
  if (fields === '') return 'Origin'
  return /(^|[\s,])(\*|origin)([\s,]|$)/i.test(fields) ? fields : `${fields}, Origin`
}
