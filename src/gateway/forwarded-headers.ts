import type { LegacyRequest } from './legacy-request.ts'
import { forwardedFor } from './v1-headers.ts'

/**
 * What the legacy service is told of the client's own connection: the chain of addresses, with whoever called last, and the
 * scheme and the host that the client used. A proxy in front of the gateway knows these two better, so what it says of each is
 * passed on as it is, unless proxies were named that are to be trusted and it is none of them. They are never joined: of two
 * values nobody could tell which one holds.
 */
export function forwardedHeaders(request: LegacyRequest): Record<string, string> {
  const { 'x-forwarded-proto': proto, 'x-forwarded-host': said } =
    request.viaTrustedProxy === false ? {} : request.headers
  const host = said || request.headers.host
  return {
    'x-forwarded-for': forwardedFor(request),
    // The gateway itself speaks plain HTTP.
    'x-forwarded-proto': String(proto || 'http'),
    ...(host && { 'x-forwarded-host': String(host) }),
  }
}
