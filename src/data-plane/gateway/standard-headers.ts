import type { IncomingHttpHeaders } from 'node:http'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { oncePer } from '../../mapping/once-per.ts'

/**
 * When the interface became deprecated (RFC 9745). docs/contract.md 12.2 says only that it is deprecated, so the epoch
 * stands for "already".
 */
const DEPRECATED_SINCE = '@0'

/** How long the list of dropped names may be, in bytes, so that no client can make the headers too large. */
const MAX_DROPPED = 1_024

export type StandardHeaders = (operation: CompiledOperation | undefined) => Readonly<Record<string, string>>

/**
 * Returns the headers of every legacy answer, made once per operation: Deprecation, Sunset (RFC 8594) and Link (RFC 8288).
 * @param v1Url where clients find v1. A relative link would resolve to a path of the gateway, which does not serve v1. Undefined:
 *   no Link to v1.
 * @param guide the path at which clients read their own guides; undefined: no Link to it.
 */
export function standardHeaders(
  sunset: Date | undefined,
  v1Url: URL | undefined,
  guide?: string | undefined,
): StandardHeaders {
  // RFC 9745 section 3: the target of this relation describes the deprecation. The guide describes what it means for the client.
  const guideLink = guide === undefined ? [] : [`<${guide}>; rel="deprecation"`]
  const general = {
    deprecation: DEPRECATED_SINCE,
    ...(sunset !== undefined && { sunset: sunset.toUTCString() }),
    ...(guideLink[0] !== undefined && { link: guideLink[0] }),
  }
  const headersOf = oncePer(({ mapping: { v1 } }: CompiledOperation): Readonly<Record<string, string>> => {
    if (v1 === undefined || v1Url === undefined) return general
    const successor = `<${successorOf(v1Url, v1.path)}>; rel="successor-version"`
    return { ...general, link: [successor, ...guideLink].join(', ') }
  })
  return (operation) => (operation === undefined ? general : headersOf(operation))
}

/** Returns the URI of a v1 path. A placeholder, `{id}`, is percent-encoded, because RFC 3986 allows no braces. */
const successorOf = ({ origin, pathname }: URL, path: string): string =>
  new URL(pathname.replace(/\/+$/, '') + path, origin).href

/** Whether an answer comes from a gateway like this one, including answers that it passed through. */
export const isGatewayAnswer = (headers: IncomingHttpHeaders): boolean =>
  headers.deprecation === DEPRECATED_SINCE && headers['x-request-id'] !== undefined

/**
 * Returns the value of `X-Gateway-Dropped`: the names of members and parameters that were not sent, and `+` with the number of
 * names that do not fit; undefined if nothing was dropped.
 */
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
