import { randomBytes } from 'node:crypto'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import { buildAdmin } from './build-admin.ts'
import { buildSideBySide, type SideBySideSettings } from './build-side-by-side.ts'
import { buildTranslation, type TranslationSettings } from './build-translation.ts'
import type { Config } from './config.ts'
import type { Gateway, LegacyService } from './gateway/gateway.ts'
import { unreadableRefuser } from './gateway/refuse-unreadable.ts'
import { type TokenSealer, tokenSealer } from './gateway/sealed-token.ts'
import { serveLegacy } from './gateway/serve-legacy.ts'
import { standardHeaders } from './gateway/standard-headers.ts'
import type { Operation } from './mapping/operation.ts'
import { openMetrics } from './observe/metrics/metrics.ts'
import { callLogger, type Observe } from './observe/observe-call.ts'
import { countTraffic, type Traffic } from './observe/traffic.ts'
import { openForwarder } from './upstream/forward.ts'
import { openUpstream } from './upstream/upstream.ts'

type Settings = TranslationSettings & SideBySideSettings & Pick<Config, 'tokenKeys' | 'adminToken' | 'sunset'>

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
  /** From now on the gateway is not ready, whatever v1 does. */
  goDown(): void
  /**
   * Compares and records what is left of answered calls, for `graceMs` at most, and closes the connections to the services:
   * what is still under way ends.
   */
  close(graceMs: number): Promise<void>
}

/**
 * Puts the gateway together; nothing listens yet.
 * @throws MappingError when a mapping cannot be right, StartError when a file cannot be used.
 */
export async function buildGateway(
  settings: Settings,
  services: Services,
  log: Logger,
  mappings?: readonly Operation[],
): Promise<BuiltGateway> {
  const translation = buildTranslation(settings, services.v1, log, mappings)
  const { operations } = translation
  const legacyService = services.legacy && openLegacy(services.legacy, settings.upstreamTimeoutMs)
  const key = settings.tokenKeys[0] ?? randomBytes(32)
  const plain: Gateway = { ...translation.gateway, legacy: legacyService, tokens: undefined }
  const sideBySide = await buildSideBySide(settings, operations, plain, key, log)
  const { route, watch } = sideBySide
  const tokens = sealerOf(settings.tokenKeys, key, legacyService !== undefined, log)
  const gateway: Gateway = { ...plain, tokens, route, watch }
  const headersOf = standardHeaders(settings.sunset)
  const traffic = countTraffic({ operations: operations.map(({ mapping }) => mapping.id) })
  const metrics = openMetrics({
    lanes: () => translation.lanes().map((lane) => ({ upstream: 'v1', ...lane })),
    traffic: traffic.snapshot,
    experiments: sideBySide.experiments,
  })
  const observers = [callLogger(log), metrics.count, countIn(traffic)]
  const observe: Observe = (call) => {
    for (const each of observers) each(call)
  }
  const legacy = serveLegacy({ gateway, headersOf, observe })
  let isGoingDown = false
  const admin = buildAdmin(settings, services.v1, {
    ...{ translation, gateway, sideBySide, traffic, metrics },
    isReady: async () => !isGoingDown && (await translation.isV1Well()),
  })
  return {
    legacy: getRequestListener(legacy.fetch, {
      // For HTTP/1.0, which needs no Host: nothing here depends on it.
      hostname: 'localhost',
      errorHandler: unreadableRefuser(headersOf(undefined)),
    }),
    admin: getRequestListener(admin.fetch),
    goDown: () => {
      isGoingDown = true
    },
    close: async (graceMs) => {
      await sideBySide.close(graceMs)
      await Promise.all([translation.close(), legacyService?.close()])
    },
  }
}

function openLegacy(baseUrl: URL, timeoutMs: number): LegacyService & { close(): Promise<void> } {
  const upstream = openUpstream({ baseUrl, timeoutMs })
  const forwarder = openForwarder(baseUrl, timeoutMs)
  return {
    call: upstream.call,
    forward: forwarder.forward,
    async close() {
      await Promise.all([upstream.close(), forwarder.close()])
    },
  }
}

/** Without keys and without a legacy service no token is sealed, and none can be ours. */
function sealerOf(
  keys: readonly Uint8Array[],
  key: Uint8Array,
  isNeeded: boolean,
  log: Logger,
): TokenSealer | undefined {
  if (keys.length > 0) return tokenSealer([key, ...keys.slice(1)])
  if (!isNeeded) return undefined
  log.warn('TOKEN_KEY is not set: tokens that are handed out now are void after a restart, and at other replicas')
  return tokenSealer([key])
}

const countIn =
  (traffic: Traffic): Observe =>
  ({ operation, client, status, milliseconds, answeredBy }) =>
    traffic.count({ at: Date.now(), operation, client, status, milliseconds, answeredBy })
