import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Language, languageOf } from './errors/messages.ts'
import { newRequestId } from './request-id.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

/** A legacy call as received, without its body. */
export interface LegacyRequest {
  readonly method: string
  /** As written in the request line, without the query. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly language: Language
  /** The client's own `X-Request-Id` if it is a plain token, otherwise a new one. */
  readonly requestId: string
  /**
   * The client's address: the one at the other end of the connection, or the one behind it if that is a trusted proxy.
   */
  readonly peer: string
  /** The address at the other end of the connection. */
  readonly socketAddress: string
  /**
   * Whether that address is a trusted proxy, whose `Forwarded` and `X-Forwarded-…` count; undefined: no trusted proxies are
   * configured.
   */
  readonly viaTrustedProxy: boolean | undefined
}

/** RFC 9112 section 3.2.2: a server accepts the absolute form too. What the gateway serves does not depend on the host. */
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]+(?=\/)/i
const REQUEST_ID = /^[\w.~+/=:-]{1,128}$/

/** Reads the head of a legacy call. @param trusted undefined: no proxy is trusted. */
export function legacyRequest(incoming: IncomingMessage, trusted?: TrustedProxies): LegacyRequest {
  const target = (incoming.url ?? '/').replace(ABSOLUTE_FORM, '')
  const queryAt = target.indexOf('?')
  const requestId = incoming.headers['x-request-id']
  const socketAddress = incoming.socket.remoteAddress ?? ''
  const viaTrustedProxy = trusted?.has(socketAddress)
  return {
    method: incoming.method ?? 'GET',
    path: queryAt === -1 ? target : target.slice(0, queryAt),
    query: queryAt === -1 ? '' : target.slice(queryAt + 1),
    headers: incoming.headers,
    language: languageOf(incoming.headers['accept-language']),
    requestId: typeof requestId === 'string' && REQUEST_ID.test(requestId) ? requestId : newRequestId(),
    peer:
      trusted !== undefined && viaTrustedProxy === true
        ? trusted.clientBehind(socketAddress, incoming.headers)
        : socketAddress,
    socketAddress,
    viaTrustedProxy,
  }
}
