import type { Logger } from 'pino'
import { messages } from '../../mappings/index.ts'
import { failureOf, isTokenRefused } from '../data-plane/gateway/errors/translate-error.ts'
import type { Gateway } from '../data-plane/gateway/gateway.ts'
import { operationOfKey } from '../data-plane/gateway/lists/read-whole-list.ts'
import { knownTokens } from '../data-plane/gateway/login/known-tokens.ts'
import { BODY_FACTOR } from '../data-plane/gateway/receive-body.ts'
import { isV1Answer, v1Probe } from '../data-plane/gateway/v1-probe.ts'
import { MAX_LIST_BYTES, type ReferenceLists, referenceLists } from '../data-plane/reference/reference-lists.ts'
import { type GuardedUpstream, guardUpstream, type LaneLimits } from '../data-plane/upstream/guard.ts'
import { ANSWER_FACTOR, type MemoryBudget } from '../data-plane/upstream/memory-budget.ts'
import { type ServiceProbe, serviceProbe } from '../data-plane/upstream/service-probe.ts'
import { MAX_ANSWER_BYTES, openUpstream } from '../data-plane/upstream/upstream.ts'
import type { Corrections } from '../mapping/corrections/corrections.ts'
import type { Operation } from '../mapping/operation.ts'
import type { Config } from './config.ts'
import { connectingTo, HEADERS_TO_V1 } from './connect-services.ts'
import { type LiveOperations, liveOperations } from './live-operations.ts'

/** How much memory cached lists may take in addition to the budget, as a share of it. */
const LISTS_SHARE = 0.25

export type TranslationSettings = Pick<
  Config,
  | 'basePath'
  | 'releaseHeaders'
  | 'connecting'
  | 'upstreamTimeoutMs'
  | 'maxBodyBytes'
  | 'referenceTtlMs'
  | 'referenceStaleMs'
> & { readonly lanes?: LaneLimits }

/** Translates legacy calls to v1. Nothing listens, and there is no legacy service. */
export interface Translation {
  readonly operations: Pick<LiveOperations, 'now' | 'findAtLegacy'>
  /**
   * Corrects the shipped mappings, checks and compiles what has changed, and returns a function that puts it into use for new calls. That
   * drops the cached lists of the operations which it replaces, and returns their ids.
   * @throws CorrectionsError or MappingError if the corrections cannot be used.
   */
  prepare(corrections: Corrections): () => readonly string[]
  readonly gateway: Gateway
  /** Whether v1 answers, and is v1. */
  readonly probe: ServiceProbe
  /** How many calls to v1 are running, and whether v1 counts as down. */
  readonly lanes: GuardedUpstream['lanes']
  /** Closes the connections to v1, which ends all calls that are still running. */
  close(): Promise<void>
}

/** Builds the translation. @throws MappingError if a mapping is invalid. */
export function buildTranslation(
  settings: TranslationSettings,
  v1BaseUrl: URL,
  log?: Logger,
  mappings?: readonly Operation[],
  memory?: MemoryBudget,
): Translation {
  const live = liveOperations(settings.basePath, mappings)
  const operations = live.now()
  const plainV1 = openUpstream({
    baseUrl: v1BaseUrl,
    connecting: connectingTo('v1', v1BaseUrl, settings.connecting, log),
    headers: HEADERS_TO_V1,
    timeoutMs: settings.upstreamTimeoutMs,
    connections: settings.connecting.connections,
    ...(memory !== undefined && {
      maxAnswerBytes: Math.min(MAX_ANSWER_BYTES, Math.floor(memory.most('answer') / ANSWER_FACTOR)),
    }),
  })
  const probeV1 = v1Probe(plainV1, operations)
  const v1 = guardUpstream(plainV1, {
    ...settings.lanes,
    // Any answer counts. If something is wrong with v1's answers, the clients learn it from each call.
    probe: probeV1,
    onBreaker: (lane, isOpen) =>
      log?.warn({ upstream: 'v1', lane, isOpen }, isOpen ? 'v1 counts as down' : 'v1 is back'),
  })
  const lists = referenceLists({
    ttlMs: settings.referenceTtlMs,
    staleMs: settings.referenceStaleMs,
    ...(memory !== undefined && { maxBytes: Math.min(MAX_LIST_BYTES, memory.limit * LISTS_SHARE) }),
    failureOf,
    isRefusal: isTokenRefused,
    operationOf: operationOfKey,
    operations: operations.flatMap(({ mapping: { id, response } }) => (response.kind === 'whole-list' ? [id] : [])),
    onRefreshFailed: (operation, error) =>
      log?.warn(
        { operation, failure: failureOf(error), reason: error instanceof Error ? error.message : undefined },
        'a reference list could not be refreshed',
      ),
    onCountsDisagree: (operation, { rows, promised }) =>
      log?.warn(
        { operation, rows, promised },
        'the total that v1 states differs from the number of rows in two sweeps; the list is served as read',
      ),
  })
  return {
    operations: live,
    prepare(corrections) {
      const takeOver = live.prepare(corrections)
      return () => {
        const ids = takeOver().map(({ mapping }) => mapping.id)
        lists.drop((operation) => ids.includes(operation))
        return ids
      }
    },
    probe: serviceProbe(async () => {
      const answer = await probeV1()
      return answer === undefined || isV1Answer(answer) || `it answers ${answer.status}, and not as v1 does`
    }),
    lanes: v1.lanes,
    gateway: {
      find: live.find,
      findPath: live.findPath,
      byId: live.byId,
      v1,
      legacy: undefined,
      tokens: undefined,
      knownTokens: knownTokens(),
      forwardedPath: live.forwardedPath,
      route: () => 'v1',
      mayChoose: () => false,
      brownouts: { from: Number.POSITIVE_INFINITY, of: () => undefined },
      guides: undefined,
      releaseHeaders: settings.releaseHeaders,
      watch: { wants: () => undefined, take: () => undefined, miss: () => undefined },
      lists,
      cors: undefined,
      messages,
      maxBodyBytes: settings.maxBodyBytes,
      memory: undefined,
      aside: undefined,
    },
    close() {
      lists.close()
      return v1.close()
    },
  }
}

/** Returns lists that are never cached: v1 is asked live each time. */
export const liveLists = (): ReferenceLists =>
  referenceLists({ ttlMs: 0, staleMs: 0, maxBytes: 1, failureOf, isRefusal: isTokenRefused })

/** Returns a warning for each kind of body that other limits allow but the memory budget cannot hold. */
export function tooSmallMemory(memory: MemoryBudget, maxBodyBytes: number): readonly string[] {
  const inMb = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`
  const tooSmall = `MEMORY_MB is ${Math.floor(memory.limit / 1024 ** 2)}, too small for`
  const body = Math.floor(memory.most('request') / BODY_FACTOR)
  const answer = Math.floor(memory.most('answer') / ANSWER_FACTOR)
  return [
    ...(body < maxBodyBytes
      ? [`${tooSmall} a request body of more than ${inMb(body)}: MAX_BODY_BYTES allows ${inMb(maxBodyBytes)}`]
      : []),
    ...(answer < MAX_ANSWER_BYTES
      ? [
          `${tooSmall} an answer of more than ${inMb(answer)}: larger ones, up to ${inMb(MAX_ANSWER_BYTES)}, are refused`,
        ]
      : []),
  ]
}
