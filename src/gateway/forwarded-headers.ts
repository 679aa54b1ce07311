import { isIPv4 } from 'node:net'
import { addressesOf, normalized } from './address-chain.ts'
import type { LegacyRequest } from './legacy-request.ts'

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
  const chain = forwardedFor(request)
  return {
    ...(chain !== undefined && { 'x-forwarded-for': chain }),
    // The gateway itself speaks plain HTTP.
    'x-forwarded-proto': String(proto || 'http'),
    ...(host && { 'x-forwarded-host': String(host) }),
  }
}

/** The longest chain of addresses that is passed on, in characters. Proxies do not make longer ones. */
const MAX_FORWARDED = 1_024

/**
 * Returns the chain of addresses that a call came through, ending with the one at the other end of the connection. It is taken from
 * `X-Forwarded-For`, or else from `Forwarded`. It holds only addresses, in their plain form: a service that parses it fails with
 * anything else. Returns only the last address if trusted proxies are configured and it is not one of them, or if the chain is too
 * long. Undefined: no address is known.
 */
export function forwardedFor({ headers, socketAddress, viaTrustedProxy }: LegacyRequest): string | undefined {
  const own = isIPv4(socketAddress) ? socketAddress : normalized(socketAddress)
  if (viaTrustedProxy === false) return own
  const told = String(headers['x-forwarded-for'] ?? '')
  const chain = told === '' ? (headers.forwarded ?? '') : told
  if (chain === '' || chain.length > MAX_FORWARDED) return own
  // Most chains are one address.
  const before = isIPv4(told) ? told : addressesOf(chain, told === '').join(', ')
  if (before === '') return own
  return own === undefined ? before : `${before}, ${own}`
}
