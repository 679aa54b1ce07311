import { randomBytes } from 'node:crypto'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import { serial } from '../common/promises.ts'
import { ANSWERED_BY } from '../data-plane/gateway/answering-side.ts'
import { MAX_CAPTURED } from '../data-plane/gateway/body-capture.ts'
import { trustedProxies } from '../data-plane/gateway/client-address.ts'
import { corsFor } from '../data-plane/gateway/cors.ts'
import { unreadableRefuser } from '../data-plane/gateway/errors/translate-error.ts'
import type { Brownouts, Gateway } from '../data-plane/gateway/gateway.ts'
import { serveLegacy } from '../data-plane/gateway/serve-call.ts'
import { standardHeaders } from '../data-plane/gateway/standard-headers.ts'
import { unknownOutcomes } from '../data-plane/gateway/unknown-outcomes.ts'
import type { RawAnswer, Unreadable } from '../data-plane/http/close-connection.ts'
import { MemoryBudget, type SharedUse } from '../data-plane/upstream/memory-budget.ts'
import type { CaptureLimits } from '../exchange/exchange.ts'
import type { MakeGuide } from '../exchange/guide-form.ts'
import type { Operation } from '../mapping/operation.ts'
import type { ConnectionRow } from '../observe/metrics/gateway-metrics.ts'
import { openDataMetrics } from '../observe/metrics/metrics.ts'
import { callLogger, type Observe, observeLater } from '../observe/observe-call.ts'
import { UNIDENTIFIED } from '../observe/traffic.ts'
import { type Channel, ChannelClosed } from '../planes/channel.ts'
import { brownoutOf, chooseSide, type Decisions, mayChoose } from '../planes/decisions.ts'
import { openHandOver } from '../planes/hand-over.ts'
import { lookSampler, MOST_LOOKED_AT } from '../planes/look-sampler.ts'
import type { ControlPlane, DataPlane } from '../planes/messages.ts'
import { openTextWorker } from '../workers/open-text-worker.ts'
import { buildOwnGuides, publishedV1 } from './build-guides.ts'
import { buildTracing, sidesOf, type TracingSettings } from './build-observing.ts'
import { buildTranslation, type TranslationSettings, tooSmallMemory } from './build-translation.ts'
import type { Config } from './config.ts'
import { buildLegacy } from './connect-services.ts'
import { openSealer } from './open-sealer.ts'

export type DataSettings = TranslationSettings &
  TracingSettings &
  Partial<Pick<Config, 'namesAnswerer' | 'clientGuides'>> &
  Pick<Config, 'memoryBytes' | 'tokenKeys' | 'sunset' | 'v1PublicUrl' | 'trustedProxies' | 'corsOrigins'>

/** The services behind the gateway. */
export interface Services {
  readonly v1: URL
  readonly legacy: URL | undefined
  /** Whether these are the sandbox that the gateway has started itself. */
  readonly isSandbox?: boolean
}

/** Serves calls, from the socket to the answer. It acts on the decisions of a control plane, and never waits for it. */
export interface BuiltDataPlane {
  /** Answers the legacy interface. Nothing may call it before the first decisions. */
  readonly legacy: ReturnType<typeof getRequestListener>
  /** Makes the answer to what a client of the legacy interface sent in place of a request, and logs it. */
  refuseUnreadable(sent: Unreadable): RawAnswer
  /** What a control plane may ask. */
  readonly offered: Omit<DataPlane, 'log' | 'remember'>
  /** The key that seals tokens and redacts. */
  readonly key: Uint8Array
  /** What calls hold of the memory for answers, shared with a control plane. */
  readonly sharedUse: SharedUse
  /** From now on, tells this control plane of calls; undefined: there is none for now. */
  connect(channel: Channel<ControlPlane> | undefined): void
  /** Notes that a control plane has ended and was started again. */
  noteRestart(why: string): void
  /** Sets how to count the connections of the legacy interface. */
  listensAt(connections: () => ConnectionRow): void
  /** From now on the gateway is not ready, regardless of v1's state. */
  goDown(): void
  /** Tells the control plane all that it has not been told. */
  flush(): Promise<void>
  /** Closes the connections to the services, which ends all calls that are still running. */
  close(graceMs: number): Promise<void>
}

interface DataOptions {
  /** Mappings to use in place of the project's own. */
  readonly mappings?: readonly Operation[] | undefined
  /** Returns how many lines of the log could not be written. */
  readonly linesDropped?: () => number
}

/** How to keep calls that are compared or recorded. */
const WHOLE: CaptureLimits = { mostBytes: MAX_CAPTURED, isMissed: true }
/** How to keep calls that only usage wants to see. Larger ones are sent without being kept. */
const TO_LOOK_AT: CaptureLimits = { mostBytes: MOST_LOOKED_AT, isMissed: false }

/** What holds until the first decisions. */
const UNDECIDED: Decisions = {
  operations: {},
  brownouts: [],
  refusesFrom: Number.POSITIVE_INFINITY,
  isRecording: false,
}

/**
 * Builds the data plane. Nothing listens yet.
 * @throws MappingError if a mapping is invalid.
 */
export async function buildDataPlane(
  settings: DataSettings,
  services: Services,
  log: Logger,
  { mappings, linesDropped = () => 0 }: DataOptions = {},
): Promise<BuiltDataPlane> {
  const memory = new MemoryBudget(settings.memoryBytes)
  for (const problem of tooSmallMemory(memory, settings.maxBodyBytes)) log.warn(problem)
  const translation = buildTranslation(settings, services.v1, log, mappings, memory)
  // Ids, methods, paths and sides never change.
  const operations = translation.operations.now()
  const ids = operations.map(({ mapping }) => mapping.id)
  const legacyService = services.legacy && buildLegacy(settings, services.legacy, log)
  const key = settings.tokenKeys[0] ?? randomBytes(32)
  // The other thread knows only the project's own mappings.
  const textWorker = mappings === undefined ? openTextWorker() : undefined
  let decisions = UNDECIDED
  const inTurn = serial()
  const handOver = openHandOver({
    ...{ decisions: () => decisions, sampler: lookSampler(ids), unidentified: UNIDENTIFIED },
    limits: { whole: WHOLE, toLookAt: TO_LOOK_AT },
  })
  const { knownTokens } = translation.gateway
  knownTokens.onOwner(handOver.noteOwner)
  let controlPlane: Channel<ControlPlane> | undefined
  const makeGuide: MakeGuide = async (...asked) => {
    if (controlPlane === undefined) throw new ChannelClosed('the control plane is being started again')
    await handOver.flush()
    return controlPlane.ask('guide', asked)
  }
  const tokens = openSealer(settings.tokenKeys, key, legacyService !== undefined, log)
  const tracing = await buildTracing(settings, services, operations, log)
  const cors = settings.corsOrigins && corsFor(settings.corsOrigins)
  const published = publishedV1(settings.v1PublicUrl, services.v1, log)
  const { sunset, namesAnswerer } = settings
  const guides = buildOwnGuides(settings, operations, makeGuide)
  const brownouts: Brownouts = {
    get from() {
      return decisions.refusesFrom
    },
    of(operation, client, now) {
      const brownout = brownoutOf(decisions.brownouts, { operation, client, now, place: () => Math.random() * 100 })
      return brownout && { n: brownout.n, status: brownout.rule.status, until: brownout.until }
    },
  }
  const guarded: Gateway = {
    ...translation.gateway,
    ...{ legacy: legacyService?.guarded, tokens, aside: textWorker?.forClient, brownouts, guides, cors, memory },
    route(operation, clientOf) {
      const decision = decisions.operations[operation]
      return decision === undefined ? 'legacy' : chooseSide(decision, clientOf)
    },
    mayChoose(operation, clientOf) {
      const decision = decisions.operations[operation]
      return decision !== undefined && mayChoose(decision, clientOf)
    },
    watch: handOver.watch,
  }
  const gateway = tracing?.around(guarded) ?? guarded
  const headersOf = standardHeaders(sunset, published, guides?.path)
  const lanes = () => [
    ...translation.lanes().map((lane) => ({ upstream: 'v1', ...lane })),
    ...(legacyService?.lanes() ?? []).map((lane) => ({ upstream: 'legacy', ...lane })),
  ]
  let goingDown = false
  let connections: (() => ConnectionRow) | undefined
  let restarts = 0
  let lastRestart: { readonly at: string; readonly why: string } | null = null
  let refusedBeside = { comparison: 0, recording: 0 }
  const controlPlaneState = () => ({ restarts, last: lastRestart, lost: handOver.lost() })
  const areWell = async () => {
    const [v1, legacy] = await Promise.all([translation.probe.isWell(), legacyService?.probe.isWell()])
    return { v1, ...(legacy !== undefined && { legacy }) }
  }
  const metrics = openDataMetrics({
    operations: operations.map(({ mapping }) => ({
      operation: mapping.id,
      sides: sidesOf(mapping, services),
      isWrite: mapping.effect === 'write',
    })),
    ...{ lanes, areWell, linesDropped, controlPlane: controlPlaneState },
    lists: translation.gateway.lists.counts,
    connections: () => connections?.(),
    memory: () => ({
      ...{ limit: memory.limit, used: memory.used, waiting: memory.waiting },
      refused: {
        ...memory.refused,
        comparison: memory.refused.comparison + refusedBeside.comparison,
        recording: refusedBeside.recording,
      },
    }),
  })
  const logCall = callLogger(log)
  const countLater = observeLater((call) => {
    logCall(call)
    if (call.isGuide === true) return
    metrics.count(call)
    handOver.count(call)
  })
  // A span ends with its call, so it cannot wait for the batch.
  const observe: Observe = (call) => {
    tracing?.observe(call)
    countLater(call)
  }
  const trusted =
    settings.trustedProxies &&
    trustedProxies(settings.trustedProxies, () =>
      log.warn(
        'a trusted proxy sent Forwarded and X-Forwarded-For that name different clients: it must strip one of them',
      ),
    )
  const outcomes = unknownOutcomes(knownTokens)
  const { middleware } = tracing ?? {}
  const legacy = serveLegacy({ gateway, headersOf, observe, outcomes, trusted, namesAnswerer, middleware })
  const refuse = unreadableRefuser(
    { ...headersOf(undefined), ...(namesAnswerer && { [ANSWERED_BY]: 'gateway' }) },
    gateway.messages,
  )
  return {
    ...{ key, sharedUse: memory.shared, flush: handOver.flush },
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
    offered: {
      decide(next) {
        decisions = next
      },
      correct: (corrections) =>
        inTurn(async () => {
          // Calls come between: 200 lines of one operation take some milliseconds.
          for (const [id, own] of Object.entries(corrections.operations)) {
            translation.prepare({ operations: { [id]: own } })
            await new Promise(setImmediate)
          }
          translation.prepare(corrections)()
        }),
      flush: handOver.flush,
      async state() {
        const { v1, legacy: isLegacyWell } = await areWell()
        const why = { v1: translation.probe.why(), legacy: legacyService?.probe.why() }
        return {
          ...{ isV1Well: v1, isLegacyWell, why, goingDown, controlPlane: controlPlaneState() },
          ...{ lanes: lanes(), memory: { waiting: memory.waiting } },
        }
      },
      metrics(refused) {
        refusedBeside = refused
        return metrics.read()
      },
      learn(owners) {
        for (const owner of owners) knownTokens.learn(owner)
      },
    },
    connect(channel) {
      controlPlane = channel
      if (channel === undefined) memory.shared.beside = 0
      handOver.connect(channel)
    },
    noteRestart(why) {
      restarts++
      lastRestart = { at: new Date().toISOString(), why }
    },
    listensAt(counts) {
      connections = counts
    },
    goDown() {
      goingDown = true
    },
    async close(graceMs) {
      handOver.close()
      await Promise.all([tracing?.close(graceMs), translation.close(), legacyService?.close(), textWorker?.close()])
    },
  }
}
