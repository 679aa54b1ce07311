import type { Logger } from 'pino'
import { compileAnswerers, type ServedOperation } from '../gateway/compile-answerers.ts'
import { failureOf, isTokenRefused } from '../gateway/errors/translate-error.ts'
import { operationFinder, pathFinder } from '../gateway/find-operation.ts'
import { pathForwarder } from '../gateway/forwarded-path.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { isAnswerOfV1, v1Question } from '../gateway/is-v1-well.ts'
import { operationOfKey } from '../gateway/lists/read-whole-list.ts'
import { loadMappings } from '../gateway/load-mappings.ts'
import type { Operation } from '../mapping/operation.ts'
import { referenceLists } from '../reference/reference-lists.ts'
import { REFERENCE_DEFAULTS } from '../reference/reference-options.ts'
import { ANSWER_FACTOR } from '../upstream/answer-room.ts'
import { type GuardedUpstream, guardUpstream, type LaneLimits } from '../upstream/guard.ts'
import type { MemoryBudget } from '../upstream/memory-budget.ts'
import { type ServiceProbe, serviceProbe } from '../upstream/service-probe.ts'
import { MAX_ANSWER_BYTES, openUpstream } from '../upstream/upstream.ts'
import type { Config } from './config.ts'
import { connectingTo, HEADERS_TO_V1 } from './connecting.ts'

/** What kept lists take at most beside the budget of memory, as a share of it. */
const OF_LISTS = 0.25

export type TranslationSettings = Pick<
  Config,
  'basePath' | 'connecting' | 'upstreamTimeoutMs' | 'maxBodyBytes' | 'referenceTtlMs' | 'referenceStaleMs'
> & { readonly lanes?: LaneLimits }

/** Legacy calls on top of v1, with nothing that listens, and no legacy service. */
export interface Translation {
  readonly operations: readonly ServedOperation[]
  readonly gateway: Gateway
  /** Whether v1 answers as v1 does. */
  readonly probe: ServiceProbe
  /** How many calls of v1 are under way, and whether it counts as down. */
  readonly lanes: GuardedUpstream['lanes']
  /** Closes the connections to v1; what is still under way ends. */
  close(): Promise<void>
}

/** @throws MappingError when a mapping cannot be right. */
export function buildTranslation(
  settings: TranslationSettings,
  v1BaseUrl: URL,
  log?: Logger,
  mappings?: readonly Operation[],
  memory?: MemoryBudget,
): Translation {
  const { operations: compiled, messages } = loadMappings(mappings)
  const operations = compileAnswerers(compiled)
  const plainV1 = openUpstream({
    baseUrl: v1BaseUrl,
    connecting: connectingTo('v1', v1BaseUrl, settings.connecting, log),
    headers: HEADERS_TO_V1,
    timeoutMs: settings.upstreamTimeoutMs,
    connections: settings.connecting.connections,
    ...(memory !== undefined && {
      maxAnswerBytes: Math.min(MAX_ANSWER_BYTES, Math.floor(memory.forLarge / ANSWER_FACTOR)),
    }),
  })
  const askV1 = v1Question(plainV1, operations)
  const v1 = guardUpstream(plainV1, {
    ...settings.lanes,
    // Whoever answers is there, whatever it says: what is wrong with it, each call tells its caller.
    probe: askV1,
    onBreaker: (lane, isOpen) =>
      log?.warn({ upstream: 'v1', lane, isOpen }, isOpen ? 'v1 counts as down' : 'v1 is back'),
  })
  const lists = referenceLists({
    ttlMs: settings.referenceTtlMs,
    staleMs: settings.referenceStaleMs,
    ...(memory !== undefined && { maxBytes: Math.min(REFERENCE_DEFAULTS.maxBytes, memory.limit * OF_LISTS) }),
    failureOf,
    isRefusal: isTokenRefused,
    operationOf: operationOfKey,
    operations: operations.flatMap(({ mapping: { id, response } }) => (response.kind === 'whole-list' ? [id] : [])),
    onRefreshFailed: (operation, error) =>
      log?.warn(
        { operation, failure: failureOf(error), reason: error instanceof Error ? error.message : undefined },
        'a reference list could not be read ahead of its time',
      ),
    onCountsDisagree: (operation, { rows, promised }) =>
      log?.warn(
        { operation, rows, promised },
        'the total that v1 says differs from the number of rows, in two readings; the list is served as it was read',
      ),
  })
  return {
    operations,
    probe: serviceProbe(async () => {
      const answer = await askV1()
      return answer === undefined || isAnswerOfV1(answer)
    }),
    lanes: v1.lanes,
    gateway: {
      find: operationFinder(operations, settings.basePath),
      findPath: pathFinder(operations, settings.basePath),
      byId: (id) => operations.find(({ mapping }) => mapping.id === id),
      v1,
      legacy: undefined,
      tokens: undefined,
      forwardedPath: pathForwarder(
        operations.map(({ mapping }) => mapping),
        settings.basePath,
      ),
      route: () => 'v1',
      watch: { wants: () => false, take: () => undefined, miss: () => undefined },
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
