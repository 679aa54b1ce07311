import { randomBytes } from 'node:crypto'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import { operations as allOperations } from '../mappings/index.ts'
import en from '../mappings/messages/en.json' with { type: 'json' }
import tr from '../mappings/messages/tr.json' with { type: 'json' }
import type { Config } from './config.ts'
import { compileOperations } from './engine/compile-operations.ts'
import { MappingError } from './engine/mapping-error.ts'
import { operationFinder } from './gateway/find-operation.ts'
import { pathForwarder } from './gateway/forwarded-path.ts'
import type { LegacyService } from './gateway/gateway.ts'
import { v1Probe } from './gateway/is-v1-well.ts'
import { checkMessages } from './gateway/messages.ts'
import { unreadableRefuser } from './gateway/refuse-unreadable.ts'
import { type TokenSealer, tokenSealer } from './gateway/sealed-token.ts'
import { serveLegacy } from './gateway/serve-legacy.ts'
import { standardHeaders } from './gateway/standard-headers.ts'
import { failureOf, isTokenRefused } from './gateway/translate-error.ts'
import type { Operation } from './mapping/operation.ts'
import { callLogger } from './observe/observe-call.ts'
import { serveAdmin } from './observe/serve-admin.ts'
import { referenceLists } from './reference/reference-lists.ts'
import { openForwarder } from './upstream/forward.ts'
import { openUpstream } from './upstream/upstream.ts'

const messages = { en, tr }

type Settings = Pick<
  Config,
  | 'basePath'
  | 'tokenKeys'
  | 'adminToken'
  | 'upstreamTimeoutMs'
  | 'maxBodyBytes'
  | 'referenceTtlMs'
  | 'referenceStaleMs'
  | 'sunset'
>

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
  /** Closes the connections to v1; what is still under way ends. */
  close(): Promise<void>
}

/**
 * Puts the gateway together; nothing listens yet.
 * @throws MappingError when a mapping cannot be right.
 */
export function buildGateway(
  settings: Settings,
  services: Services,
  log: Logger,
  operations: readonly Operation[] = allOperations,
): BuiltGateway {
  const missing = checkMessages(messages, operations)
  if (missing.length > 0) throw new MappingError(missing)
  const compiled = compileOperations(operations)
  const v1 = openUpstream({ baseUrl: services.v1, timeoutMs: settings.upstreamTimeoutMs })
  const legacyService = services.legacy && openLegacy(services.legacy, settings.upstreamTimeoutMs)
  const gateway = {
    find: operationFinder(compiled, settings.basePath),
    byId: (id: string) => compiled.find(({ mapping }) => mapping.id === id),
    v1,
    legacy: legacyService,
    tokens: sealerOf(settings.tokenKeys, legacyService !== undefined, log),
    forwardedPath: pathForwarder(operations, settings.basePath),
    lists: referenceLists({
      ttlMs: settings.referenceTtlMs,
      staleMs: settings.referenceStaleMs,
      failureOf,
      isRefusal: isTokenRefused,
    }),
    messages,
    maxBodyBytes: settings.maxBodyBytes,
  }
  const headersOf = standardHeaders(settings.sunset)
  const legacy = serveLegacy({ gateway, headersOf, observe: callLogger(log) })
  const isV1Well = v1Probe(v1, compiled)
  let isGoingDown = false
  const admin = serveAdmin({ token: settings.adminToken, isReady: async () => !isGoingDown && (await isV1Well()) })
  return {
    legacy: getRequestListener(legacy.fetch, { errorHandler: unreadableRefuser(headersOf(undefined)) }),
    admin: getRequestListener(admin.fetch),
    goDown: () => {
      isGoingDown = true
    },
    close: async () => {
      await Promise.all([v1.close(), legacyService?.close()])
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
function sealerOf([first, ...others]: readonly Uint8Array[], isNeeded: boolean, log: Logger): TokenSealer | undefined {
  if (first !== undefined) return tokenSealer([first, ...others])
  if (!isNeeded) return undefined
  log.warn('TOKEN_KEY is not set: tokens that are handed out now are void after a restart, and at other replicas')
  return tokenSealer([randomBytes(32)])
}
