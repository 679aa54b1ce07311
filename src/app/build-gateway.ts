import { randomBytes } from 'node:crypto'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import { openAside } from '../aside/open-aside.ts'
import type { Side } from '../exchange/exchange.ts'
import { corsFor } from '../gateway/cors.ts'
import { unreadableRefuser } from '../gateway/errors/refuse-unreadable.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { heldBack } from '../gateway/hold-back.ts'
import { type TokenSealer, tokenSealer } from '../gateway/login/sealed-token.ts'
import { mayBePublished } from '../gateway/published-address.ts'
import { BODY_FACTOR } from '../gateway/receive-body.ts'
import { serveLegacy } from '../gateway/serve-legacy.ts'
import { standardHeaders } from '../gateway/standard-headers.ts'
import { trustedProxies } from '../gateway/trusted-proxies.ts'
import { type LegacyAddress, originOf } from '../guide/describe/describe-servers.ts'
import type { Operation } from '../mapping/operation.ts'
import type { ConnectionRow } from '../observe/metrics/connection-metrics.ts'
import { openMetrics } from '../observe/metrics/metrics.ts'
import { callLogger, type Observe } from '../observe/observe-call.ts'
import { observeLater } from '../observe/observe-later.ts'
import { type State, stateOf } from '../observe/readiness.ts'
import { type SteadyTime, steadyTime } from '../observe/steady-time.ts'
import { throttleReport } from '../observe/throttle-report.ts'
import { countTraffic, type Traffic } from '../observe/traffic.ts'
import { ANSWER_FACTOR } from '../upstream/answer-room.ts'
import { MemoryBudget } from '../upstream/memory-budget.ts'
import { MAX_ANSWER_BYTES } from '../upstream/upstream.ts'
import { buildAdmin } from './build-admin.ts'
import { buildLegacy } from './build-legacy.ts'
import { buildSideBySide } from './build-side-by-side.ts'
import { buildTracing, type TracingSettings } from './build-tracing.ts'
import { buildTranslation, type TranslationSettings } from './build-translation.ts'
import type { Config } from './config.ts'
import type { SideBySideSettings } from './open-evidence.ts'

type Settings = TranslationSettings &
  SideBySideSettings &
  TracingSettings &
  Pick<Config, 'memoryBytes' | 'tokenKeys' | 'adminToken' | 'sunset' | 'v1PublicUrl' | 'trustedProxies' | 'corsOrigins'>

/** The services behind the gateway. */
export interface Services {
  readonly v1: URL
  readonly legacy: URL | undefined
}

export interface BuiltGateway {
  /** Answers the legacy interface. */
  readonly legacy: ReturnType<typeof getRequestListener>
  /** Answers the admin port. */
  readonly admin: ReturnType<typeof getRequestListener>
  /**
   * Tells where the legacy interface listens, which its description and the commands that people are shown say, and how to ask
   * for its connections.
   */
  listensAt(address: LegacyAddress, connections?: () => ConnectionRow): void
  /** From now on the gateway is not ready, whatever v1 does. */
  goDown(): void
  /**
   * Compares and records what is left of answered calls, for `graceMs` at most, and closes the connections to the services:
   * what is still under way ends.
   */
  close(graceMs: number): Promise<void>
}

export interface BuildOptions {
  /** Others than those of this project. */
  readonly mappings?: readonly Operation[] | undefined
  /** How many lines of the log could not be written. */
  readonly linesDropped?: () => number
}

/**
 * Puts the gateway together; nothing listens yet.
 * @throws MappingError when a mapping cannot be right, StartError when a file cannot be used.
 */
export async function buildGateway(
  settings: Settings,
  services: Services,
  log: Logger,
  { mappings, linesDropped = () => 0 }: BuildOptions = {},
): Promise<BuiltGateway> {
  const memory = new MemoryBudget(settings.memoryBytes)
  for (const problem of tooSmall(memory, settings.maxBodyBytes)) log.warn(problem)
  const translation = buildTranslation(settings, services.v1, log, mappings, memory)
  const { operations } = translation
  const legacyService = services.legacy && buildLegacy(settings, services.legacy, log)
  const key = settings.tokenKeys[0] ?? randomBytes(32)
  const plain: Gateway = { ...translation.gateway, legacy: legacyService?.plain, tokens: undefined }
  // It knows the operations that there are, not made-up ones.
  const aside = mappings === undefined ? openAside(key) : undefined
  let legacyAddress: LegacyAddress | undefined
  let connections: (() => ConnectionRow) | undefined
  /** Where people can make a call again. */
  const legacyUrl = (): string =>
    legacyAddress === undefined ? '' : `${originOf(legacyAddress, '127.0.0.1')}${settings.basePath}`
  const sideBySide = await buildSideBySide(settings, operations, plain, key, legacyUrl, { memory, aside }, log)
  const { route, watch } = sideBySide
  const tokens = sealerOf(settings.tokenKeys, key, legacyService !== undefined, log)
  const tracing = await buildTracing(settings, services, operations, log)
  const cors = settings.corsOrigins && corsFor(settings.corsOrigins)
  const guarded: Gateway = { ...plain, legacy: legacyService?.guarded, tokens, route, watch, cors, memory, aside }
  // What is compared is asked beside the calls, and is no part of their traces.
  const gateway = tracing?.around(guarded) ?? guarded
  const refusals = heldBack(Math.random)
  const headersOf = standardHeaders(settings.sunset, publishedV1(settings, services, log))
  const time = steadyTime()
  const traffic = countTraffic({ operations: operations.map(({ mapping }) => mapping.id), ...time })
  const lanes = () => [
    ...translation.lanes().map((lane) => ({ upstream: 'v1', ...lane })),
    ...(legacyService?.lanes() ?? []).map((lane) => ({ upstream: 'legacy', ...lane })),
  ]
  let goingDown = false
  const state = async (): Promise<State> => {
    const [isV1Well, isLegacyWell] = await Promise.all([translation.probe.isWell(), legacyService?.probe.isWell()])
    return stateOf({ isV1Well, isLegacyWell, goingDown, rollout: sideBySide.rollout(), lanes: lanes(), memory })
  }
  const metrics = openMetrics({
    operations: operations.map(({ mapping }) => ({ operation: mapping.id, sides: sidesOf(mapping, services) })),
    state,
    lanes,
    totals: traffic.totals,
    experiments: sideBySide.experiments,
    results: sideBySide.results,
    lists: translation.gateway.lists.counts,
    linesDropped,
    recordingsDropped: sideBySide.recordingsDropped,
    connections: () => connections?.(),
    memory,
  })
  const observers = [callLogger(log), metrics.count, countIn(traffic, time)]
  const later = observeLater((call) => {
    for (const each of observers) each(call)
  })
  // A span is still open only now.
  const observe: Observe = (call) => {
    tracing?.observe(call)
    later(call)
  }
  const trusted =
    settings.trustedProxies &&
    trustedProxies(settings.trustedProxies, () =>
      log.warn(
        'a trusted proxy sent Forwarded and X-Forwarded-For that name different clients: it must strip one of them',
      ),
    )
  const legacy = serveLegacy({
    gateway,
    headersOf,
    observe,
    holdBack: refusals.holdBack,
    trusted,
    middleware: tracing?.middleware,
  })
  const admin = buildAdmin(settings, settings.v1PublicUrl ?? services.v1, {
    ...{ translation, gateway, aside, sideBySide, traffic, metrics, state, log, legacyAddress: () => legacyAddress },
  })
  return {
    legacy: getRequestListener(legacy.fetch, {
      // For HTTP/1.0, which needs no Host: nothing here depends on it.
      hostname: 'localhost',
      errorHandler: unreadableRefuser(headersOf(undefined)),
    }),
    // Probes of HTTP/1.0 bring no Host either; `ownName` tells who may come without.
    admin: getRequestListener(admin.fetch, { hostname: 'localhost' }),
    listensAt: (address, counts) => {
      legacyAddress = address
      connections = counts
    },
    goDown: () => {
      goingDown = true
      refusals.release()
    },
    close: async (graceMs) => {
      await Promise.all([sideBySide.close(graceMs), tracing?.close(graceMs)])
      await Promise.all([translation.close(), legacyService?.close(), aside?.close()])
    },
  }
}

/** What of the allowed a budget does not hold. */
function tooSmall({ limit, forLarge }: MemoryBudget, maxBodyBytes: number): readonly string[] {
  const inMb = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`
  const has = `MEMORY_MB is ${Math.floor(limit / 1024 ** 2)}, which`
  const [body, answer] = [Math.floor(forLarge / BODY_FACTOR), Math.floor(forLarge / ANSWER_FACTOR)]
  return [
    ...(body < maxBodyBytes
      ? [`${has} holds no request body of more than ${inMb(body)}: MAX_BODY_BYTES allows ${inMb(maxBodyBytes)}`]
      : []),
    ...(answer < MAX_ANSWER_BYTES
      ? [
          `${has} holds no answer of more than ${inMb(answer)}: larger ones, up to ${inMb(MAX_ANSWER_BYTES)}, are refused`,
        ]
      : []),
  ]
}

/** The address of v1 that clients are told; undefined: none, since what there is looks like one within a network. */
function publishedV1({ v1PublicUrl }: Settings, { v1 }: Services, log: Logger): URL | undefined {
  if (v1PublicUrl !== undefined || mayBePublished(v1)) return v1PublicUrl ?? v1
  log.warn(
    'V1_BASE_URL is not an address that clients can reach: answers carry no Link to v1 until V1_PUBLIC_URL is set',
  )
  return undefined
}

/** Who may answer an operation; what v1 has no equivalent of is legacy's, also where there is none. */
function sidesOf({ v1 }: Operation, { legacy }: Services): readonly Side[] {
  if (v1 === undefined) return ['legacy']
  return legacy === undefined ? ['v1'] : ['v1', 'legacy']
}

/** Without keys and without a legacy service no token is sealed, and none can be ours. */
function sealerOf(
  keys: readonly Uint8Array[],
  key: Uint8Array,
  isNeeded: boolean,
  log: Logger,
): TokenSealer | undefined {
  const onLarge = throttleReport<number>((logins, headerBytes) => {
    log.warn({ logins, headerBytes }, LARGE_TOKEN)
  }, LARGE_TOKEN_EVERY_MS)
  if (keys.length > 0) return tokenSealer([key, ...keys.slice(1)], onLarge)
  if (!isNeeded) return undefined
  log.warn('TOKEN_KEY is not set: tokens that are handed out now are void after a restart, and at other replicas')
  return tokenSealer([key], onLarge)
}

const LARGE_TOKEN =
  'a login handed out a token that makes an Authorization header of more than 8 KB: have v1 and the legacy service issue shorter tokens, or raise what the clients and proxies in front take; beyond 16 KB for all headers the gateway itself answers 431, unless Node.js is started with --max-http-header-size'
const LARGE_TOKEN_EVERY_MS = 60_000

const countIn =
  (traffic: Traffic, { now }: SteadyTime): Observe =>
  ({ operation, client, status, milliseconds, answeredBy }) =>
    traffic.count({ at: now(), operation, client, status, milliseconds, answeredBy })
