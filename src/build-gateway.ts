import { randomBytes } from 'node:crypto'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import packageJson from '../package.json' with { type: 'json' }
import { buildSideBySide, type SideBySideSettings } from './build-side-by-side.ts'
import { buildTranslation, type TranslationSettings } from './build-translation.ts'
import type { Config } from './config.ts'
import { describeOpenapi } from './engine/describe/describe-openapi.ts'
import { serveExplain } from './gateway/explain/explain-over-http.ts'
import type { Gateway, LegacyService } from './gateway/gateway.ts'
import { unreadableRefuser } from './gateway/refuse-unreadable.ts'
import { type TokenSealer, tokenSealer } from './gateway/sealed-token.ts'
import { serveLegacy } from './gateway/serve-legacy.ts'
import { standardHeaders } from './gateway/standard-headers.ts'
import type { Operation } from './mapping/operation.ts'
import { callLogger } from './observe/observe-call.ts'
import { serveAdmin } from './observe/serve-admin.ts'
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
  const { basePath } = settings
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
  const legacy = serveLegacy({ gateway, headersOf, observe: callLogger(log) })
  let isGoingDown = false
  const admin = serveAdmin({
    token: settings.adminToken,
    isReady: async () => !isGoingDown && (await translation.isV1Well()),
    explain: serveExplain({ ...gateway, operations, basePath, v1BaseUrl: services.v1 }),
    experiments: sideBySide.experiments,
    openapi: () =>
      describeOpenapi(
        operations.map(({ mapping }) => mapping),
        { basePath, version: packageJson.version },
      ),
  })
  return {
    legacy: getRequestListener(legacy.fetch, { errorHandler: unreadableRefuser(headersOf(undefined)) }),
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
