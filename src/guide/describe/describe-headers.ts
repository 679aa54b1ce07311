import type { Schema } from './describe-type.ts'

interface Header {
  readonly on: 'answer' | 'error' | 'failure' | 'brownout' | 'list'
  readonly always: boolean
  readonly says: string
}

/**
 * The headers that the gateway adds to all legacy answers, to errors, to failures, to refusals in a brownout, or to whole lists
 * (docs/decisions/0031).
 */
export const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    on: 'answer',
    always: true,
    says: 'the client’s own if it is a plain token of at most 128 characters, otherwise a new one; v1 gets it too',
  },
  Deprecation: { on: 'answer', always: true, says: 'marks the legacy interface as deprecated (RFC 9745)' },
  Sunset: { on: 'answer', always: false, says: 'when the legacy interface will be removed, if configured (RFC 8594)' },
  Link: {
    on: 'answer',
    always: false,
    says: 'the v1 address that replaces this one, as rel="successor-version"; if configured, the client’s own migration guide, as rel="deprecation"',
  },
  'X-Gateway-Dropped': {
    on: 'answer',
    always: false,
    says: 'members and parameters of the request that were not sent, because v1 does not list them',
  },
  'X-Gateway-Answered-By': {
    on: 'answer',
    always: false,
    says: 'who gave the answer, if configured: v1, legacy, or gateway, if neither did and the answer says why',
  },
  'X-Gateway-Code': { on: 'error', always: false, says: 'v1’s error code, which v1 sends in the body' },
  'X-Gateway-Params-Left-Out': {
    on: 'error',
    always: false,
    says: 'the size in bytes of v1’s params, if they are missing because they have more than 2 MiB',
  },
  'X-Gateway-Violations-Left-Out': {
    on: 'error',
    always: false,
    says: 'how many of v1’s validation errors are not among the violations, because only the first 10,000 are',
  },
  'X-Gateway-Error': {
    on: 'failure',
    always: false,
    says: 'how v1, or the legacy service in its place, failed: unreachable, timeout, unavailable, malformed, too-large or overloaded; internal if the gateway itself failed',
  },
  'X-Gateway-Brownout': {
    on: 'brownout',
    always: false,
    says: 'the number of the brownout that refused the call: nothing is wrong with the call, and no service was asked',
  },
  'Retry-After': {
    on: 'error',
    always: false,
    says: 'as v1 sent it; in a brownout, the seconds until it ends, at most 3,600',
  },
  'WWW-Authenticate': { on: 'error', always: false, says: 'as v1 sent it' },
  'Accept-Encoding': { on: 'error', always: false, says: 'with a 415: the content codings that a body may have' },
  ETag: { on: 'list', always: true, says: 'the list’s entity tag, for If-None-Match' },
  'Cache-Control': { on: 'list', always: true, says: 'private, no-cache: revalidate with If-None-Match' },
  'Content-Encoding': { on: 'list', always: false, says: 'gzip or br, if the client accepts it' },
  Vary: {
    on: 'answer',
    always: false,
    says: 'the request headers that the answer depends on, at least Accept-Language',
  },
}

/** Returns references to the headers of some kinds of answers. */
export function referToHeaders(...on: readonly Header['on'][]): Schema {
  const names = Object.entries(HEADERS).flatMap(([name, header]) => (on.includes(header.on) ? [name] : []))
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Describes all headers, for `components.headers`. */
export function describeHeaders(): Schema {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, { always, says }]) => [
      name,
      { required: always, description: `${says}.`, schema: { type: 'string' } },
    ]),
  )
}
