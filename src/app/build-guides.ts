import { BlockList, isIP } from 'node:net'
import type { Logger } from 'pino'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { GuideTexts, MakeGuide } from '../exchange/guide-form.ts'
import type { ClientGuides } from '../gateway/gateway.ts'
import { clientGuides } from '../gateway/guides/client-guides.ts'
import { guideOf } from '../guide/client/client-guide.ts'
import { guideHtml } from '../guide/client/guide-html.ts'
import { guideMarkdown } from '../guide/client/guide-markdown.ts'
import type { Snippet, SnippetRequest } from '../guide/snippets/snippets-of.ts'
import { StateError } from '../state/state-error.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import type { KnownUsage } from '../usage/stored-usage.ts'
import { MOST_DAYS } from '../usage/usage.ts'
import type { Config } from './config.ts'

type OwnGuideSettings = Pick<Config, 'basePath'> & Partial<Pick<Config, 'clientGuides'>>

/**
 * Builds what serves each client its own guide on the legacy port; undefined: `CLIENT_GUIDES` is off.
 * @param make rejects with a StateError.
 */
export function buildOwnGuides(
  { clientGuides: areServed, basePath }: OwnGuideSettings,
  operations: readonly CompiledOperation[],
  make: MakeGuide,
): ClientGuides | undefined {
  if (areServed !== true) return undefined
  const makeOrFail: MakeGuide = (client) =>
    make(client).catch((error: unknown) => {
      throw error instanceof StateError ? new UpstreamError('unavailable', error.message, { cause: error }) : error
    })
  return clientGuides(makeOrFail, operations, basePath)
}

interface GuideParts {
  readonly operations: readonly CompiledOperation[]
  readonly usage: Pick<KnownUsage, 'ofClient'>
  /** The public address of v1; undefined: it is not known. */
  readonly v1: URL | undefined
  /** When the legacy interface is removed; undefined: not announced. */
  readonly sunset: Date | undefined
  /** The prefix of the legacy interface's paths. */
  readonly basePath: string
  readonly snippetsOf: (request: SnippetRequest) => readonly Snippet[]
  readonly now?: () => Date
}

/** Returns a function that makes a client's guide from what is known of its calls. It rejects with a StateError. */
export function guideMaker({ usage, basePath, now = () => new Date(), ...facts }: GuideParts): MakeGuide {
  return async (client): Promise<GuideTexts | undefined> => {
    const used = await usage.ofClient(client, MOST_DAYS)
    const guide = guideOf(used, { ...facts, client, madeAt: now(), legacy: basePath })
    if (guide === undefined) return undefined
    return { html: guideHtml(guide), markdown: guideMarkdown(guide), json: `${JSON.stringify(guide, null, 2)}\n` }
  }
}

/** Returns the address of v1 for clients; undefined, with a warning, if only an internal address is configured. */
export function publishedV1(v1PublicUrl: URL | undefined, v1: URL, log: Logger): URL | undefined {
  if (v1PublicUrl !== undefined || mayBePublished(v1)) return v1PublicUrl ?? v1
  log.warn(
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
