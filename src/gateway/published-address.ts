import { BlockList, isIP } from 'node:net'

/**
 * Private addresses. Nobody outside can reach them, but they reveal how a network is laid out (RFC 1918, 3927, 6598,
 * 4193, 4291).
 */
const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  PRIVATE.addSubnet(network, prefix)
}
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
PRIVATE.addSubnet('fe80::', 10, 'ipv6')

/** Names that mean something only within a network (RFC 6762, RFC 8375, ICANN's `internal`, Kubernetes). */
const PRIVATE_NAME = /^[^.]+$|\.(?:local|localdomain|internal|intranet|corp|home\.arpa|lan|svc)$|\.svc\./

/**
 * Whether clients may see the address of a service. Not if it looks internal, because clients could not use it. This machine's own
 * address may be shown: it reveals nothing, and helps people who try the gateway out.
 */
export function mayBePublished({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$|\.$/g, '$1')
  const version = isIP(host)
  if (version !== 0) return !PRIVATE.check(host, version === 6 ? 'ipv6' : 'ipv4')
  return host === 'localhost' || !PRIVATE_NAME.test(host)
}
