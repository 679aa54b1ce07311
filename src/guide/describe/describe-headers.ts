import type { Schema } from './describe-type.ts'

interface Header {
  readonly on: 'answer' | 'error' | 'failure' | 'list'
  readonly always: boolean
  readonly says: string
}

/**
 * The headers that the gateway adds to legacy answers: to all of them, to errors, to failures of v1, and to lists that legacy
 * answers whole (docs/decisions/0031).
 */
export const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    on: 'answer',
    always: true,
    says: 'the client’s own where it is a plain token of at most 128 characters, else a new one; v1 gets it too',
  },
  Deprecation: { on: 'answer', always: true, says: 'that the legacy interface is deprecated (RFC 9745)' },
  Sunset: { on: 'answer', always: false, says: 'when it will be removed, where that is configured (RFC 8594)' },
  Link: { on: 'answer', always: false, says: 'the address in v1 that takes over, as rel="successor-version"' },
  'X-Gateway-Dropped': {
    on: 'answer',
    always: false,
    says: 'members and parameters of the request that were not sent, because v1 does not list them',
  },
  'X-Gateway-Code': { on: 'error', always: false, says: 'v1’s error code; its place in v1 is the body' },
  'X-Gateway-Error': {
    on: 'failure',
    always: false,
    says: 'how v1, or the legacy service in its place, failed: unreachable, timeout, unavailable, malformed, too-large or overloaded; or internal, the gateway itself',
  },
  'Retry-After': { on: 'error', always: false, says: 'as v1 sent it' },
  'WWW-Authenticate': { on: 'error', always: false, says: 'as v1 sent it' },
  ETag: { on: 'list', always: true, says: 'the list’s entity tag, for If-None-Match' },
  'Cache-Control': { on: 'list', always: true, says: 'private, no-cache: to be asked for again with If-None-Match' },
  'Content-Encoding': { on: 'list', always: false, says: 'gzip or br, where the client accepts it' },
  Vary: { on: 'answer', always: false, says: 'what else the answer depends on: the language, at least' },
}

/** References to the headers of some kinds of answers. */
export function referToHeaders(...on: readonly Header['on'][]): Schema {
  const names = Object.entries(HEADERS).flatMap(([name, header]) => (on.includes(header.on) ? [name] : []))
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** For `components.headers`. */
export function describeHeaders(): Schema {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, { always, says }]) => [
      name,
      { required: always, description: `${says}.`, schema: { type: 'string' } },
    ]),
  )
}
