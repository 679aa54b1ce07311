import type { IncomingHttpHeaders } from 'node:http'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'

/**
 * RFC 9745: since when the interface is deprecated. docs/contract.md 12.2 says that it is, not since when: the epoch stands for
 * "already".
 */
const DEPRECATED_SINCE = '@0'

/** Names of members in a header: at most this many bytes, so that no client can make the headers too large. */
const MAX_DROPPED = 1_024

export type StandardHeaders = (operation: CompiledOperation | undefined) => Readonly<Record<string, string>>

/**
 * The headers of every legacy answer, made once per operation: Deprecation, Sunset (RFC 8594) and Link (RFC 8288).
 * @param v1Url where clients find v1: a reference without it would lead to a path of the gateway's own, which it does not
 * serve. Undefined: they are not told, and there is no Link.
 */
export function standardHeaders(sunset: Date | undefined, v1Url: URL | undefined): StandardHeaders {
  const general = {
    deprecation: DEPRECATED_SINCE,
    ...(sunset === undefined ? {} : { sunset: sunset.toUTCString() }),
  }
  const made = new WeakMap<CompiledOperation, Readonly<Record<string, string>>>()
  return (operation) => {
    const v1 = operation?.mapping.v1
    if (operation === undefined || v1 === undefined || v1Url === undefined) return general
    const known = made.get(operation) ?? {
      ...general,
      link: `<${successorOf(v1Url, v1.path)}>; rel="successor-version"`,
    }
    made.set(operation, known)
    return known
  }
}

/** A URI: what a caller fills in, `{id}`, is percent-encoded in it (RFC 3986 allows no braces). */
const successorOf = ({ origin, pathname }: URL, path: string): string =>
  new URL(pathname.replace(/\/+$/, '') + path, origin).href

/** Whether an answer comes from a gateway such as this one, also where it was passed on. */
export const isGatewayAnswer = (headers: IncomingHttpHeaders): boolean =>
  headers.deprecation === DEPRECATED_SINCE && headers['x-request-id'] !== undefined

/** The names of what was not sent, for `X-Gateway-Dropped`; undefined when there is none. */
export function droppedHeader(dropped: ReadonlySet<string>): string | undefined {
  if (dropped.size === 0) return undefined
  let header = ''
  let left = dropped.size
  for (const name of dropped) {
    const written = /^[\w.$-]+$/.test(name) ? name : encodeURIComponent(name.toWellFormed())
    if (header.length + written.length > MAX_DROPPED) break
    header += header === '' ? written : `, ${written}`
    left--
  }
  return left === 0 ? header : `${header === '' ? '' : `${header}, `}+${left}`
}
