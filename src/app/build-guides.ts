import { BlockList, isIP } from 'node:net'
import type { Logger } from 'pino'
import { StateError } from '../control-plane/store/state-error.ts'
import type { ClientGuides } from '../data-plane/gateway/gateway.ts'
import { clientGuides } from '../data-plane/gateway/guides/client-guides.ts'
import { UpstreamError } from '../data-plane/upstream/upstream-error.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { MakeGuide } from '../exchange/guide-form.ts'
import { ChannelClosed } from '../planes/channel.ts'
import type { Config } from './config.ts'

type OwnGuideSettings = Pick<Config, 'basePath'> & Partial<Pick<Config, 'clientGuides'>>

/**
 * Builds what serves each client its own guide on the legacy port; undefined: `CLIENT_GUIDES` is off.
 * @param make asks the control plane. It rejects with a StateError, or with ChannelClosed.
 */
export function buildOwnGuides(
  { clientGuides: areServed, basePath }: OwnGuideSettings,
  operations: readonly CompiledOperation[],
  make: MakeGuide,
): ClientGuides | undefined {
  if (areServed !== true) return undefined
  const makeOrFail: MakeGuide = (...asked) =>
    make(...asked).catch((error: unknown) => {
      if (!(error instanceof StateError || error instanceof ChannelClosed)) throw error
      throw new UpstreamError('unavailable', error.message, { cause: error })
    })
  return clientGuides(makeOrFail, operations, basePath)
}

/** Returns the address of v1 for clients; undefined, with a warning in the log, if only an internal address is configured. */
export function publishedV1(v1PublicUrl: URL | undefined, v1: URL, log?: Logger): URL | undefined {
  if (v1PublicUrl !== undefined || mayBePublished(v1)) return v1PublicUrl ?? v1
  log?.warn(
    'V1_BASE_URL is not an address that clients can reach: answers carry no Link to v1 until V1_PUBLIC_URL is set',
  )
  return undefined
}

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
function mayBePublished({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$|\.$/g, '$1')
  const version = isIP(host)
  if (version !== 0) return !PRIVATE.check(host, version === 6 ? 'ipv6' : 'ipv4')
  return host === 'localhost' || !PRIVATE_NAME.test(host)
}
