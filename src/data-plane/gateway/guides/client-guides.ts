import { LRUCache } from 'lru-cache'
import type { CompiledOperation } from '../../../engine/compile/compile-operations.ts'
import type { Side } from '../../../exchange/exchange.ts'
import type { GuideTexts, MakeGuide } from '../../../exchange/guide-form.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { askV1 } from '../call-v1.ts'
import { legacyFailureOf } from '../errors/translate-error.ts'
import { type Call, type ClientGuides, type Gateway, newCall } from '../gateway.ts'
import { hashOf } from '../login/client-names.ts'
import { forwardedHeaders } from '../service-headers.ts'

/**
 * Lets clients read their guides. Their path begins with a dot, unlike the paths of the interface.
 * @param make rejects with an UpstreamError.
 */
export function clientGuides(
  make: MakeGuide,
  operations: readonly CompiledOperation[],
  basePath: string,
  now: () => number = () => performance.now(),
): ClientGuides {
  return {
    path: `${basePath}/.legacy-gateway/guide`,
    of: cachedGuides(make, now),
    isAccepted: tokenCheck(operations, now),
  }
}

/** How long a guide is served before it is made again. */
const GUIDE_MS = 5_000
/** The most guides that are remembered. */
const MOST_GUIDES = 100
/** How many guides are made at a time. */
const MOST_AT_A_TIME = 4

/**
 * Makes each client's guide at most once in five seconds for each language, and only a few guides at a time, so that reading guides cannot overload
 * the gateway.
 * @throws UpstreamError `overloaded` if too many guides of other clients are being made.
 */
function cachedGuides(make: MakeGuide, now: () => number): MakeGuide {
  const guides = remembering<GuideTexts | undefined>(MOST_GUIDES, GUIDE_MS, now)
  let underWay = 0
  const makeOneOfFew: MakeGuide = async (...asked) => {
    if (underWay >= MOST_AT_A_TIME) throw new UpstreamError('overloaded', 'too many guides are being made at once')
    underWay++
    return make(...asked).finally(() => underWay--)
  }
  return (...asked) => guides(JSON.stringify(asked), () => makeOneOfFew(...asked))
}

/** Returns what a key stands for, made at most once in `forMs`. A failure is not remembered. */
function remembering<Value>(
  max: number,
  forMs: number,
  now: () => number,
): (key: string, make: () => Promise<Value>) => Promise<Value> {
  const cache = new LRUCache<string, { readonly until: number; readonly value: Promise<Value> }>({ max })
  return (key, make) => {
    const cached = cache.get(key)
    if (cached !== undefined && now() < cached.until) return cached.value
    const entry = { until: now() + forMs, value: make() }
    cache.set(key, entry)
    entry.value.catch(() => cache.delete(key))
    return entry.value
  }
}

/** How long the verdict on a token holds. */
const VERDICT_MS = 60_000
/** The most tokens whose verdicts are remembered. */
const MOST_TOKENS = 10_000
/** How long a service may take to answer. */
const PATIENCE_MS = 5_000

/**
 * Checks tokens by asking for one row of the plainest list that needs a token: v1, and then the legacy service if there is one, at most
 * once a minute per token.
 */
function tokenCheck(operations: readonly CompiledOperation[], now: () => number): ClientGuides['isAccepted'] {
  const read = plainestRead(operations)
  const verdicts = remembering<boolean>(MOST_TOKENS, VERDICT_MS, now)
  return async (gateway, call) => {
    const { authorization } = call.request.headers
    if (authorization === undefined) return false
    if (read !== undefined) return verdicts(hashOf(authorization), () => ask(gateway, call, read))
    // There is nothing to ask for. A token counts as accepted if it is ours, or if a service has issued or accepted it before.
    return call.credentials.isOurs || gateway.knownTokens.get(authorization) !== undefined
  }
}

/** A list that both sides have, and whose answer depends on the token alone. */
type Read = CompiledOperation & { readonly perPage: string }

/** Returns the list with the fewest parameters: the one least likely to be refused without them. */
function plainestRead(operations: readonly CompiledOperation[]): Read | undefined {
  const reads = operations.flatMap((operation): readonly Read[] => {
    const { mapping } = operation
    if (mapping.effect !== 'read' || mapping.authorization !== 'token') return []
    if (mapping.legacy.method !== 'GET' || mapping.v1?.method !== 'GET' || mapping.v1.path.includes('{')) return []
    return mapping.response.kind === 'whole-list' ? [{ ...operation, perPage: mapping.response.paging.perPage }] : []
  })
  return reads.sort((one, other) => parametersOf(one) - parametersOf(other))[0]
}

const parametersOf = ({ mapping: { request } }: Read): number =>
  'parameters' in request ? Object.keys(request.parameters).length : 0

async function ask(gateway: Gateway, call: Call, read: Read): Promise<boolean> {
  const { request, credentials, share, notes } = call
  // Without the caller: it may hang up while others wait for the same verdict.
  const asked = newCall(request, { credentials, share, notes, deadline: performance.now() + PATIENCE_MS })
  const [atV1] = await Promise.allSettled([acceptedByV1(gateway, asked, read)])
  if (atV1.status === 'fulfilled' && atV1.value) return true
  if (await acceptedByLegacy(gateway, asked, read)) return true
  if (atV1.status === 'rejected') throw atV1.reason
  return false
}

async function acceptedByV1(gateway: Gateway, call: Call, read: Read): Promise<boolean> {
  const { v1 } = read.mapping
  if (v1 === undefined || call.credentials.v1 === undefined) return false
  const { status } = await askV1(gateway, call, {
    operation: read,
    v1Call: { ...v1, query: `${read.perPage}=1`, body: undefined, page: undefined, matchesNothing: false },
  })
  return isAccepted(status, 'v1')
}

async function acceptedByLegacy(
  { legacy }: Gateway,
  { request, credentials, share, notes }: Call,
  { mapping }: Read,
): Promise<boolean> {
  if (legacy === undefined || credentials.legacy === undefined) return false
  const started = performance.now()
  try {
    const { status, body } = await legacy.forward({
      ...{ method: mapping.legacy.method, path: mapping.legacy.path, body: null, share, isRead: true },
      headers: {
        ...forwardedHeaders(request),
        authorization: credentials.legacy,
        'accept-language': request.language,
        'x-request-id': request.requestId,
      },
    })
    body.on('error', () => undefined).resume()
    notes.legacyStatus = status
    return isAccepted(status, 'legacy')
  } catch (error) {
    throw legacyFailureOf(error)
  } finally {
    notes.legacyMilliseconds += performance.now() - started
  }
}

/** @throws UpstreamError if the status says nothing about the token. */
function isAccepted(status: number, side: Side): boolean {
  if (status < 300) return true
  if (status === 401 || status === 403) return false
  throw new UpstreamError('unavailable', `${side} answered ${status} when asked whether a token is valid`)
}
