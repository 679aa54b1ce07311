import type { LegacyRequest } from './legacy-request.ts'
import { forwardedFor } from './v1-headers.ts'

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
  return {
    'x-forwarded-for': forwardedFor(request),
    // The gateway itself speaks plain HTTP.
    'x-forwarded-proto': String(proto || 'http'),
    ...(host && { 'x-forwarded-host': String(host) }),
  }
}
