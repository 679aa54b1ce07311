import type { LegacyRequest } from './legacy-request.ts'

type AnswerHeaders = Record<string, string | string[]>

/** Lets pages of other origins call the gateway from a browser (the Fetch standard, section 3.3). */
export interface Cors {
  /**
   * Adds to the headers of an answer, with names in lower case, who may read it. An answer that says so itself stays as it
   * is: while the legacy service answers, it is the one that decides.
   */
  addTo(headers: AnswerHeaders, origin: string | undefined): void
  /** The headers that let a page go on after its preflight; undefined: it is no preflight, or of another origin. */
  preflight(request: LegacyRequest, methods: string): AnswerHeaders | undefined
}

/** What a page may read of an answer beyond what every page may: all that the gateway itself says in headers. */
const EXPOSED = [
  ...['Allow', 'Deprecation', 'ETag', 'Link', 'Retry-After', 'Sunset', 'WWW-Authenticate'],
  ...['X-Gateway-Code', 'X-Gateway-Dropped', 'X-Gateway-Error', 'X-Request-Id'],
].join(', ')

/** Names of headers, separated by commas (RFC 9110 section 5.6.2). */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?: *, *[\w!#$%&'*+.^`|~-]+){0,49}$/

/** What a page may send, where its preflight does not say what it would. */
const ALLOWED = [
  ...['Authorization', 'Content-Type', 'Accept-Language', 'If-None-Match'],
  ...['X-Request-Id', 'X-Requested-With', 'traceparent', 'tracestate'],
].join(', ')

/** How long a browser need not ask again; s. Chromium remembers no longer. */
const MAX_AGE = '7200'

/**
 * CORS for some origins, compared as they are written, or for every one. Credentials of the browser are not taken: the token
 * is in a header.
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
      if (saysCors(headers)) return
      addVary(headers)
      const allowOrigin = allow(origin)
      if (allowOrigin === undefined) return
      headers['access-control-allow-origin'] = allowOrigin
      headers['access-control-expose-headers'] = EXPOSED
    },
    preflight({ method, headers: { origin, ...asked } }, methods) {
      const allowOrigin = allow(origin)
      const isPreflight = method === 'OPTIONS' && asked['access-control-request-method'] !== undefined
      if (!isPreflight || origin === undefined || allowOrigin === undefined) return undefined
      const wanted = asked['access-control-request-headers']
      const headers: AnswerHeaders = {
        'access-control-allow-origin': allowOrigin,
        'access-control-allow-methods': methods,
        // Whatever a page adds, such as headers of its own tracing: v1 is sent none of it.
        'access-control-allow-headers': wanted !== undefined && HEADER_NAMES.test(wanted) ? wanted : ALLOWED,
        'access-control-max-age': MAX_AGE,
      }
      addVary(headers)
      return headers
    },
  }
}

/** Whether an answer says of itself who may read it. Half of what it says is never mixed with half of ours. */
export function saysCors(headers: Readonly<AnswerHeaders>): boolean {
  for (const name in headers) if (name.startsWith('access-control-')) return true
  return false
}

/** RFC 9110 section 12.5.5: what an answer varies by, with the origin among it. */
function varyWithOrigin(vary: string | string[] | undefined): string {
  const fields = [vary ?? []].flat().join(', ')
  if (fields === '') return 'Origin'
  return /(^|[\s,])(\*|origin)([\s,]|$)/i.test(fields) ? fields : `${fields}, Origin`
}
