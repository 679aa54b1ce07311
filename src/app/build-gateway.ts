import { randomBytes } from 'node:crypto'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import type { MakeGuide } from '../exchange/guide-form.ts'
import { ANSWERED_BY } from '../gateway/answering-side.ts'
import { trustedProxies } from '../gateway/client-address.ts'
import { corsFor } from '../gateway/cors.ts'
import { unreadableRefuser } from '../gateway/errors/translate-error.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { type TokenSealer, tokenSealer } from '../gateway/login/sealed-token.ts'
import { serveLegacy } from '../gateway/serve-call.ts'
import { standardHeaders } from '../gateway/standard-headers.ts'
import { type LegacyAddress, originOf } from '../guide/openapi/legacy-openapi.ts'
import { snippetsOf } from '../guide/snippets/snippets-of.ts'
import type { RawAnswer, Unreadable } from '../http/close-connection.ts'
import type { Operation } from '../mapping/operation.ts'
import type { ConnectionRow } from '../observe/metrics/gateway-metrics.ts'
import type { Observe } from '../observe/observe-call.ts'
import { type State, stateOf } from '../observe/readiness.ts'
import { throttleReport } from '../observe/throttle-report.ts'
import type { Traffic } from '../observe/traffic.ts'
import { MemoryBudget } from '../upstream/memory-budget.ts'
import { openTextWorker } from '../workers/open-text-worker.ts'
import { buildAdmin } from './build-admin.ts'
import { buildBrownouts } from './build-brownouts.ts'
import { cutoverRows } from './build-cutover.ts'
import { buildOwnGuides, guideMaker, publishedV1 } from './build-guides.ts'
import { buildObserving, buildTracing, type TracingSettings } from './build-observing.ts'
import { buildSideBySide } from './build-side-by-side.ts'
import { buildTranslation, type TranslationSettings, tooSmallMemory } from './build-translation.ts'
import type { Config } from './config.ts'
import { buildLegacy } from './connect-services.ts'
import type { SideBySideSettings } from './open-evidence.ts'

/** How old the results of other replicas may be in metrics. */
const SCRAPED_MS = 60_000

type Settings = TranslationSettings &
  SideBySideSettings &
  TracingSettings &
  Partial<Pick<Config, 'namesAnswerer' | 'clientGuides'>> &
  Pick<Config, 'memoryBytes' | 'tokenKeys' | 'adminToken' | 'sunset' | 'v1PublicUrl' | 'trustedProxies' | 'corsOrigins'>

/** The services behind the gateway. */
export interface Services {
  readonly v1: URL
  readonly legacy: URL | undefined
  /** Whether these are the sandbox that the gateway has started itself. */
  readonly isSandbox?: boolean
}

export interface BuiltGateway {
  /** Answers the legacy interface. */
  readonly legacy: ReturnType<typeof getRequestListener>
  /** Makes the answer to what a client of the legacy interface sent in place of a request, and logs it. */
  refuseUnreadable(sent: Unreadable): RawAnswer
  /** Answers the admin port. */
  readonly admin: ReturnType<typeof getRequestListener>
  /**
   * Sets where the legacy interface listens, for its description and for the commands shown to people, and how to count
   * its connections.
   */
  listensAt(address: LegacyAddress, connections?: () => ConnectionRow): void
  /** From now on the gateway is not ready, regardless of v1's state. */
  goDown(): void
  /**
   * Compares and records the remaining answered calls, for at most `graceMs`. Then closes the connections to the
   * services, which ends all calls that are still running.
   */
  close(graceMs: number): Promise<void>
}

interface BuildOptions {
  /** Mappings to use in place of the project's own. */
  readonly mappings?: readonly Operation[] | undefined
  /** Returns how many lines of the log could not be written. */
  readonly linesDropped?: () => number
  /** Makes a client's guide; undefined: from what is known of its calls. */
  readonly guide?: MakeGuide
}

/**
 * Builds the gateway. Nothing listens yet.
 * @throws MappingError if a mapping is invalid, StartError if a file cannot be used.
 */
export async function buildGateway(
  settings: Settings,
  services: Services,
  log: Logger,
  { mappings, linesDropped = () => 0, guide: makeGuide }: BuildOptions = {},
): Promise<BuiltGateway> {
  const memory = new MemoryBudget(settings.memoryBytes)
  for (const problem of tooSmallMemory(memory, settings.maxBodyBytes)) log.warn(problem)
  const translation = buildTranslation(settings, services.v1, log, mappings, memory)
  const { operations } = translation
  const legacyService = services.legacy && buildLegacy(settings, services.legacy, log)
  const key = settings.tokenKeys[0] ?? randomBytes(32)
  // The other thread knows only the project's own mappings.
  const aside = mappings === undefined ? openTextWorker(key) : undefined
  const plain: Gateway = {
    ...translation.gateway,
    ...{ legacy: legacyService?.plain, tokens: undefined, aside: aside?.forClient },
  }
  let legacyAddress: LegacyAddress | undefined
  let connections: (() => ConnectionRow) | undefined
  /** Returns where people can repeat a legacy call. */
  const legacyUrl = (): string =>
    legacyAddress === undefined ? '' : `${originOf(legacyAddress, '127.0.0.1')}${settings.basePath}`
  const sideBySide = await buildSideBySide(
    { ...settings, isSandbox: services.isSandbox },
    operations,
    plain,
    key,
    legacyUrl,
    { memory, aside },
    log,
  )
  const { route, watch } = sideBySide
  const tokens = openSealer(settings.tokenKeys, key, legacyService !== undefined, log)
  const tracing = await buildTracing(settings, services, operations, log)
  const cors = settings.corsOrigins && corsFor(settings.corsOrigins)
  let counted: Traffic | undefined
  const published = publishedV1(settings.v1PublicUrl, services.v1, log)
  const { sunset, basePath } = settings
  const guide =
    makeGuide ?? guideMaker({ operations, usage: sideBySide.usage.known, v1: published, sunset, basePath, snippetsOf })
  const guides = buildOwnGuides(settings, operations, guide)
  const brownouts = buildBrownouts(
    sideBySide.rollout,
    sideBySide.usage,
    () => counted,
    sideBySide.brownoutEnds,
    log,
    settings.tickMs && settings.tickMs / 2,
  )
  const guarded: Gateway = {
    ...plain,
    ...{ legacy: legacyService?.guarded, tokens, route, brownouts: brownouts.current, guides },
    ...{ watch, cors, memory },
  }
  // Comparisons run beside the calls and are not part of their traces.
  const gateway = tracing?.around(guarded) ?? guarded
  const headersOf = standardHeaders(sunset, published, guides?.path)
  const lanes = () => [
    ...translation.lanes().map((lane) => ({ upstream: 'v1', ...lane })),
    ...(legacyService?.lanes() ?? []).map((lane) => ({ upstream: 'legacy', ...lane })),
  ]
  let goingDown = false
  const state = async (): Promise<State> => {
    const [isV1Well, isLegacyWell] = await Promise.all([translation.probe.isWell(), legacyService?.probe.isWell()])
    const { engine } = sideBySide.fleet.report()
    const why = { v1: translation.probe.why(), legacy: legacyService?.probe.why() }
    return stateOf({
      ...{ services, isV1Well, isLegacyWell, why, goingDown, engine, memory },
      ...{ rollout: sideBySide.rollout(), lanes: lanes() },
    })
  }
  const observing = buildObserving(
    operations.map(({ mapping }) => mapping),
    services,
    {
      ...{ state, lanes, linesDropped, memory },
      comparisons: sideBySide.comparisons,
      // When every one of many replicas is scraped, each scrape must not read the results of all of them.
      experiments: () => sideBySide.experiments({ maxAgeMs: SCRAPED_MS }),
      fleet: sideBySide.fleet.report,
      recordingsDropped: sideBySide.recordingsDropped,
      lists: translation.gateway.lists.counts,
      connections: () => connections?.(),
      cutover: () => cutoverRows(sideBySide.cutover),
      webhooks: () => sideBySide.webhooks?.counts(),
    },
    log,
    [sideBySide.cutover.count, brownouts.observe, sideBySide.usage.observe],
  )
  const { traffic, metrics } = observing
  counted = traffic
  // A span ends with its call, so it cannot wait for the batch.
  const observe: Observe = (call) => {
    tracing?.observe(call)
    observing.observe(call)
  }
  const trusted =
    settings.trustedProxies &&
    trustedProxies(settings.trustedProxies, () =>
      log.warn(
        'a trusted proxy sent Forwarded and X-Forwarded-For that name different clients: it must strip one of them',
      ),
    )
  const { namesAnswerer } = settings
  const legacy = serveLegacy({
    gateway,
    headersOf,
    observe,
    trusted,
    namesAnswerer,
    middleware: tracing?.middleware,
  })
  const admin = buildAdmin(settings, settings.v1PublicUrl ?? services.v1, {
    ...{ services, translation, gateway, aside, sideBySide, brownouts, traffic, guide, metrics, state, log },
    legacyAddress: () => legacyAddress,
  })
  const refuse = unreadableRefuser(
    { ...headersOf(undefined), ...(namesAnswerer && { [ANSWERED_BY]: 'gateway' }) },
    gateway.messages,
  )
  return {
    legacy: getRequestListener(legacy.fetch, {
      // HTTP/1.0 requires no Host, and nothing here depends on it.
      hostname: 'localhost',
      errorHandler: () => {
        const { headers, body } = refuse({ status: 400, code: '' })
        return new Response(body, { status: 400, headers })
      },
    }),
    refuseUnreadable(sent) {
      const answer = refuse(sent)
      const { status, code: reason, peer, isAnswered } = sent
      const requestId = answer.headers['x-request-id']
      log.info({ ...(isAnswered && { requestId, status }), reason, peer }, 'a request could not be read')
      return answer
    },
    // Probes over HTTP/1.0 send no Host either; `ownName` says which requests may omit it.
    admin: getRequestListener(admin.fetch, { hostname: 'localhost' }),
    listensAt: (address, counts) => {
      legacyAddress = address
      connections = counts
    },
    goDown: () => {
      goingDown = true
    },
    close: async (graceMs) => {
      brownouts.close()
      await Promise.all([sideBySide.close(graceMs), tracing?.close(graceMs)])
      await Promise.all([translation.close(), legacyService?.close(), aside?.close()])
    },
  }
}

/**
 * Returns what seals tokens with `key`, and opens tokens that were sealed with any of `keys`. Undefined: there are no keys
 * and no legacy service, so no token is sealed.
 */
function openSealer(
  keys: readonly Uint8Array[],
  key: Uint8Array,
  hasLegacy: boolean,
  log: Logger,
): TokenSealer | undefined {
  const onLarge = throttleReport<number>((logins, headerBytes) => {
    log.warn({ logins, headerBytes }, LARGE_TOKEN)
  }, LARGE_TOKEN_EVERY_MS)
  if (keys.length > 0) return tokenSealer([key, ...keys.slice(1)], onLarge)
  if (!hasLegacy) return undefined
  log.warn('TOKEN_KEY is not set: tokens that are issued now are invalid after a restart, and at other replicas')
  return tokenSealer([key], onLarge)
}

const LARGE_TOKEN =
  'a login issued a token that makes an Authorization header of more than 8 KB: have v1 and the legacy service issue shorter tokens, or raise the header limits of clients and proxies; above 16 KB for all headers the gateway itself answers 431, unless Node.js is started with --max-http-header-size'
const LARGE_TOKEN_EVERY_MS = 60_000
